// A program to be profiled where there is no GPU. It does with the injection library what the CUDA
// driver does, and launches through the fake CUPTI what its arguments say, one after another:
//   init  launch NAME COUNT  burst NAME COUNT  graph COUNT (launches of a CUDA graph)  fail NAME
//   copy COUNT
//   loop ROUNDS (a launch of a CUDA graph with a loop in it)  instantiate (such a graph, no launch)
//   elsewhere NAME (a launch of another thread)
//   device INDEX  grid BLOCKS (of the launches that follow)
//   push NAME  pop  dpush DOMAIN NAME  dpop DOMAIN  start NAME (a range that stays open)
//   elsewherein RANGE NAME (a launch of another thread, in a range of its own)
//   crowd COUNT (four threads launch "a" and "b" at once)
//   fork (a child that exits at once)  spawn (a child that does the rest)  sleep MS
//   heard (prints how many calls and records CUPTI is asked to tell of)
//   alloc BYTES  free  value (prints the number in it)  capture  endcapture  share
//   context (one is made)  module FILE (the driver loads this code)
//   limit BYTES (files may not become larger)
//   exit CODE  _exit CODE  kill SIGNAL  say TEXT
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

template <class Function>
Function function_in(const char* variable, const char* name) {
  const char* path = std::getenv(variable);
  void* library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW);
  return library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
}

void launch(const char* name, int succeeds) {
  const auto function = function_in<void (*)(const char*, int)>("RIDGEPOINT_CUPTI", "fake_launch");
  if (function != nullptr) {
    function(name, succeeds);
  }
}

// A function of the fake that takes no argument that matters.
void call(const char* name, int argument = 0) {
  if (const auto function = function_in<int (*)(int)>("RIDGEPOINT_CUPTI", name)) {
    const int value = function(argument);
    if (std::strcmp(name, "fake_value") == 0 || std::strcmp(name, "fake_heard") == 0) {
      std::printf("%s %d\n", name + std::strlen("fake_"), value);
      std::fflush(stdout);
    }
  }
}

int number(const char* text) {
  return text == nullptr ? 0 : std::atoi(text);
}

// The rest of the command line; each act takes what it needs.
struct Words {
  char** at;
  const char* next() { return *at == nullptr ? nullptr : *at++; }
};

bool launching_act(const std::string& act, Words& words) {
  if (act == "init") {
    if (const auto function =
            function_in<int (*)()>("CUDA_INJECTION64_PATH", "InitializeInjection")) {
      function();
    }
  } else if (act == "launch") {
    const char* name = words.next();
    for (int count = number(words.next()); count > 0; --count) {
      launch(name, 1);
    }
  } else if (act == "burst") {  // as fast as can be
    const char* name = words.next();
    const int count = number(words.next());
    const auto function =
        function_in<void (*)(const char*, int)>("RIDGEPOINT_CUPTI", "fake_launch");
    for (int n = 0; function != nullptr && n < count; ++n) {
      function(name, 1);
    }
  } else if (act == "fail") {
    launch(words.next(), 0);
  } else if (act == "elsewherein") {
    const char* range = words.next();
    const char* name = words.next();
    std::thread([range, name] {
      nvtxRangePushA(range);
      launch(name, 1);
      nvtxRangePop();
    }).join();
  } else if (act == "elsewhere") {
    const char* name = words.next();
    std::thread([name] { launch(name, 1); }).join();
  } else if (act == "crowd") {
    const int count = number(words.next());
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([count, t] {
        for (int n = 0; n < count; ++n) {
          launch((n + t) % 3 == 0 ? "b" : "a", 1);
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  } else {
    return false;
  }
  return true;
}

// What else is asked of the driver.
bool driver_act(const std::string& act, Words& words) {
  if (act == "graph" || act == "copy") {
    for (int count = number(words.next()); count > 0; --count) {
      call(("fake_" + act).c_str());
    }
  } else if (act == "alloc" || act == "device" || act == "grid" || act == "loop") {
    call(("fake_" + act).c_str(), number(words.next()));
  } else if (act == "free" || act == "share" || act == "value" || act == "heard" ||
             act == "context" || act == "instantiate") {
    call(("fake_" + act).c_str());
  } else if (act == "capture" || act == "endcapture") {
    call("fake_capture", act == "capture" ? 1 : 0);
  } else if (act == "module") {
    const char* path = words.next();
    if (const auto function =
            function_in<void (*)(const char*)>("RIDGEPOINT_CUPTI", "fake_module")) {
      function(path);
    }
  } else {
    return false;
  }
  return true;
}

bool nvtx_act(const std::string& act, Words& words) {
  if (act == "push") {
    nvtxRangePushA(words.next());
  } else if (act == "pop") {
    nvtxRangePop();
  } else if (act == "dpush") {
    const nvtxDomainHandle_t domain = nvtxDomainCreateA(words.next());
    nvtxEventAttributes_t event = {};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = words.next();
    nvtxDomainRangePushEx(domain, &event);
  } else if (act == "dpop") {
    nvtxDomainRangePop(nvtxDomainCreateA(words.next()));
  } else if (act == "start") {
    nvtxRangeStartA(words.next());
  } else {
    return false;
  }
  return true;
}

// A child of this program that does the rest.
int spawn(const char* program, const Words& rest) {
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> arguments = {const_cast<char*>(program)};
    for (char** word = rest.at; *word != nullptr; ++word) {
      arguments.push_back(*word);
    }
    arguments.push_back(nullptr);
    execv("/proc/self/exe", arguments.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

bool process_act(const std::string& act, Words& words) {
  if (act == "fork") {
    const pid_t child = fork();
    if (child == 0) {
      launch("forked", 1);
      std::exit(0);
    }
    waitpid(child, nullptr, 0);
  } else if (act == "sleep") {
    usleep(static_cast<useconds_t>(number(words.next())) * 1000);
  } else if (act == "limit") {
    const rlimit size = {static_cast<rlim_t>(number(words.next())), RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &size);
  } else if (act == "exit") {
    std::exit(number(words.next()));
  } else if (act == "_exit") {
    _exit(number(words.next()));
  } else if (act == "kill") {
    kill(getpid(), number(words.next()));
    pause();
  } else if (act == "say") {
    std::puts(words.next());
    std::fflush(stdout);
  } else {
    return false;
  }
  return true;
}

}  // namespace

int main(int, char** argv) {
  Words words = {argv + 1};
  while (const char* act = words.next()) {
    if (std::strcmp(act, "spawn") == 0) {
      return spawn(argv[0], words);
    }
    if (!launching_act(act, words) && !driver_act(act, words) && !nvtx_act(act, words) &&
        !process_act(act, words)) {
      std::fprintf(stderr, "injection_host knows no act %s\n", act);
      return 64;
    }
  }
  return 0;
}
