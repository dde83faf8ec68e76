"""run.py NAME: runs test_NAME.py with pytest. Exit code 77 and a sentence where it cannot run here."""
import importlib.util
import os
import sys


def missing() -> "str | None":
    """Why the tests cannot run."""
    if os.environ.get("TSR_KIND") == "STATIC_LIBRARY":
        return "this build has only the static library; Python loads the shared one (-DBUILD_SHARED_LIBS=ON)"
    if os.environ.get("TSR_SANITIZE"):
        return "Python does not load a library that is built with sanitizers"
    for module, package in (("pytest", "python3-pytest"), ("numpy", "python3-numpy")):
        if importlib.util.find_spec(module) is None:
            return "the package %s is not installed" % package
    return None


def main() -> int:
    reason = missing()
    if reason:
        print("skipped: " + reason)
        return 77
    import pytest

    if os.environ.get("TSR_PORTABLE"):  # the folder with the other library (test preset portable)
        os.environ["TESSERA_LIBRARY"] = os.path.join(os.environ["TSR_PORTABLE"], "libtessera.so")

    here = os.path.dirname(os.path.abspath(__file__))
    os.chdir(os.environ.get("TSR_TMP", "."))
    return pytest.main(
        ["-q", "-p", "no:cacheprovider", "-W", "error::pytest.PytestUnraisableExceptionWarning", "--rootdir", here,
         "--basetemp", os.path.join(os.getcwd(), "pytest"), os.path.join(here, "test_%s.py" % sys.argv[1]), *sys.argv[2:]]
    )  # fmt: skip


if __name__ == "__main__":  # a child process of "spawn" imports this file
    sys.exit(main())
