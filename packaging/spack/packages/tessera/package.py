# A recipe of Spack: see packaging/README.md.
from spack.package import *


class Tessera(CMakePackage):
    """Moves sparse tensors between files and storage formats, generates the kernels that compute on them,
    and measures which format serves which kernel."""

    version("0.2.0")  # from this folder: spack dev-build tessera@0.2.0

    license("MIT")

    variant("shared", default=True, description="Build libtessera as a shared library")
    variant("mpi", default=False, description="Build the module for runs under mpirun")
    variant("python", default=False, description="Install the Python package")
    variant("bench", default=True, description="Build tbench")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+bench")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hdf5@1.10:+hl")
    depends_on("zlib-api")
    depends_on("libdeflate")
    depends_on("isa-l")
    depends_on("jansson")
    depends_on("libzip")
    depends_on("c-blosc")
    depends_on("zstd")
    depends_on("lz4")
    depends_on("bzip2")
    depends_on("xz")
    depends_on("libpng")
    depends_on("curl", when="+bench")
    depends_on("mpi", when="+mpi")
    depends_on("python@3.9:", when="+python", type=("build", "run"))
    depends_on("py-numpy", when="+python", type=("build", "run"))
    depends_on("cmocka", type="test")

    conflicts("platform=windows", msg="Tessera needs POSIX")

    def cmake_args(self):
        define = self.define
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("TSR_BENCH", "bench"),
            self.define_from_variant("TSR_WITH_MPI", "mpi"),
            self.define_from_variant("TSR_WITH_PYTHON", "python"),
            define("TSR_COMPLETE", True),
            define("TSR_TESTS", self.run_tests),
            define("CMAKE_INSTALL_RPATH_USE_LINK_PATH", True),
        ]
