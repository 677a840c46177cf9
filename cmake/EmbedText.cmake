# cmake -DINPUT=FILE -DOUTPUT=FILE.cpp -DNAME=a::b::name -P EmbedText.cmake
# Writes a C++ file with the text of INPUT as `extern const char name[]` in its namespace.
file(READ "${INPUT}" text)
string(REGEX REPLACE "^(.*)::([^:]*)$" "\\1" namespace "${NAME}")
string(REGEX REPLACE "^(.*)::([^:]*)$" "\\2" variable "${NAME}")
file(WRITE "${OUTPUT}" "namespace ${namespace} {
extern const char ${variable}[];
const char ${variable}[] = R\"TEXT(${text})TEXT\";
}  // namespace ${namespace}
")
