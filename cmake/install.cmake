# `cmake --install`: the library, its headers, the program, and what find_package and pkg-config need.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/driftless")

install(TARGETS driftless EXPORT driftlessTargets)
if(DRIFTLESS_PROGRAM)
  install(TARGETS driftless_program)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/driftless" "${PROJECT_BINARY_DIR}/generated/include/driftless"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# find_package(driftless)
install(EXPORT driftlessTargets NAMESPACE driftless:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/driftlessConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/generated/driftlessConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/driftlessConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)  # before 1.0 every minor version may break
install(FILES "${PROJECT_BINARY_DIR}/generated/driftlessConfig.cmake"
              "${PROJECT_BINARY_DIR}/generated/driftlessConfigVersion.cmake"
        DESTINATION "${package_dir}")

# pkg-config. {fmt} and tinyxml2 are private dependencies, but whoever links the static library must link them too. With a static
# library they are therefore a plain requirement: `pkg-config --libs driftless` then works without `--static`.
if(BUILD_SHARED_LIBS)
  set(pc_requires "eigen3 >= 3.4")
  set(pc_requires_private "fmt >= 9, tinyxml2 >= 9")
else()
  set(pc_requires "eigen3 >= 3.4, fmt >= 9, tinyxml2 >= 9")
  set(pc_requires_private "")
endif()
# The prefix is found from the place of the .pc file, so that the installed tree can be moved as a whole.
set(pc_dir "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH pc_to_prefix "${pc_dir}" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/driftless.pc.in" "${PROJECT_BINARY_DIR}/generated/driftless.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/generated/driftless.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
