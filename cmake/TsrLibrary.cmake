# tessera::tessera, which users get: all modules in one library that shows only the functions of include/tessera.
get_property(objects GLOBAL PROPERTY TSR_OBJECTS)
get_property(libs GLOBAL PROPERTY TSR_PRIVATE_LIBS)
list(REMOVE_DUPLICATES libs)

# tsr_whole_library(name kind): a library of all modules.
function(tsr_whole_library name kind)
  add_library(${name} ${kind})
  foreach(o ${objects})
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${o}>)
  endforeach()
  target_link_libraries(${name} PRIVATE tsr_flags ${libs} m)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
endfunction()

tsr_whole_library(tessera "")
add_library(tessera::tessera ALIAS tessera)
target_include_directories(tessera INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
set_target_properties(tessera PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

# libtessera-core, for programs that embed Tessera: formats, packing, kernels and layouts without files and without processes. It is
# static, and made where users get it (TsrInstall.cmake).
if(NOT EMSCRIPTEN AND CMAKE_OBJCOPY AND CMAKE_LINKER AND CMAKE_AR)
  add_library(tessera_core STATIC)
  get_property(core_objects GLOBAL PROPERTY TSR_CORE_OBJECTS)
  foreach(o ${core_objects})
    target_sources(tessera_core PRIVATE $<TARGET_OBJECTS:${o}>)
  endforeach()
  target_link_libraries(tessera_core PRIVATE tsr_flags)
  set_target_properties(tessera_core PROPERTIES LINKER_LANGUAGE C)
endif()

# The tools, tbench and the tests use internal functions, which a shared libtessera hides.
if(NOT BUILD_SHARED_LIBS)
  set(tsr_inside tessera)
else()
  set(tsr_map ${PROJECT_SOURCE_DIR}/cmake/tessera.map)
  target_link_options(tessera PRIVATE LINKER:--version-script=${tsr_map})
  set_property(TARGET tessera APPEND PROPERTY LINK_DEPENDS ${tsr_map})
  set(tsr_inside tessera_inside)
  if(TSR_SHARED_INSIDE)
    tsr_whole_library(${tsr_inside} SHARED)
  else()
    tsr_whole_library(${tsr_inside} STATIC)
  endif()
endif()

set(tsr_all_dirs "")
foreach(m number base io rt map xla tla hlo layout ir passes notation rules jit level tensor relayout transform pack codec stream convert emit plan lower kernel advise ranks blocks door)
  list(APPEND tsr_all_dirs ${PROJECT_SOURCE_DIR}/src/${m})
endforeach()
list(APPEND tsr_all_dirs ${PROJECT_SOURCE_DIR}/formats/notation ${PROJECT_SOURCE_DIR}/include/tessera)
# For tools, bench and tests, which may include every folder.
add_library(tsr_everything INTERFACE)
target_include_directories(tsr_everything INTERFACE ${tsr_all_dirs})
target_link_libraries(tsr_everything INTERFACE ${tsr_inside} tsr_flags m)

# The target `portable`, of the preset dev: both libraries in BUILD/portable with the fallbacks for what POSIX lacks (TSR_PORTABLE), of which
# system.c alone knows: all other objects are those of dev. Programs of dev take them by LD_LIBRARY_PATH (test preset `portable`).
if(BUILD_SHARED_LIBS AND TSR_SHARED_INSIDE)
  add_library(tsr_system_portable OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/src/base/system.c)
  target_include_directories(tsr_system_portable PRIVATE $<TARGET_PROPERTY:tsr_base,INCLUDE_DIRECTORIES>)
  target_compile_definitions(tsr_system_portable PRIVATE TSR_PORTABLE)
  target_link_libraries(tsr_system_portable PRIVATE tsr_flags)
  list(TRANSFORM objects REPLACE "^.+$" "$<TARGET_OBJECTS:\\0>" OUTPUT_VARIABLE others)
  list(REMOVE_ITEM others $<TARGET_OBJECTS:tsr_base>)
  foreach(name tessera ${tsr_inside})
    add_library(${name}_portable SHARED EXCLUDE_FROM_ALL ${others} $<TARGET_OBJECTS:tsr_system_portable>
      $<FILTER:$<TARGET_OBJECTS:tsr_base>,EXCLUDE,/system\\.c\\.>)
    target_link_libraries(${name}_portable PRIVATE tsr_flags ${libs} m)
    set_target_properties(${name}_portable PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME ${name}
      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/portable)
    add_dependencies(${name}_portable tsr_base)
  endforeach()
  target_link_options(tessera_portable PRIVATE LINKER:--version-script=${tsr_map})
  set_target_properties(tessera_portable PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  add_custom_target(portable DEPENDS tessera_portable ${tsr_inside}_portable)
endif()
