# The layers: which modules a module may include. The include path of a module holds its own folder and those of this list, so
# an include across the layers does not compile. CONTRIBUTING.md shows the list as a table.
set(TSR_MAY_INCLUDE_number "")
set(TSR_MAY_INCLUDE_base number)
set(TSR_MAY_INCLUDE_io base)
set(TSR_MAY_INCLUDE_map base)
set(TSR_MAY_INCLUDE_xla base map)
set(TSR_MAY_INCLUDE_tla base map)
set(TSR_MAY_INCLUDE_hlo base map xla) # HLO text contains shapes of XLA
set(TSR_MAY_INCLUDE_layout base map xla tla)
set(TSR_MAY_INCLUDE_rt "")
set(TSR_MAY_INCLUDE_ir base)
set(TSR_MAY_INCLUDE_passes base ir)
set(TSR_MAY_INCLUDE_notation base)
set(TSR_MAY_INCLUDE_rules base notation)
set(TSR_MAY_INCLUDE_jit base io)
set(TSR_MAY_INCLUDE_level base ir)
set(TSR_MAY_INCLUDE_tensor base map level)
set(TSR_MAY_INCLUDE_relayout base map level tensor)
set(TSR_MAY_INCLUDE_transform base map level tensor pack codec) # transformations sort, and append files
set(TSR_MAY_INCLUDE_pack base map level tensor relayout)
set(TSR_MAY_INCLUDE_advise base map notation level tensor pack)
set(TSR_MAY_INCLUDE_term base io)
set(TSR_MAY_INCLUDE_codec base io map level tensor pack) # a tensor is packed as the file needs
set(TSR_MAY_INCLUDE_stream base map level tensor pack codec)
set(TSR_MAY_INCLUDE_convert base map level tensor pack codec transform stream)
set(TSR_MAY_INCLUDE_ranks base map level tensor pack codec stream advise)
set(TSR_MAY_INCLUDE_mpi base stream) # headers only: the module is linked with nothing of Tessera
set(TSR_MAY_INCLUDE_emit base rt ir)
set(TSR_MAY_INCLUDE_plan base map passes notation rules level tensor)
set(TSR_MAY_INCLUDE_lower base map ir passes notation level tensor plan)
set(TSR_MAY_INCLUDE_kernel base io rt ir notation rules jit tensor pack emit plan lower)
set(TSR_MAY_INCLUDE_blocks base notation level tensor pack codec stream kernel)
set(TSR_MAY_INCLUDE_door base map xla tla layout notation level tensor transform pack codec stream convert kernel advise ranks blocks)
# Headers of these modules use types of others, so a module that includes them sees those headers too: of number, whose functions are
# needed wherever base is, of map and level, of io. The second header of level, tsr_level_walk.h, shows the IR: it compiles only where
# the module may include ir.
set(TSR_DOORS_base number)
set(TSR_DOORS_tensor map level)
set(TSR_DOORS_codec io)
set(TSR_DOORS_lower plan passes)
set(TSR_MAY_INCLUDE_storage base map level tensor)
set(TSR_MAY_INCLUDE_format_notation base map xla tla layout level tensor)
# The rooms of file formats.
set(TSR_MAY_INCLUDE_common base tensor codec)
set(TSR_MAY_INCLUDE_text base tensor codec common)
set(TSR_MAY_INCLUDE_container base tensor codec common)
set(TSR_MAY_INCLUDE_dialect base tensor codec common text container)
set(TSR_MAY_INCLUDE_foreign base tensor codec common text container)
set(TSR_FORMAT_ROOMS common text container dialect foreign)

# tsr_include_dirs(OUT module...): the folders of these modules and of the headers that their headers include.
function(tsr_include_dirs out)
  set(dirs "")
  foreach(m ${ARGN})
    foreach(d ${m} ${TSR_DOORS_${m}})
      if(d IN_LIST TSR_FORMAT_ROOMS)
        list(APPEND dirs ${PROJECT_SOURCE_DIR}/formats/${d})
      else()
        list(APPEND dirs ${PROJECT_SOURCE_DIR}/src/${d})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES dirs)
  set(${out} ${dirs} PARENT_SCOPE)
