# The libraries that Tessera uses, each with its Debian package.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS C)                            # libgomp (gcc) or libomp-16-dev (clang)
find_package(ZLIB REQUIRED)                                           # zlib1g-dev
# libhdf5-dev. On Debian "hdf5" is an alternative that points to the MPI build of HDF5 if that is installed too.
pkg_search_module(hdf5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)
pkg_check_modules(jansson REQUIRED IMPORTED_TARGET jansson)           # libjansson-dev
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)             # libzip-dev
pkg_check_modules(blosc REQUIRED IMPORTED_TARGET blosc)               # libblosc-dev
pkg_check_modules(libzstd REQUIRED IMPORTED_TARGET libzstd)           # libzstd-dev
pkg_check_modules(liblz4 REQUIRED IMPORTED_TARGET liblz4)             # liblz4-dev
# R's .rds files may be compressed by bzip2 or xz (optional).
add_library(tsr_bzip2 INTERFACE IMPORTED)
find_library(BZIP2_LIBRARY bz2)                                         # libbz2-dev
find_path(BZIP2_INCLUDE_DIR bzlib.h)
if(BZIP2_LIBRARY AND BZIP2_INCLUDE_DIR)
  target_link_libraries(tsr_bzip2 INTERFACE ${BZIP2_LIBRARY})
  target_compile_definitions(tsr_bzip2 INTERFACE TSR_HAVE_BZIP2)
endif()
add_library(tsr_lzma INTERFACE IMPORTED)
find_library(LZMA_LIBRARY lzma)                                         # liblzma-dev
find_path(LZMA_INCLUDE_DIR lzma.h)
if(LZMA_LIBRARY AND LZMA_INCLUDE_DIR)
  target_link_libraries(tsr_lzma INTERFACE ${LZMA_LIBRARY})
  target_compile_definitions(tsr_lzma INTERFACE TSR_HAVE_LZMA)
endif()
find_library(DEFLATE_LIBRARY deflate REQUIRED)                        # libdeflate-dev
find_path(DEFLATE_INCLUDE_DIR libdeflate.h REQUIRED)
add_library(tsr_deflate INTERFACE IMPORTED)
target_link_libraries(tsr_deflate INTERFACE ${DEFLATE_LIBRARY})
target_include_directories(tsr_deflate INTERFACE ${DEFLATE_INCLUDE_DIR})
add_library(tsr_isal INTERFACE IMPORTED)
if(TSR_ISAL)
  find_library(ISAL_LIBRARY isal)                                     # libisal-dev
  find_path(ISAL_INCLUDE_DIR isa-l/igzip_lib.h)
  if(ISAL_LIBRARY AND ISAL_INCLUDE_DIR)
    target_link_libraries(tsr_isal INTERFACE ${ISAL_LIBRARY})
    target_include_directories(tsr_isal INTERFACE ${ISAL_INCLUDE_DIR})
    target_compile_definitions(tsr_isal INTERFACE TSR_HAVE_ISAL)
  endif()
endif()
