# Debian packages, one for each component: ./dev package, or `cpack -G DEB` in a build with CMAKE_INSTALL_PREFIX=/usr and
# BUILD_SHARED_LIBS=ON. cpack runs TsrPackageFiles.cmake, which compresses man pages and
# writes change logs.
set(TSR_PACKAGE_CONTACT "Tessera's developers <developers@tessera.invalid>" CACHE STRING
    "NAME <ADDRESS> of the maintainer that the Debian packages name; the domain invalid has no mail")
set(CPACK_PACKAGE_NAME tessera)
set(CPACK_PACKAGE_VENDOR "Tessera")
set(CPACK_PACKAGE_CONTACT "${TSR_PACKAGE_CONTACT}")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/TsrPackageFiles.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/TsrPackageFiles.cmake)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_COMPONENTS_ALL runtime dev tools)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libtessera${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "Sparse tensors: shared library")
# Kernels that are not built in are compiled by cc, which needs the headers of the C library; without it they are interpreted.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "gcc, libc6-dev")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libtessera-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_DESCRIPTION "Sparse tensors: headers for C and C++, static core without files")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME tessera-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "gcc, libc6-dev")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "Sparse tensors: tconv, tinfo, tkern, tlayout")

if(TSR_BENCH)
  list(APPEND CPACK_COMPONENTS_ALL bench)
  set(CPACK_DEBIAN_BENCH_PACKAGE_NAME tessera-bench)
  set(CPACK_DEBIAN_BENCH_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_BENCH_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_BENCH_PACKAGE_RECOMMENDS "gcc, libc6-dev, tessera-tools")
  set(CPACK_DEBIAN_BENCH_PACKAGE_SUGGESTS "gnuplot-nox")
  set(CPACK_DEBIAN_BENCH_DESCRIPTION "Sparse tensors: tbench measures storage formats, makes and downloads tensors")
endif()
if(TARGET tessera_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME tessera-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "tessera-tools (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_MPI_DESCRIPTION "Sparse tensors: module of the tools for runs of several ranks under mpirun")
endif()
if(TARGET reference AND TSR_REFERENCE)
  list(APPEND CPACK_COMPONENTS_ALL doc)
  set(CPACK_DEBIAN_DOC_PACKAGE_NAME libtessera-doc)
  set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
  set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_DOC_DESCRIPTION "Sparse tensors: man pages and HTML of each public function of libtessera")
endif()

if(TSR_PYTHON) # python/CMakeLists.txt installs the component
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-tessera)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} (>= ${PROJECT_VERSION}), python3 (>= 3.9), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-scipy, python3-sparse")
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Sparse tensors: Python module")
endif()

# Each package has the licence; libtessera-dev also has the pages and the change log.
foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} upper)
  string(APPEND CPACK_DEBIAN_${upper}_DESCRIPTION
         "\nTessera converts sparse tensors between file formats and storage formats,"
         "\ngenerates the kernels that compute on them, and measures which format"
         "\nserves which kernel. It is a library for C, C++ and Python, and a set of"
         "\ncommand-line tools: tconv, tinfo, tkern, tlayout and tbench.")
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}
          RENAME copyright COMPONENT ${component})
endforeach()
file(GLOB tsr_pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/docs/*.md)
list(APPEND tsr_pages CHANGELOG.md CONTRIBUTING.md README.md)
set(tsr_installed_pages)
foreach(page ${tsr_pages})
  set(made ${PROJECT_BINARY_DIR}/pages/${page})
  cmake_path(GET page PARENT_PATH folder)
  add_custom_command(OUTPUT ${made}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/pages/docs
    COMMAND sed -E -f ${PROJECT_SOURCE_DIR}/cmake/installed_pages.sed ${PROJECT_SOURCE_DIR}/${page} > ${made}
    DEPENDS ${PROJECT_SOURCE_DIR}/${page} ${PROJECT_SOURCE_DIR}/cmake/installed_pages.sed VERBATIM)
  list(APPEND tsr_installed_pages ${made})
  install(FILES ${made} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_DEV_PACKAGE_NAME}/${folder} COMPONENT dev)
endforeach()
add_custom_target(installed_pages ALL DEPENDS ${tsr_installed_pages})
add_dependencies(installed installed_pages)
include(CPack)
