# The libraries that Tessera uses, each with its Debian package.
if(TSR_WITH_CONTAINERS OR TSR_WITH_PNG)
  find_package(PkgConfig REQUIRED)
endif()
find_package(Threads REQUIRED)
if(TSR_WITH_OPENMP)
  find_package(OpenMP REQUIRED COMPONENTS C)                          # libgomp (gcc) or libomp-16-dev (clang)
else()
  add_library(OpenMP::OpenMP_C INTERFACE IMPORTED)
endif()
add_library(tsr_gzip INTERFACE)
if(TSR_WITH_GZIP)
  find_package(ZLIB REQUIRED)                                         # zlib1g-dev
  find_library(DEFLATE_LIBRARY deflate REQUIRED)                      # libdeflate-dev
  find_path(DEFLATE_INCLUDE_DIR libdeflate.h REQUIRED)
  target_link_libraries(tsr_gzip INTERFACE ZLIB::ZLIB ${DEFLATE_LIBRARY})
  target_include_directories(tsr_gzip INTERFACE ${DEFLATE_INCLUDE_DIR})
  if(TSR_ISAL)
    find_library(ISAL_LIBRARY isal)                                   # libisal-dev
    find_path(ISAL_INCLUDE_DIR isa-l/igzip_lib.h)
    if(ISAL_LIBRARY AND ISAL_INCLUDE_DIR)
      target_link_libraries(tsr_gzip INTERFACE ${ISAL_LIBRARY})
      target_include_directories(tsr_gzip INTERFACE ${ISAL_INCLUDE_DIR})
      target_compile_definitions(tsr_gzip INTERFACE TSR_HAVE_ISAL)
    endif()
  endif()
endif()
if(TSR_WITH_CONTAINERS)
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
endif()
