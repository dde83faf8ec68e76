# Debian packages, one for each component: ./dev package, or `cpack -G DEB` in a build with CMAKE_INSTALL_PREFIX=/usr and
# BUILD_SHARED_LIBS=ON.
set(CPACK_PACKAGE_NAME tessera)
set(CPACK_PACKAGE_VENDOR "Tessera")
set(CPACK_PACKAGE_CONTACT "Tessera's developers <tessera@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
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
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON) # also runs ldconfig
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "Sparse tensors between file formats, storage formats and kernels: shared library")
# Kernels that are not built in are compiled by cc; without it they are interpreted.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "gcc")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libtessera-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_DESCRIPTION "Sparse tensors between file formats, storage formats and kernels: headers for C and C++")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME tessera-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "gcc")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "Sparse tensors between file formats, storage formats and kernels: tconv, tinfo, tkern, tlayout")

if(TSR_PYTHON) # python/CMakeLists.txt installs the component
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-tessera)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} (>= ${PROJECT_VERSION}), python3 (>= 3.9), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-scipy, python3-sparse")
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Sparse tensors between file formats, storage formats and kernels: Python module")
endif()
include(CPack)
