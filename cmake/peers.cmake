# Finds peer engines for the laboratory. Of MuJoCo only the headers are needed here: its library is opened at run time, so
# the program starts without it; tools/peers installs it below build/peers. Bullet and ODE come with the distribution and
# are linked. None is ever linked by the library itself.
set(RATTLEBACK_MUJOCO "" CACHE PATH "Folder of MuJoCo 4.0 with include/ and libmujoco.so.4.0.0; empty: build/peers/mujoco")

# The glob makes the build configure again when tools/peers has installed something since.
file(GLOB installed_mujoco CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/build/peers/mujoco/installed
  ${PROJECT_SOURCE_DIR}/build/peers/mujoco/lib/python3*/site-packages/mujoco/libmujoco.so.4.0.0)
list(FILTER installed_mujoco INCLUDE REGEX "/libmujoco")
if(RATTLEBACK_MUJOCO)
  file(GLOB installed_mujoco ${RATTLEBACK_MUJOCO}/libmujoco.so.4.0.0 ${RATTLEBACK_MUJOCO}/lib/libmujoco.so.4.0.0)
endif()

set(mujoco_library "")
if(installed_mujoco)
  list(GET installed_mujoco 0 library)
  get_filename_component(folder ${library} DIRECTORY)
  find_path(mujoco_headers mujoco/mujoco.h PATHS ${folder}/include ${folder}/../include NO_DEFAULT_PATH NO_CACHE)
  if(mujoco_headers)
    set(mujoco_library ${library})
  endif()
endif()

# Bullet in double precision and ODE (which is), from the distribution. The glob makes the build configure again when they
# are installed after the first configuration, as ./run does.
file(GLOB peer_packages CONFIGURE_DEPENDS /usr/lib/*/pkgconfig/bullet-float64.pc /usr/lib/*/pkgconfig/ode.pc)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(bullet QUIET bullet-float64)
  pkg_check_modules(bullet_single QUIET bullet)
  pkg_check_modules(ode QUIET ode)
endif()

# add_peers(TARGET): gives the target the headers of the peers that were found, and leaves out the adapters of the others.
function(add_peers target)
  # MuJoCo's npm build: whether it is installed is asked at run time.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/lab/peers/mujoco_node/node_oracle.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_DEFINITIONS
    "RATTLEBACK_NODE_ORACLE=\"${PROJECT_SOURCE_DIR}/lab/peers/mujoco_node/oracle.mjs\";RATTLEBACK_MUJOCO_NODE=\"${PROJECT_SOURCE_DIR}/build/peers/mujoco_node\"")
  # Pinocchio, in Python: likewise.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/lab/peers/pinocchio/pinocchio.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_DEFINITIONS
    "RATTLEBACK_PINOCCHIO_ORACLE=\"${PROJECT_SOURCE_DIR}/lab/peers/pinocchio/oracle.py\";RATTLEBACK_PINOCCHIO=\"${PROJECT_SOURCE_DIR}/build/peers/pinocchio\"")
  get_target_property(sources ${target} SOURCES)
  if(mujoco_library)
    list(FILTER sources EXCLUDE REGEX "/peers/mujoco/absent\\.cpp$")
    target_include_directories(${target} SYSTEM PRIVATE ${mujoco_headers})
    set_source_files_properties(${PROJECT_SOURCE_DIR}/lab/peers/mujoco/api.cpp PROPERTIES
      COMPILE_DEFINITIONS "RATTLEBACK_MUJOCO_LIBRARY=\"${mujoco_library}\"" SKIP_UNITY_BUILD_INCLUSION ON)
    target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
  else()
    list(FILTER sources EXCLUDE REGEX "/peers/mujoco/(api|oracle|oracle_constraints|peer|probe)\\.cpp$")
  endif()
  if(bullet_FOUND)
    list(FILTER sources EXCLUDE REGEX "/peers/bullet/absent\\.cpp$")
    # Its headers compare and convert in ways our warnings forbid.
    target_include_directories(${target} SYSTEM PRIVATE ${bullet_INCLUDE_DIRS})
    target_compile_options(${target} PRIVATE ${bullet_CFLAGS_OTHER})
    target_link_libraries(${target} PRIVATE ${bullet_LIBRARIES})
  else()
    list(FILTER sources EXCLUDE REGEX "/peers/bullet/(dynamics|joints|probe|shapes|surface_probe|surfaces|world)\\.cpp$")
  endif()
  if(ode_FOUND)
    list(FILTER sources EXCLUDE REGEX "/peers/ode/absent\\.cpp$")
    target_include_directories(${target} SYSTEM PRIVATE ${ode_INCLUDE_DIRS})
    target_compile_options(${target} PRIVATE ${ode_CFLAGS_OTHER})
    target_link_libraries(${target} PRIVATE ${ode_LIBRARIES})
  else()
    list(FILTER sources EXCLUDE REGEX "/peers/ode/(joints|peer|shapes)\\.cpp$")
  endif()
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
endfunction()

# add_single_bullet(): Bullet in single precision, the distribution's other build. Its names are those of the double one, so
# it is a module that the benches open at run time; sanitizers do not allow how.
function(add_single_bullet)
  if(NOT bullet_FOUND OR NOT bullet_single_FOUND OR RATTLEBACK_SANITIZE)
    return()
  endif()
  set(lab ${PROJECT_SOURCE_DIR}/lab)
  add_library(rattleback_bullet_single MODULE ${lab}/peers/bullet/dynamics.cpp ${lab}/peers/bullet/joints.cpp
    ${lab}/peers/bullet/shapes.cpp ${lab}/peers/bullet/surfaces.cpp ${lab}/peers/body_peers.cpp ${lab}/peers/ode/absent.cpp
    ${lab}/scenes/parts.cpp ${lab}/measure/measure.cpp ${lab}/measure/programs.cpp)
  target_include_directories(rattleback_bullet_single PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(rattleback_bullet_single SYSTEM PRIVATE ${bullet_single_INCLUDE_DIRS})
  target_link_libraries(rattleback_bullet_single PRIVATE rattleback fmt::fmt ${bullet_single_LIBRARIES} ${CMAKE_DL_LIBS}
    rattleback_flags)
  target_link_options(rattleback_bullet_single PRIVATE -Wl,--no-undefined)
  # The adapter is written for double.
  target_compile_options(rattleback_bullet_single PRIVATE -Wno-narrowing -w)
  set_target_properties(rattleback_bullet_single PROPERTIES UNITY_BUILD OFF CXX_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  add_dependencies(rattleback_lab rattleback_bullet_single)
endfunction()
