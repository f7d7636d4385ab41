# Installs the library, its headers, a CMake package (find_package(rattleback CONFIG)) and a pkg-config file.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/rattleback)

install(TARGETS rattleback EXPORT rattleback_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY include/rattleback DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library FILES_MATCHING PATTERN "*.h")
install(EXPORT rattleback_targets NAMESPACE rattleback:: DESTINATION ${package_folder} COMPONENT library)

configure_package_config_file(cmake/rattleback-config.cmake.in rattleback-config.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a new minor version may break its users.
write_basic_package_version_file(rattleback-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rattleback-config.cmake ${PROJECT_BINARY_DIR}/rattleback-config-version.cmake
  DESTINATION ${package_folder} COMPONENT library)

file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/rattleback.pc.in rattleback.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rattleback.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
