"""What the Python tests of the tools share: runs of a tool, checks that are counted, a folder for the files of a test, known answers from
outside the tree, and the exit status."""
import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time

nran = nbad = 0


def complain(text):
    """The test fails, and goes on."""
    global nbad
    nbad += 1
    print("BAD", text, flush=True)


def expect(what, fact, said=""):
    """The test fails unless the fact holds."""
    global nran
    nran += 1
    if not fact:
        complain("%s %s" % (what, said))


cases_step = max(1, int(os.environ.get("TSR_CASES_STEP", 1)))


def case_runs(k):
    """Whether case k of many that are alike runs: as tsr_case_runs (tests/support/tsr_test.h)."""
    return k % cases_step == int(time.time()) // 86400 % cases_step


def run(*command, **more):
    """(exit code, standard output, standard error without its last line end) of the command."""
    done = subprocess.run(command, capture_output=True, text=True, **more)
    return done.returncode, done.stdout, done.stderr.strip()


def content(path):
    with open(path, "rb") as f:
        return f.read()


def write_tns(path, dims, entries):
    """A .tns file with a header, of {cell: integer}."""
    with open(path, "w") as f:
        f.write("# extended FROSTT format\n%d %d\n%s\n" % (len(dims), len(entries), " ".join(map(str, dims))))
        for cell, value in sorted(entries.items()):
            f.write("%s %d\n" % (" ".join(str(c + 1) for c in cell), value))


def read_tns(path):
    """(dims, entries) of a .tns file with a header."""
    with open(path) as f:
        rows = [line.split() for line in f if not line.startswith("#")]
    dims = [int(d) for d in rows[1]]
    return dims, {tuple(int(c) - 1 for c in row[:-1]): int(float(row[-1])) for row in rows[2:]}


def own_folder():
    """A folder that is removed at the end, and is the current one."""
    path = tempfile.mkdtemp(dir=os.environ.get("TSR_TMP"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    os.chdir(path)
    return path


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def shared(*names):
    """The path of known answers from outside the tree. Where they are missing, the test is skipped."""
    path = os.path.join(os.environ.get("TSR_SHARED", ""), *names)
    if not os.environ.get("TSR_SHARED") or not os.path.exists(path):
        skip("no TSR_SHARED/" + "/".join(names))
    return path


def is_sanitized(tool):
    """Whether the tool is built with a sanitizer, whose memory counts, too."""
    program = content(shutil.which(tool))
    return b"__asan_init" in program or b"__ubsan_handle" in program


def end(least=0):
    """Exit: with 0 if nothing was bad and at least so many facts were expected (where all cases run)."""
    print("%d bad" % nbad + (" of %d" % nran if nran else ""))
    sys.exit(nbad > 0 or nran < least // cases_step)
