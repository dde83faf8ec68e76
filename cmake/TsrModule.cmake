# The layers: which modules a module may include. This list is DESIGN.md's table; the include path of each module
# holds its own folder and these, so an include across the layers does not compile.
set(TSR_MAY_INCLUDE_base "")
set(TSR_MAY_INCLUDE_map base)
set(TSR_MAY_INCLUDE_xla base map)
set(TSR_MAY_INCLUDE_tla base map)
set(TSR_MAY_INCLUDE_hlo base map xla) # the shapes of HLO text are XLA's
set(TSR_MAY_INCLUDE_layout base map xla tla)
set(TSR_MAY_INCLUDE_rt "")
set(TSR_MAY_INCLUDE_ir base)
set(TSR_MAY_INCLUDE_notation base)
set(TSR_MAY_INCLUDE_jit base)
set(TSR_MAY_INCLUDE_level base ir)
set(TSR_MAY_INCLUDE_tensor base map level)
set(TSR_MAY_INCLUDE_pack base map level tensor)
set(TSR_MAY_INCLUDE_codec base tensor)
set(TSR_MAY_INCLUDE_emit base rt ir)
set(TSR_MAY_INCLUDE_lower base map ir notation level tensor)
set(TSR_MAY_INCLUDE_kernel base rt ir notation jit tensor emit lower)
# The door of tensor names map's and level's types, so whoever includes tensor sees those doors too. Levels' second door,
# tsr_level_walk.h, shows the IR: it compiles only where the module itself may include ir.
set(TSR_DOORS_tensor map level)
set(TSR_MAY_INCLUDE_storage base map level tensor)
set(TSR_MAY_INCLUDE_file base tensor codec)

# tsr_include_dirs(OUT module...): the folders of these modules and of the doors that theirs need.
function(tsr_include_dirs out)
  set(dirs "")
  foreach(m ${ARGN})
    foreach(d ${m} ${TSR_DOORS_${m}})
      list(APPEND dirs ${PROJECT_SOURCE_DIR}/src/${d})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES dirs)
  set(${out} ${dirs} PARENT_SCOPE)
endfunction()

# tsr_no_stray(source...): a .c file in this folder that no list names is an error.
function(tsr_no_stray)
  file(GLOB found RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.c)
  foreach(f ${found})
    if(NOT f IN_LIST ARGN)
      message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/${f} is in no source list")
    endif()
  endforeach()
endfunction()

# tsr_module(name SOURCES a.c... [PRIVATE_LIBS lib...]): one OBJECT library, tsr_<name>, which becomes part of libtessera.
function(tsr_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;PRIVATE_LIBS" ${ARGN})
  tsr_no_stray(${arg_SOURCES})
  add_library(tsr_${name} OBJECT ${arg_SOURCES})
  tsr_include_dirs(dirs ${TSR_MAY_INCLUDE_${name}})
  target_include_directories(tsr_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${dirs})
  target_link_libraries(tsr_${name} PRIVATE tsr_flags ${arg_PRIVATE_LIBS})
  set_property(GLOBAL APPEND PROPERTY TSR_OBJECTS tsr_${name})
  set_property(GLOBAL APPEND PROPERTY TSR_PRIVATE_LIBS ${arg_PRIVATE_LIBS})
endfunction()