endfunction()

# tsr_no_stray(source... [FOLDERS folder...]): a .c file in this folder, or in these folders of it, that is not in the list is an error.
function(tsr_no_stray)
  cmake_parse_arguments(arg "" "" "FOLDERS" ${ARGN})
  list(TRANSFORM arg_FOLDERS APPEND /*.c)
  file(GLOB found RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.c ${arg_FOLDERS})
  foreach(path ${found})
    get_filename_component(f ${path} NAME)
    if(NOT f IN_LIST arg_UNPARSED_ARGUMENTS)
      message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/${path} is not in a source list: add it to the CMakeLists.txt of its folder")
    endif()
  endforeach()
endfunction()

# tsr_choose(OUT switch WITH a.c... [WITHOUT b.c...]): OUT are the files of a part of the build, or those that stand in for it where the
# switch is off; OUT_left_out are the others.
function(tsr_choose out switch)
  cmake_parse_arguments(arg "" "" "WITH;WITHOUT" ${ARGN})
  if(${switch})
    set(${out} ${arg_WITH} PARENT_SCOPE)
    set(${out}_left_out ${arg_WITHOUT} PARENT_SCOPE)
  else()
    set(${out} ${arg_WITHOUT} PARENT_SCOPE)
    set(${out}_left_out ${arg_WITH} PARENT_SCOPE)
  endif()
endfunction()

# tsr_objects(name module PARTS property... SOURCES a.c... [LIBS lib...]): an OBJECT library with the include path of the module, named in
# these lists of objects: TSR_OBJECTS, of libtessera; TSR_CORE_OBJECTS, of libtessera-core.
function(tsr_objects name module)
  cmake_parse_arguments(arg "" "" "PARTS;SOURCES;LIBS" ${ARGN})
  add_library(${name} OBJECT ${arg_SOURCES})
  tsr_include_dirs(dirs ${TSR_MAY_INCLUDE_${module}})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${dirs})
  target_link_libraries(${name} PRIVATE tsr_flags ${arg_LIBS})
  foreach(list ${arg_PARTS})
    set_property(GLOBAL APPEND PROPERTY ${list} ${name})
  endforeach()
endfunction()

# tsr_module(name [NOT_CORE] [SOURCES a.c...] [FILES c.c...] [CORE d.c...] [LEFT_OUT b.c...] [PRIVATE_LIBS lib...]): a part of libtessera.
#   SOURCES: also in libtessera-core, unless the whole module is NOT_CORE;
#   FILES: what works with files and processes: not in libtessera-core;
#   CORE: what stands in for it there;
#   LEFT_OUT: files of the folder that the switches TSR_WITH_... leave out.
function(tsr_module name)
  cmake_parse_arguments(arg "NOT_CORE" "" "SOURCES;FILES;CORE;LEFT_OUT;PRIVATE_LIBS" ${ARGN})
  tsr_no_stray(${arg_SOURCES} ${arg_FILES} ${arg_CORE} ${arg_LEFT_OUT})
  set(core TSR_CORE_OBJECTS)
  if(arg_NOT_CORE)
    set(core "")
  endif()
  if(arg_SOURCES)
    tsr_objects(tsr_${name} ${name} PARTS TSR_OBJECTS ${core} SOURCES ${arg_SOURCES} LIBS ${arg_PRIVATE_LIBS})
  endif()
  if(arg_FILES)
    tsr_objects(tsr_${name}_files ${name} PARTS TSR_OBJECTS SOURCES ${arg_FILES} LIBS ${arg_PRIVATE_LIBS})
  endif()
  if(arg_CORE)
    tsr_objects(tsr_${name}_core ${name} PARTS TSR_CORE_OBJECTS SOURCES ${arg_CORE} LIBS ${arg_PRIVATE_LIBS})
  endif()
  set_property(GLOBAL APPEND PROPERTY TSR_PRIVATE_LIBS ${arg_PRIVATE_LIBS})
endfunction()
