// A library that a program loads after CUDA, and that ends it.
#include <unistd.h>

extern "C" __attribute__((visibility("default"))) void end_the_program(int code) {
  _exit(code);
}
