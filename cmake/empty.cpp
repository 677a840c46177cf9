// CMake wants a source file in the library that holds the precompiled header of the tests.
