"""What was measured with: the device, its clocks, and the versions of everything that takes part."""
import datetime
import importlib.metadata
import re
import subprocess

PACKAGES = {"PyTorch": r"torch", "cuDNN": r"nvidia-cudnn-cu\d+", "JAX": r"jax", "CuPy": r"cupy.*",
            "Triton": r"triton",
            "CUDA runtime of these": r"nvidia-cuda-runtime(-cu\d+)?"}


def text_of(command):
    """What a command prints, or nothing where it cannot run."""
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def output(command):
    """The last line that a command prints."""
    return (text_of(command).splitlines() or [""])[-1]


def clocks():
    """The device's state at this moment, in words."""
    text = output(["nvidia-smi", "--query-gpu=clocks.sm,clocks.max.sm,clocks.mem,temperature.gpu",
                   "--format=csv,noheader"])
    values = [value.strip() for value in text.split(",")]
    if len(values) != 4:
        return "unknown"
    return f"SM {values[0]} of {values[1]}, memory {values[2]}, {values[3]} C"


def packages():
    found = {}
    for distribution in importlib.metadata.distributions():
        name = (distribution.metadata["Name"] or "").lower()
        for what, pattern in PACKAGES.items():
            if re.fullmatch(pattern, name):
                found[what] = distribution.version
    return {what: found.get(what, "unknown") for what in PACKAGES}


def versions():
    """Without the device's own: `of_session` adds those."""
    gpu = output(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"])
    ncu = re.search(r"[\d.]{5,}", output(["ncu", "--version"]))
    compiler = re.search(r"V([\d.]+)", text_of(["nvcc", "--version"]))
    return {"date": str(datetime.date.today()), "GPU": gpu or "unknown",
            "Nsight Compute": ncu.group() if ncu else "unknown",
            "CUDA": compiler.group(1) if compiler else "unknown", **packages(),
            "clocks before": clocks()}


def of_session(device):
    return {"driver": device.get("driver_version", "unknown"),
            "CUPTI": device.get("cupti_version", "unknown"), "clocks after": clocks()}
