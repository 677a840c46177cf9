// A program to be profiled where there is no GPU. It does with the injection library what the CUDA
// driver does, and launches through the fake CUPTI what its arguments say, one after another:
//   init  launch NAME COUNT  burst NAME COUNT  graph COUNT (launches of a CUDA graph)  fail NAME
//   loop ROUNDS (a launch of a CUDA graph with a loop in it)  instantiate (such a graph, no launch)
//   copy COUNT
//   unheard COUNT (kernels that run without a call of the program)
//   pointer NAME COUNT (as burst, by a pointer to the driver's function that the program keeps)
//   hidden NAME COUNT (the same, by a pointer that it looks up and keeps nowhere)
//   mixed NAME COUNT (as pointer, each hundredth hidden)
//   reject NAME (as pointer, a launch that fails)
//   pointercrowd COUNT (four threads launch by pointer)
//   late FILE NAME COUNT (by the pointer of a library that is loaded now)
//   getaddress  unload (calls of the driver that bring a way to launch, or take code away)
//   elsewhere NAME (a launch of another thread)
//   device INDEX  grid BLOCKS (of the launches that follow)
//   push NAME  pop  dpush DOMAIN NAME  dpop DOMAIN  start NAME (a range that stays open)
//   elsewherein RANGE NAME (a launch of another thread, in a range of its own)
//   crowd COUNT (four threads launch "a" and "b" at once)
//   fork (a child that exits at once)  spawn (a child that does the rest)  sleep MS
//   exec (this program once more, in its own place, for the rest)  tryexec FILE (one that is none)
//   execl (this program once more for "init launch k 2", all named in the call)
//   cancelled NAME (a launch of another thread, whose end has been asked for)
//   heard (prints how many calls and records CUPTI is asked to tell of)
//   alloc BYTES  free  freenothing  value (prints the number in it)  capture  endcapture
//   failend CODE (of the end of a capture)
//   share (memory with another process)  peers  grant DEVICE (may reach the memory)
//   opened DEVICE (may reach a pool of the first one)
//   map BYTES (the first time; grants access to them)
//   counter (prints the variable of that name)  passes (prints how many the range profiler had)
//   context (one is made)  module FILE (the driver loads this code)
//   borrow MEGABYTES (allocates and frees them; prints the driver's answer)
//   limit BYTES (files may not become larger)
//   fill FOLDER (until its disk is full)
//   branch (a child made by fork alone does the rest)
//   vforkexit CODE (a child made by vfork ends so)
//   library FILE FUNCTION NUMBER (loads it and calls the function in it)
//   catch SIGNAL (from now on the program handles it, and says so)
//   exit CODE  _exit CODE  quick_exit CODE  abort  kill SIGNAL  raise SIGNAL  say TEXT
//   killed SIGNAL (by another process)
//   crash  overflow (the stack)  crashelsewhere (in another thread)
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
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

using LaunchKernel = int (*)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             unsigned, void*, void**, void**);
LaunchKernel volatile kept_pointer = nullptr;

void* kernel_named(const char* name) {
  const auto function = function_in<void* (*)(const char*)>("RIDGEPOINT_CUPTI", "fake_function");
  return function == nullptr ? nullptr : function(name);
}

// No blocks: the launch fails.
int launch_by(LaunchKernel function, void* kernel, unsigned blocks = 7) {
  return function(kernel, blocks, 1, 1, 128, 1, 1, 0, nullptr, nullptr, nullptr);
}

void launch_by_pointer(const char* name, int count) {
  void* kernel = kernel_named(name);
  for (int n = 0; n < count; ++n) {
    launch_by(kept_pointer, kernel);
  }
}

bool pointer_act(const std::string& act, const char* name, int count) {
  const auto looked_up = function_in<LaunchKernel>("RIDGEPOINT_CUPTI", "cuLaunchKernel");
  if (kept_pointer == nullptr) {
    kept_pointer = looked_up;
  }
  if (act == "pointer") {
    launch_by_pointer(name, count);
  } else if (act == "mixed") {
    for (int n = 0; n < count; n += 100) {
      launch_by_pointer(name, 99);
      launch_by(looked_up, kernel_named(name));
    }
  } else if (act == "hidden") {
    for (int n = 0; n < count; ++n) {
      launch_by(looked_up, kernel_named(name));
    }
  } else {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([count, t] { launch_by_pointer(t % 2 == 0 ? "a" : "b", count); });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  }
  return true;
}

void launch_late(const char* path, const char* name, int count) {
  if (void* library = dlopen(path, RTLD_NOW)) {
    reinterpret_cast<void (*)(void*, int)>(dlsym(library, "launch_from_library"))(
        kernel_named(name), count);
  }
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
    static const std::set<std::string> asking = {"fake_value", "fake_heard", "fake_borrow",
                                                 "fake_counter", "fake_passes"};
    if (asking.count(name) != 0) {
      std::printf("%s %d\n", name + std::strlen("fake_"), value);
      std::fflush(stdout);
    }
  }
}

int number(const char* text) {
  return text == nullptr ? 0 : std::atoi(text);
}

void say_caught(int) {
  static_cast<void>(!write(STDOUT_FILENO, "caught\n", 7));
}

