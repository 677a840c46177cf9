// SIGXFSZ, which ends a program that writes beyond the user's limit on file sizes, unless it is
// ignored: then write() fails with EFBIG, an error that can be told and cleaned up after.
#pragma once

namespace ridgepoint {

// For the whole process, and for what it starts, unless that gives it back.
void ignore_file_size_signal();
// To what it was before. Safe between fork() and exec().
void give_back_file_size_signal();

}  // namespace ridgepoint
