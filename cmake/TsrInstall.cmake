# What cmake --install gives: library, doors, tools, man pages, completion, tessera.pc, a CMake package.
include(CMakePackageConfigHelpers)

file(GLOB doors ${PROJECT_SOURCE_DIR}/src/*/tsr_*.h ${PROJECT_SOURCE_DIR}/src/base/*.def
     ${PROJECT_SOURCE_DIR}/src/ir/*.def)
install(FILES ${doors} ${PROJECT_SOURCE_DIR}/src/tessera.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera)
install(TARGETS tessera ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
get_property(tools GLOBAL PROPERTY TSR_TOOLS)
install(TARGETS ${tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
        FILES_MATCHING PATTERN "*.1")
foreach(tool ${tools}) # bash loads a command's completion by the command's name
  install(FILES ${PROJECT_SOURCE_DIR}/completions/tessera.bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${tool})
endforeach()

# The package is written by hand: an exported target would drag our private compile flags along.
set(tsr_library_file ${CMAKE_STATIC_LIBRARY_PREFIX}tessera${CMAKE_STATIC_LIBRARY_SUFFIX})
set(tsr_pc_private "Requires.private: hdf5 jansson zlib libdeflate\nLibs.private: -lisal -fopenmp -lpthread -ldl -lm")
if(NOT TARGET tsr_isal OR NOT ISAL_LIBRARY)
  string(REPLACE " -lisal" "" tsr_pc_private "${tsr_pc_private}")
endif()
if(BUILD_SHARED_LIBS)
  set(tsr_library_file ${CMAKE_SHARED_LIBRARY_PREFIX}tessera${CMAKE_SHARED_LIBRARY_SUFFIX})
endif()
set(tsr_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tessera-config.cmake.in
  ${PROJECT_BINARY_DIR}/tessera-config.cmake INSTALL_DESTINATION ${tsr_config_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tessera-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tessera-config.cmake ${PROJECT_BINARY_DIR}/tessera-config-version.cmake
        DESTINATION ${tsr_config_dir})
file(RELATIVE_PATH tsr_pc_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /) # the prefix, seen from tessera.pc
configure_file(${PROJECT_SOURCE_DIR}/cmake/tessera.pc.in ${PROJECT_BINARY_DIR}/tessera.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tessera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