int overflow(int depth) {
  volatile char wide[4096];
  wide[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : overflow(depth + 1) + wide[0];
}

// Writes where nothing may be written: defined for compilers and sanitizers, and a fault all the
// same.
void crash() {
  void* const closed = mmap(nullptr, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(closed) = 1;
}

// From outside, so that nobody in this process knows.
void be_killed(int signal) {
  const pid_t victim = getpid();
  const pid_t killer = fork();
  if (killer == 0) {
    syscall(SYS_kill, victim, signal);
    syscall(SYS_exit_group, 0);
  }
  pause();
}

void fill(const char* folder) {
  std::ofstream file(std::string(folder) + "/fill", std::ios::binary);
  const std::string block(4096, 'x');
  while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
  }
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
  } else if (act == "pointer" || act == "hidden" || act == "mixed") {
    const char* name = words.next();
    return pointer_act(act, name, number(words.next()));
  } else if (act == "pointercrowd") {
    return pointer_act(act, nullptr, number(words.next()));
  } else if (act == "reject") {
    launch_by(kept_pointer, kernel_named(words.next()), 0);
  } else if (act == "late") {
    const char* path = words.next();
    const char* name = words.next();
    launch_late(path, name, number(words.next()));
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
  } else if (act == "unheard" || act == "alloc" || act == "device" || act == "grant" ||
             act == "opened" || act == "grid" || act == "loop" || act == "borrow" || act == "map" ||
             act == "failend") {
    call(("fake_" + act).c_str(), number(words.next()));
  } else if (act == "free" || act == "freenothing" || act == "share" || act == "peers" ||
             act == "value" || act == "heard" || act == "counter" || act == "passes" ||
             act == "context" || act == "instantiate" || act == "getaddress" || act == "unload") {
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

// This program in the place of itself, which does the rest.
[[noreturn]] void start_again(const char* program, const Words& rest) {
  std::vector<char*> arguments = {const_cast<char*>(program)};
  for (char** word = rest.at; *word != nullptr; ++word) {
    arguments.push_back(*word);
  }
  arguments.push_back(nullptr);
  execv("/proc/self/exe", arguments.data());
  _exit(127);
}

// A child of this program that does the rest.
int spawn(const char* program, const Words& rest) {
  const pid_t child = fork();
  if (child == 0) {
    start_again(program, rest);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

// A child made by fork alone, which returns; its parent ends as the child does.
void branch() {
  const pid_t child = fork();
  if (child != 0) {
    int status = 0;
    waitpid(child, &status, 0);
    std::exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  }
}

void vfork_and_exit(int code) {
  const pid_t child = vfork();
  if (child == 0) {
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child %d\n", WEXITSTATUS(status));
  std::fflush(stdout);
}

void call_library(const char* path, const char* name, int argument) {
  if (void* library = dlopen(path, RTLD_NOW)) {
    // Code is looked through for calls of _exit each time the journal is written.
    usleep(1200000);
    reinterpret_cast<void (*)(int)>(dlsym(library, name))(argument);
  }
}

// Ways to end that run no exit handlers.
bool ending_act(const std::string& act, Words& words) {
  if (act == "_exit") {
    _exit(number(words.next()));
  } else if (act == "quick_exit") {
    std::quick_exit(number(words.next()));
  } else if (act == "abort") {
    std::abort();
  } else if (act == "kill") {
    kill(getpid(), number(words.next()));
    pause();
  } else if (act == "killed") {
    be_killed(number(words.next()));
  } else if (act == "raise") {
    raise(number(words.next()));
  } else if (act == "crash") {
    crash();
  } else if (act == "crashelsewhere") {
    std::thread(crash).join();
  } else if (act == "overflow") {
    return overflow(0) == 0;
  } else {
    return false;
  }
  return true;
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
  } else if (act == "branch") {
    branch();
  } else if (act == "vforkexit") {
    vfork_and_exit(number(words.next()));
  } else if (act == "library") {
    const char* path = words.next();
    const char* name = words.next();
    call_library(path, name, number(words.next()));
  } else if (act == "catch") {
    std::signal(number(words.next()), say_caught);
  } else if (act == "fill") {
    fill(words.next());
  } else if (act == "tryexec") {
    const char* file = words.next();
    char* const arguments[] = {const_cast<char*>(file), nullptr};
    if (std::strchr(file, '/') == nullptr) {
      execvp(file, arguments);
    }
    execv(file, arguments);
    execve(file, arguments, environ);
    execl(file, file, nullptr);
  } else if (act == "execl") {
    execl("/proc/self/exe", "injection_host", "init", "launch", "k", "2", nullptr);
  } else if (act == "cancelled") {
    pthread_t thread = {};
    const auto body = [](void* name) -> void* {
      pthread_cancel(pthread_self());
      launch(static_cast<const char*>(name), 1);
      pthread_testcancel();
      return nullptr;
    };
    pthread_create(&thread, nullptr, body, const_cast<char*>(words.next()));
    pthread_join(thread, nullptr);
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
    if (std::strcmp(act, "exec") == 0) {
      start_again(argv[0], words);
    }
    if (!launching_act(act, words) && !driver_act(act, words) && !nvtx_act(act, words) &&
        !process_act(act, words) && !ending_act(act, words)) {
      std::fprintf(stderr, "injection_host knows no act %s\n", act);
      return 64;
    }
  }
  return 0;
}
