# What cmake --install installs: library, headers, tools, man pages, completions, tessera.pc, a CMake package. Each file belongs to a
# component, which is a Debian package (TsrPackage.cmake): runtime, dev, tools, bench (tbench), doc; and python, in python/.
include(CMakePackageConfigHelpers)

install(FILES ${PROJECT_SOURCE_DIR}/include/tessera/tessera.h ${PROJECT_SOURCE_DIR}/include/tessera/tessera.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera COMPONENT dev)
# tsr_public(target name): the static library that users get, public/libNAME.a, is one object whose names are local, except those of the
# header: a program may have a function merge_rows of its own. What no public function uses is left out where the linker can do that
# in a part of a program (lld cannot).
execute_process(COMMAND ${CMAKE_LINKER} --help OUTPUT_VARIABLE tsr_linker_help ERROR_QUIET)
function(tsr_public target name)
  set(dir ${PROJECT_BINARY_DIR}/public)
  set(collect ${CMAKE_COMMAND} -E copy ${dir}/${name}-all.o ${dir}/${name}.o)
  if(tsr_linker_help MATCHES "gc-keep-exported")
    set(collect ${CMAKE_LINKER} -r --gc-sections --gc-keep-exported ${dir}/${name}-all.o -o ${dir}/${name}.o)
  endif()
  set(library ${dir}/${CMAKE_STATIC_LIBRARY_PREFIX}${name}${CMAKE_STATIC_LIBRARY_SUFFIX})
  add_custom_command(OUTPUT ${library}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${dir}
    COMMAND ${CMAKE_LINKER} -r --whole-archive $<TARGET_FILE:${target}> -o ${dir}/${name}-all.o
    COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=tessera_* ${dir}/${name}-all.o
    COMMAND ${collect}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${library} ${dir}/${name}-all.o
    COMMAND ${CMAKE_AR} rcs ${library} ${dir}/${name}.o
    DEPENDS ${target} VERBATIM)
  add_custom_target(${target}_public ALL DEPENDS ${library})
  install(FILES ${library} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
endfunction()

if(TARGET tessera_core)
  tsr_public(tessera_core tessera-core)
endif()
if(NOT BUILD_SHARED_LIBS AND TARGET tessera_core)
  tsr_public(tessera tessera)
else()
  install(TARGETS tessera ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev)
endif()
if(BUILD_SHARED_LIBS AND TSR_SHARED_INSIDE) # the tools of a development build need it
  install(TARGETS tessera_inside LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tessera COMPONENT tools)
endif()
get_property(tools GLOBAL PROPERTY TSR_TOOLS)
add_custom_target(installed DEPENDS tessera ${tools})
foreach(target tessera_mpi tessera_public tessera_core_public) # where they are built
  if(TARGET ${target})
    add_dependencies(installed ${target})
  endif()
endforeach()
foreach(tool ${tools}) # tbench is a package of its own
  if(tool STREQUAL tbench)
    set(tsr_component_${tool} bench)
  else()
    set(tsr_component_${tool} tools)
  endif()
  install(TARGETS ${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${tsr_component_${tool}})
endforeach()
include(TsrDocuments) # man pages and completions
add_dependencies(installed documents)

# The package is written by hand, because an exported target would carry the private compile flags of Tessera.
# The libraries that a program links besides a static libtessera. The libraries of OpenMP stand here by name if every compiler
# knows the name, else by path, so that a program in any language can be linked.
set(tsr_link_names "")
foreach(name ${OpenMP_C_LIB_NAMES})
  if(name MATCHES "^(gomp|pthread)$")
    list(APPEND tsr_link_names -l${name})
  else()
    list(APPEND tsr_link_names ${OpenMP_${name}_LIBRARY})
  endif()
endforeach()
list(APPEND tsr_link_names -lpthread -ldl -lm)
list(REMOVE_DUPLICATES tsr_link_names)
list(JOIN tsr_link_names " " tsr_core_libs) # of libtessera-core
string(REPLACE " " ";" tsr_core_link_names "${tsr_core_libs}")
if(TSR_WITH_ISAL)
  list(PREPEND tsr_link_names -lisal)
endif()
if(TSR_WITH_BZIP2)
  list(PREPEND tsr_link_names -lbz2)
endif()
if(TSR_WITH_LZMA)
  list(PREPEND tsr_link_names -llzma)
endif()
list(REMOVE_DUPLICATES tsr_link_names)
list(JOIN tsr_link_names " " tsr_pc_libs)
if(TSR_WITH_GZIP)
  list(APPEND TSR_PC_MODULES zlib libdeflate)
endif()
list(JOIN TSR_PC_MODULES " " tsr_pc_requires)
if(BUILD_SHARED_LIBS)
  set(tsr_library_file ${CMAKE_SHARED_LIBRARY_PREFIX}tessera${CMAKE_SHARED_LIBRARY_SUFFIX})
  # Only the shared library exists. pkg-config would want the files of Requires.private even for --cflags.
  set(tsr_pc_links "Libs: -L\${libdir} -ltessera")
else() # only the static library exists, so pkg-config --libs must be complete without --static
  set(tsr_library_file ${CMAKE_STATIC_LIBRARY_PREFIX}tessera${CMAKE_STATIC_LIBRARY_SUFFIX})
  set(tsr_pc_links "Requires: ${tsr_pc_requires}\nLibs: -L\${libdir} -ltessera ${tsr_pc_libs}")
endif()
set(tsr_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tessera-config.cmake.in
  ${PROJECT_BINARY_DIR}/tessera-config.cmake INSTALL_DESTINATION ${tsr_config_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tessera-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tessera-config.cmake ${PROJECT_BINARY_DIR}/tessera-config-version.cmake
        DESTINATION ${tsr_config_dir} COMPONENT dev)
file(RELATIVE_PATH tsr_pc_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /) # the prefix, seen from tessera.pc
configure_file(${PROJECT_SOURCE_DIR}/cmake/tessera.pc.in ${PROJECT_BINARY_DIR}/tessera.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tessera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
if(TARGET tessera_core)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tessera-core.pc.in ${PROJECT_BINARY_DIR}/tessera-core.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/tessera-core.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endif()
