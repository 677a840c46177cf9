# Shared by scripts/demo and scripts/test: says what is missing, installs it, builds. Sourced, never run.
# Needs: bash, and apt for installing; without apt it names what to install and goes on with what is there.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

build_packages=(g++ cmake ninja-build libcli11-dev nlohmann-json3-dev libfmt-dev libexpected-dev libzstd-dev
                libkainjow-mustache-dev libsqlite3-dev)
window_packages=(qt6-base-dev qt6-charts-dev qt6-svg-dev libqt6svg6 libqt6opengl6-dev libgl-dev fonts-dejavu-core)
test_packages=(libgtest-dev libgmock-dev librapidcheck-dev libvalijson-dev)
# For opening the HTML report in a real browser. On Ubuntu the package is a snap stub, so the test looks for any browser
# and is skipped, with its reason, where there is none.
browser_packages=(chromium)
# For measuring the tool itself (bench/scale).
bench_packages=(libbenchmark-dev)
# The layout of the sources is checked with this very version.
style_packages=(clang-format-14)

say() { printf '%s\n' "$*" >&2; }

is_installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# install_missing PACKAGE...: installs those that are not there, and says which.
install_missing() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "No apt here. If the build misses something, install what these Debian packages hold: $*"
    return 0
  fi
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "All packages that the build needs are installed."
    return 0
  fi
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    say "error: installing packages: neither root nor sudo"
    say "hint: as root, run: apt-get install ${missing[*]}"
    return 1
  fi
  say "Installing with apt: ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Packages that are welcome but not needed: a failure is said and forgiven.
install_optional() {
  local package
  for package in "$@"; do
    if command -v apt-cache >/dev/null && apt-cache show "$package" >/dev/null 2>&1; then
      install_missing "$package" || say "Going on without $package."
    fi
  done
}

find_nvcc() {
  if command -v nvcc >/dev/null; then
    command -v nvcc
  elif [ -x /usr/local/cuda/bin/nvcc ]; then
    echo /usr/local/cuda/bin/nvcc
  fi
}

has_usable_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q '^GPU '; }

say_what_is_here() {
  local nvcc
  nvcc=$(find_nvcc)
  if [ -n "$nvcc" ]; then
    say "CUDA compiler: $nvcc"
  else
    say "CUDA compiler: none. Left out: measuring (kernels, collector, \`ridgepoint attention\`)."
    say "               To get it, install the CUDA Toolkit 13 with CUPTI (https://developer.nvidia.com/cuda-downloads)."
  fi
  if has_usable_gpu; then
    say "GPU: $(nvidia-smi -L | head -n 1 | sed 's/ (UUID.*//')"
  else
    say "GPU: no usable NVIDIA GPU. Tests that need one are skipped; recordings made on an H200 are used instead."
  fi
}

# build PRESET [CMAKE ARGUMENT...]
build() {
  local preset=$1
  shift
  (cd "$root" && cmake --preset "$preset" -DRIDGEPOINT_PRECOMPILED_HEADERS=ON "$@" && cmake --build --preset "$preset")
}
