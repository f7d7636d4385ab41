# Compiler flags of every target, each with its reason. Not exported to users of the library.
add_library(rattleback_flags INTERFACE)

# Off in the sanitizer presets: behind their checks g++ 12 takes what an optional holds for uninitialised. The release build,
# of the same sources, has the errors.
option(RATTLEBACK_WERROR "Warnings are errors" ${PROJECT_IS_TOP_LEVEL})
set(RATTLEBACK_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined")
set(RATTLEBACK_ARCH "x86-64-v3" CACHE STRING "Instruction set of release builds; empty: the compiler's default")

target_compile_options(rattleback_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wdouble-promotion -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<CXX_COMPILER_ID:GNU>:-Wconversion>  # clang's also means signs of indices
  -Wno-missing-field-initializers  # designated initialisers name what they set; every member has a default
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # g++ 12 sees overlaps inside std::string's operator+ that are not there
  -Wno-psabi  # packs of four doubles are passed between our own functions only, all built with one set of flags
  # In a batch of sources another file's constants look like globals; compiled alone (RATTLEBACK_UNITY=0) all shadows count.
  $<IF:$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${RATTLEBACK_UNITY}>>,-Wshadow=local,-Wshadow>
  # In a batch of sources a private struct with a member from an anonymous namespace looks as if it stood in a header.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
  $<$<BOOL:${RATTLEBACK_WERROR}>:-Werror>
  # No fused multiply-add unless written: contraction depends on the compiler's mood and would change bits between
  # builds, and between one world and a pack of worlds.
  -ffp-contract=off
  # The step never reads errno or the floating-point exception flags; without these the compiler cannot use the
  # square-root instruction or vectorise selections. Neither changes a value. (-ffast-math would, and is never used.)
  -fno-math-errno -fno-trapping-math)

if(RATTLEBACK_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # -mno-fma: g++ 12's vectoriser forms vfmaddsub from a*b -+ c*d even with -ffp-contract=off (quaternion products of a
  # single world then differ from those of a pack). Without the instructions it cannot. See docs/decisions/002.
  target_compile_options(rattleback_flags INTERFACE -march=${RATTLEBACK_ARCH} -mno-fma)
endif()
if(RATTLEBACK_SANITIZE)
  target_compile_options(rattleback_flags INTERFACE -fsanitize=${RATTLEBACK_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(rattleback_flags INTERFACE -fsanitize=${RATTLEBACK_SANITIZE})
  if(RATTLEBACK_SANITIZE MATCHES "undefined")
    # Null pointers and overruns of objects are the address sanitizer's; without these checks a sixth less to compile.
    target_compile_options(rattleback_flags INTERFACE -fno-sanitize-recover=all -fno-sanitize=null,object-size,vptr)
  endif()
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths below the sources count as relative ones, so that a second clone or worktree finds what the first compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()
