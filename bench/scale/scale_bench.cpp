// How opening, analysing and reporting grow with the session. Each benchmark prints its time, the
// growth that fits it best (BigO), and the highest resident memory while it ran.
//   build/release/bin/scale_bench                         all sizes
//   build/release/bin/scale_bench --benchmark_filter=/100$   one size
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "analyzer/analysis/analyse.h"
#include "analyzer/core/data_path.h"
#include "analyzer/open/open_analysis.h"
#include "analyzer/session/journal.h"
#include "analyzer/session/session_file.h"
#include "bench/scale/grown_session.h"
#include "reports/report.h"

namespace ridgepoint::bench {
namespace {

namespace fs = std::filesystem;

// The value, or the end of the program: a benchmark of an error measures nothing.
template <class T>
T need(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", format_error(result.error()).c_str());
    std::exit(1);
  }
  return std::move(*result);
}

// The peak of resident memory since it was last forgotten. Linux: proc(5), clear_refs.
void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}
double peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) {
      return std::stod(line.substr(6)) * 1024;
    }
  }
  return 0;
}

std::size_t usual_kernels(std::size_t launches) {
  return std::clamp<std::size_t>(launches / 1000, 5, 1000);
}

// A grown session on disk, removed at the end.
class SessionFile {
 public:
  explicit SessionFile(const GrownSize& size)
      : path_(fs::temp_directory_path() / ("ridgepoint-scale-" + std::to_string(getpid()) + "-" +
                                           std::to_string(size.launches) + ".ridge")) {
    const Session session = need(grown_session(size));
    if (const Status written = write_session(session, path_, {true}); !written) {
      std::fprintf(stderr, "%s\n", format_error(written.error()).c_str());
      std::exit(1);
    }
  }
  ~SessionFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  SessionFile(const SessionFile&) = delete;
  SessionFile& operator=(const SessionFile&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void finish(benchmark::State& state, std::size_t size) {
  state.counters["peak_rss"] =
      benchmark::Counter(peak_bytes(), benchmark::Counter::kDefaults,
                         benchmark::Counter::OneK::kIs1024);
  state.SetComplexityN(static_cast<benchmark::IterationCount>(size));
}

// What `ridgepoint report FILE` does.
void report_of(benchmark::State& state, const char* format, const GrownSize& size,
               std::size_t growth) {
  const SessionFile file(size);
  forget_peak();
  std::size_t bytes = 0;
  for (auto _ : state) {
    const Analysis analysis = need(open_analysis(file.path()));
    bytes = need(render_report(analysis, format)).size();
  }
  state.counters["report_bytes"] = static_cast<double>(bytes);
  state.counters["file_bytes"] = static_cast<double>(fs::file_size(file.path()));
  finish(state, growth);
}

void text_report(benchmark::State& state) {
  const auto launches = static_cast<std::size_t>(state.range(0));
  report_of(state, "text", {launches, usual_kernels(launches)}, launches);
}

void text_report_of_recording(benchmark::State& state) {
  const fs::path path = need(data_directory()) / "recordings" / "attention-n16384-d64.ridge";
  forget_peak();
  for (auto _ : state) {
    benchmark::DoNotOptimize(need(render_report(need(open_analysis(path)), "text")));
  }
  finish(state, 5);
}

void html_report_by_kernels(benchmark::State& state) {
  const auto kernels = static_cast<std::size_t>(state.range(0));
  report_of(state, "html", {10 * kernels, kernels}, kernels);
}

void open_session(benchmark::State& state) {
  const auto launches = static_cast<std::size_t>(state.range(0));
  const SessionFile file({launches, usual_kernels(launches)});
  forget_peak();
  for (auto _ : state) {
    benchmark::DoNotOptimize(need(read_session(file.path())));
  }
  finish(state, launches);
}

void analyse_session(benchmark::State& state) {
  const auto launches = static_cast<std::size_t>(state.range(0));
  const Session session = need(grown_session({launches, usual_kernels(launches)}));
  forget_peak();
  for (auto _ : state) {
    benchmark::DoNotOptimize(need(analyse(session)));
  }
  finish(state, launches);
}

void write_session_file(benchmark::State& state) {
  const auto launches = static_cast<std::size_t>(state.range(0));
  const SessionFile file({launches, usual_kernels(launches)});
  const Session session = need(read_session(file.path()));
  forget_peak();
  for (auto _ : state) {
    if (!write_session(session, file.path(), {true})) {
      state.SkipWithError("it was not written");
    }
  }
  finish(state, launches);
}

// A profiled program's launches in parts of 256, as the collector writes them, then sealed.
void journal_and_seal(benchmark::State& state) {
  const auto launches = static_cast<std::size_t>(state.range(0));
  const Session whole = need(grown_session({launches, usual_kernels(launches)}));
  const fs::path path = fs::temp_directory_path() /
                        ("ridgepoint-scale-" + std::to_string(getpid()) + "-journal.ridge");
  forget_peak();
  for (auto _ : state) {
    Journal journal = need(Journal::create(path, {true}));
    Session part = whole;
    part.launches.clear();
    part.counters = {};
    for (std::size_t begin = 0; begin < launches; begin += 256) {
      const std::size_t end = std::min(launches, begin + 256);
      part.launches.assign(whole.launches.begin() + static_cast<std::ptrdiff_t>(begin),
                           whole.launches.begin() + static_cast<std::ptrdiff_t>(end));
      for (std::size_t c = 0; c < whole.counters.names.size(); ++c) {
        const std::vector<double>& all = whole.counters.columns[c];
        part.counters.column(whole.counters.names[c], 0)
            .assign(all.begin() + static_cast<std::ptrdiff_t>(begin),
                    all.begin() + static_cast<std::ptrdiff_t>(end));
      }
      if (!journal.append(part)) {
        state.SkipWithError("a part was not written");
      }
      part = Session();
    }
    need(journal.seal());
  }
  std::error_code ignored;
  fs::remove(path, ignored);
  finish(state, launches);
}

void all_sizes(benchmark::internal::Benchmark* one) {
  one->Arg(5)->RangeMultiplier(10)->Range(100, 1'000'000);
  one->Unit(benchmark::kMillisecond)->Complexity()->UseRealTime();
}

BENCHMARK(text_report_of_recording)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(text_report)->Apply(all_sizes);
BENCHMARK(open_session)->Apply(all_sizes);
BENCHMARK(analyse_session)->Apply(all_sizes);
BENCHMARK(write_session_file)->Apply(all_sizes);
BENCHMARK(journal_and_seal)->Apply(all_sizes);
BENCHMARK(html_report_by_kernels)
    ->Arg(5)
    ->RangeMultiplier(10)
    ->Range(100, 10'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity()
    ->UseRealTime();

}  // namespace
}  // namespace ridgepoint::bench

BENCHMARK_MAIN();
