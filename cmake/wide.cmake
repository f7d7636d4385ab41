# Packs of 512 bits, for processors that have them: files compiled with instructions that the rest of the library must
# not need, and reached only through has_wide_lanes(). docs/decisions/038 has the reasons.
option(RATTLEBACK_WIDE "Packs of 512 bits where the processor has x86-64-v4" ON)

if(NOT RATTLEBACK_WIDE OR NOT RATTLEBACK_ARCH OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64"
    OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR RATTLEBACK_SANITIZE OR RATTLEBACK_TRACE)
  return()
endif()

set(RATTLEBACK_WIDE_SOURCES src/solvers/comfree/wide_sweeps.cpp src/solvers/smooth/wide_smooth.cpp)
set_source_files_properties(src/base/cpu_check.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
  COMPILE_DEFINITIONS RATTLEBACK_WIDE)
set_source_files_properties(${RATTLEBACK_WIDE_SOURCES} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
  COMPILE_DEFINITIONS RATTLEBACK_WIDE
  # -fno-weak: inline functions and templates become local to the file. Shared ones would be merged by the linker, and the
  # rest of the library might then run the copies that this file has compiled with AVX-512.
  # -fno-tree-vectorize: AVX-512 brings fused products, from which the vectoriser would make vfmaddsub (decision 002);
  # lanes are packs already. tests/install/wide_objects.py looks at what came out.
  # -w: g++ notes that constants of headers stand in several files; all warnings are those of the other instances.
  COMPILE_OPTIONS "-march=x86-64-v4;-fno-weak;-fno-tree-vectorize;-w")
