# Installs the library, its headers, a CMake package (find_package(rattleback CONFIG)) and a pkg-config file. Component
# `library` has the static library, `shared` the shared one; each with headers and package files, so that one suffices.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/rattleback)

install(TARGETS rattleback EXPORT rattleback_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(EXPORT rattleback_targets NAMESPACE rattleback:: DESTINATION ${package_folder} COMPONENT library)
set(components library)
if(RATTLEBACK_SHARED)
  install(TARGETS rattleback_shared EXPORT rattleback_shared_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT shared)
  install(EXPORT rattleback_shared_targets NAMESPACE rattleback:: DESTINATION ${package_folder} COMPONENT shared)
  list(APPEND components shared)
endif()

configure_package_config_file(cmake/rattleback-config.cmake.in rattleback-config.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a new minor version may break its users.
write_basic_package_version_file(rattleback-config-version.cmake COMPATIBILITY SameMinorVersion)

file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/rattleback.pc.in rattleback.pc @ONLY)
foreach(component IN LISTS components)
  install(DIRECTORY include/rattleback DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${component} FILES_MATCHING PATTERN "*.h")
  install(FILES ${PROJECT_BINARY_DIR}/rattleback-config.cmake ${PROJECT_BINARY_DIR}/rattleback-config-version.cmake
    DESTINATION ${package_folder} COMPONENT ${component})
  install(FILES ${PROJECT_BINARY_DIR}/rattleback.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endforeach()
