# Toolchain of the preset `wasm`: the distribution's emscripten, programs for Node.
set(CMAKE_C_FLAGS_INIT "-fexceptions")
set(CMAKE_CXX_FLAGS_INIT "-fexceptions -msimd128")
# Files as Node sees them; memory as needed; main's answer becomes the exit status.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fexceptions -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1")
# The linker's JavaScript needs Debian's modules, also where Node comes from elsewhere.
set(CMAKE_CXX_LINKER_LAUNCHER env NODE_PATH=/usr/share/nodejs)
# Node's own fetch knows no plain paths, and this emscripten would prefer it to reading the file.
find_program(NODE_JS_EXECUTABLE NAMES nodejs node)
set(CMAKE_CROSSCOMPILING_EMULATOR "${NODE_JS_EXECUTABLE};--no-experimental-fetch")
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
