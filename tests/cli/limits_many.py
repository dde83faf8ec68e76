"""Combinations of tools, formats and memory limits: each run gives the result, or an error with exit status 1 or 3. No run is
killed, ends by a signal, prints a message of another library, leaves a file, or (in a faked control group) uses much more
memory than the group allows.

Without an argument: some combinations; with "all": all 360 of them.
"""

import itertools
import os
import resource
import subprocess
import sys

from checks import end, expect, is_sanitized, own_folder, skip

MB = 1000 * 1000
FORMATS = ["coo", "csr", "csc", "dcsr", "dd", "csb(64)", "bcsr(4,4)", "bdia(16)", "hicoo(128)", "ds:1,0"]
GROUPS = [4, 12, 30, 60, 100, 150, 220, 300, 400, 600]  # MB of a faked control group
SPACES = [150, 200, 240, 280, 330, 400, 500, 700, 1000, 1600]  # MB of address space
FOREIGN = ["libgomp", "OMP:", "terminate called", "Aborted", "Killed", "cannot allocate memory", "HDF5-DIAG", "malloc", "corrupted"]
SLACK_NBYTES = 40 * MB  # the program and its libraries, which no estimate counts


def make_input(path):
    """A matrix of 8000 x 9000 with 150,000 entries: dense it takes 576 MB."""
    state, lines = 12345, []
    for _ in range(150000):
        state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        lines.append("%d %d %d.5\n" % (1 + (state >> 33) % 8000, 1 + (state >> 20) % 9000, 1 + (state >> 50) % 9))
    with open(path, "w") as f:
        f.write("%%MatrixMarket matrix coordinate real general\n8000 9000 150000\n")
        f.writelines(lines)


def commands(form):
    """What is run for a format: conversion, conversion and verification, a kernel. The kernel is interpreted, so it has few
    columns: 40 took 120 s for dense A (72 million cells), for 3 MB of 576 more."""
    ncolumns = 1 if form == "dd" else 4
    return [
        ["tconv", "in.mtx", "-f", form, "-o", "out.h5", "-q", "-j3"],
        ["tconv", "in.mtx", "-f", form, "-o", "out.h5", "-q", "-j2", "--verify"],
        ["tkern", "Y(i,r) = A(i,j)*X(j,r)", "-f", "A:" + form, "-i", "A:in.mtx", "-d", "r:%d" % ncolumns, "-q", "-j2", "-o", "Y:out.h5"],
    ]


def kernels():
    """Compiled kernels that take memory themselves: private copies, a workspace for each thread, a sparse result."""
    vector = ["tkern", "y(j) = A(i,j)*x(i)", "-f", "A:csr", "-i", "A:wide.mtx", "-q", "-j6", "--schedule=private(y)", "-o", "y:out.h5"]
    product = ["tkern", "C(i,k) = A(i,j)*B(j,k)", "-f", "A:csr", "-f", "C:csr", "-i", "A:tall.mtx", "-q", "-o", "C:out.h5"]
    return [vector, product + ["-f", "B:csr", "-i", "B:wide.mtx", "-j4"], product + ["-f", "B:csc", "-i", "B:flat.mtx", "-j2"]]


def make_matrix(path, nrows, ncols, step):
    places = range(0, max(nrows, ncols), step)
    with open(path, "w") as f:
        f.write("%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n" % (nrows, ncols, len(places)))
        f.writelines("%d %d 1.5\n" % (k % nrows + 1, k % ncols + 1) for k in places)


def run(command, folder, group=None, space=None, compiler="/bin/false"):
    env = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))
    if compiler:
        env["TSR_CC"] = compiler
    env.pop("TSR_MEMORY_ROOT", None)
    if group:
        with open(os.path.join(folder, "root/sys/fs/cgroup/memory.max"), "w") as f:
            f.write("%d\n" % (group * MB))
        env["TSR_MEMORY_ROOT"] = os.path.join(folder, "root")

    def limit():
        if space:
            resource.setrlimit(resource.RLIMIT_AS, (space * MB, space * MB))

    child = subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit)
    said = child.stdout.read().decode(errors="replace")
    _, how, used = os.wait4(child.pid, 0)
    child.returncode = 0  # os.wait4 has waited for it
    return os.waitstatus_to_exitcode(how), said, used.ru_maxrss * 1024


def judge(code, said, held, group):
    """Why a run is wrong, or None."""
    if code not in (0, 1, 3):
        return "exit status %d" % code
    for word in FOREIGN:
        if word in said:
            return "says %r" % word
    if code != 0 and not any(word in said for word in (" needs ", " need ", "memory")):
        return "does not say why"
    if code != 0 and not said.startswith(("tconv: ", "tkern: ")):
        return "does not say who"
    if group and held > group * MB + SLACK_NBYTES:
        return "held %.0f MB" % (held / MB)
    return None


def main():
    if is_sanitized("tconv"):
        skip("the sanitizer's memory counts, too")
    folder = own_folder()
    os.makedirs(os.path.join(folder, "root/proc/self"))
    os.makedirs(os.path.join(folder, "root/sys/fs/cgroup"))
    with open(os.path.join(folder, "root/proc/self/cgroup"), "w") as f:
        f.write("0::/\n")
    make_input(os.path.join(folder, "in.mtx"))
    cases = [(command, g, None) for form, g in itertools.product(FORMATS, GROUPS) for command in [commands(form)[GROUPS.index(g) % 3]]]
    cases += [(command, None, a) for form, a in itertools.product(FORMATS, SPACES) for command in [commands(form)[SPACES.index(a) % 3]]]
    cases += [(command, g, a) for form, (g, a) in itertools.product(FORMATS, zip(GROUPS, reversed(SPACES))) for command in [commands(form)[GROUPS.index(g) % 3 - 1]]]
    assert len(cases) == 300
    if sys.argv[1:] != ["all"]:
        cases = cases[::7]
    make_matrix(os.path.join(folder, "wide.mtx"), 8, 3000000, 1000)
    make_matrix(os.path.join(folder, "tall.mtx"), 4000, 8, 1)
    make_matrix(os.path.join(folder, "flat.mtx"), 8, 4000, 1)
    for command in kernels():  # compilers need more memory than the limits: what is measured comes from the cache
        code, said, _ = run(command, folder, compiler=None)
        if code != 0:
            sys.exit("%s without a limit: %s" % (" ".join(command), said))
        os.remove(os.path.join(folder, "out.h5"))
    compiled = [(command, g, None) for command, g in itertools.product(kernels(), GROUPS)]
    compiled += [(command, None, a) for command, a in itertools.product(kernels(), SPACES)]
    cases += compiled if sys.argv[1:] == ["all"] else compiled[::5]
    nrefused = 0
    for command, group, space in cases:
        code, said, held = run(command, folder, group, space, None if command in kernels() else "/bin/false")
        wrong = judge(code, said, held, group)
        out = os.path.join(folder, "out.h5")
        if not wrong and os.path.exists(out) != (code == 0):
            wrong = "the output is there, or is not"
        litter = [f for f in os.listdir(folder) if f not in ("root", "out.h5", "cache") and not f.endswith(".mtx")]
        wrong = wrong or ("leaves %s" % litter if litter else None)
        expect("%s, group %s MB, address space %s MB:" % (" ".join(command), group, space), not wrong, "%s\n%s" % (wrong, said))
        nrefused += code != 0
        if os.path.exists(out):
            os.remove(out)
    # both happen, else the limits test nothing
    expect("%d of %d runs refused" % (nrefused, len(cases)), len(cases) // 10 < nrefused < len(cases) * 9 // 10)
    end()


if __name__ == "__main__":
    main()
