# Libraries that the sources use: Debian's packages, or, for another compiler's standard library and for other processors,
# the same releases compiled here from Debian's source archive.
set(RATTLEBACK_DEPENDENCIES system CACHE STRING
  "system: the installed libraries; source: compile them for this target (then only the golden tests are built)")

if(RATTLEBACK_DEPENDENCIES STREQUAL "system")
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(qhull REQUIRED IMPORTED_TARGET qhull_r)
  pkg_check_modules(pugixml REQUIRED IMPORTED_TARGET pugixml)
  pkg_check_modules(png REQUIRED IMPORTED_TARGET libpng)
  find_package(nlohmann_json REQUIRED)
  return()
endif()

include(FetchContent)
enable_language(C)
set(pool http://deb.debian.org/debian/pool/main)

# fetch(NAME URL SHA256): sets NAME_SOURCE_DIR.
function(fetch name url hash)
  FetchContent_Declare(${name} URL ${url} URL_HASH SHA256=${hash} DOWNLOAD_EXTRACT_TIMESTAMP OFF)
  FetchContent_GetProperties(${name})
  if(NOT ${name}_POPULATED)
    FetchContent_Populate(${name})
  endif()
  set(${name}_SOURCE_DIR ${${name}_SOURCE_DIR} PARENT_SCOPE)
endfunction()

# add_dependency(TARGET ALIAS INCLUDE SOURCES...): without warnings, and without fused operations as everything else.
function(add_dependency target alias include)
  add_library(${target} STATIC EXCLUDE_FROM_ALL ${ARGN})
  target_include_directories(${target} SYSTEM PUBLIC ${include})
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_compile_options(${target} PRIVATE -w -O2 -ffp-contract=off)
  add_library(${alias} ALIAS ${target})
endfunction()

fetch(qhull ${pool}/q/qhull/qhull_2020.2.orig.tar.gz b5c2d7eb833278881b952c8a52d20179eab87766b00b865000469a45c1838b7e)
file(GLOB qhull_files ${qhull_SOURCE_DIR}/src/libqhull_r/*.c)
add_dependency(qhull_r PkgConfig::qhull ${qhull_SOURCE_DIR}/src ${qhull_files})

fetch(pugixml ${pool}/p/pugixml/pugixml_1.13.orig.tar.gz 5c5ad5d7caeb791420408042a7d88c2c6180781bf218feca259fd9d840a888e1)
add_dependency(pugixml PkgConfig::pugixml ${pugixml_SOURCE_DIR}/src ${pugixml_SOURCE_DIR}/src/pugixml.cpp)

fetch(zlib ${pool}/z/zlib/zlib_1.2.13.dfsg.orig.tar.bz2 71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1)
file(GLOB zlib_files ${zlib_SOURCE_DIR}/*.c)
add_dependency(zlib ZLIB::ZLIB ${zlib_SOURCE_DIR} ${zlib_files})
target_compile_definitions(zlib PRIVATE HAVE_UNISTD_H)

fetch(libpng ${pool}/libp/libpng1.6/libpng1.6_1.6.39.orig.tar.gz a00e9d2f2f664186e4202db9299397f851aea71b36a35e74910b8820e380d441)
configure_file(${libpng_SOURCE_DIR}/scripts/pnglibconf.h.prebuilt ${PROJECT_BINARY_DIR}/png/pnglibconf.h COPYONLY)
file(GLOB png_files ${libpng_SOURCE_DIR}/png*.c)
list(FILTER png_files EXCLUDE REGEX pngtest)
add_dependency(png PkgConfig::png ${libpng_SOURCE_DIR} ${png_files})
target_include_directories(png SYSTEM PUBLIC ${PROJECT_BINARY_DIR}/png)
target_compile_definitions(png PRIVATE PNG_ARM_NEON_OPT=0)
target_link_libraries(png PUBLIC zlib)

# Headers only: a folder that holds them alone, for /usr/include is this machine's and not the target's.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/headers)
file(CREATE_LINK /usr/include/nlohmann ${PROJECT_BINARY_DIR}/headers/nlohmann SYMBOLIC)
add_library(json INTERFACE)
target_include_directories(json SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/headers)
add_library(nlohmann_json::nlohmann_json ALIAS json)

# Debian's package of GoogleTest is its source.
set(googletest /usr/src/googletest/googletest)
add_dependency(gtest GTest::gtest ${googletest}/include ${googletest}/src/gtest-all.cc)
target_include_directories(gtest PRIVATE ${googletest})
add_dependency(gtest_main GTest::gtest_main ${googletest}/include ${googletest}/src/gtest_main.cc)
target_link_libraries(gtest_main PUBLIC gtest)
