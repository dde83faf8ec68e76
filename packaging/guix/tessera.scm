;; A package of Guix: see packaging/README.md.
(use-modules (guix packages)
             (guix gexp)
             (guix build-system cmake)
             ((guix licenses) #:prefix license:)
             (gnu packages compression)
             (gnu packages curl)
             (gnu packages image)
             (gnu packages maths)
             (gnu packages ninja)
             (gnu packages pkg-config)
             (gnu packages web))

(package
  (name "tessera")
  (version "0.2.0")
  (source (local-file "../.." "tessera-checkout" #:recursive? #t))
  (build-system cmake-build-system)
  (arguments
   (list #:tests? #f
         #:configure-flags
         #~(list "-DBUILD_SHARED_LIBS=ON" "-DTSR_COMPLETE=ON" "-DTSR_TESTS=OFF" "-DTSR_WITH_MPI=OFF" "-DTSR_WITH_PYTHON=OFF")))
  (native-inputs (list ninja pkg-config))
  (inputs (list hdf5 zlib libdeflate isa-l jansson libzip c-blosc `(,zstd "lib") lz4 bzip2 xz libpng curl))
  (home-page #f)
  (synopsis "Sparse tensors between file formats and storage formats")
  (description
   "Tessera moves sparse tensors between files and storage formats, generates the kernels that compute on
them, and measures which format serves which kernel.")
  (license license:expat))
