"""PETSc itself reads the matrices that we write, and we read the matrices and vectors that PETSc writes; skipped without petsc4py."""
import glob
import os
import sys

from checks import end, expect, own_folder, run, skip

# Debian keeps petsc4py beside the PETSc that it was built for, where Python does not look.
for folder in sorted(glob.glob("/usr/lib/petscdir/*/*-real/lib/python3/dist-packages")):
    sys.path.append(folder)
    os.environ.setdefault("PETSC_DIR", folder.removesuffix("/lib/python3/dist-packages"))
os.environ["OMPI_MCA_plm_rsh_agent"] = "sh"  # Open MPI asks for ssh otherwise
os.environ["OMPI_ALLOW_RUN_AS_ROOT"] = os.environ["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
try:
    import numpy
    import petsc4py

    petsc4py.init([])
    from petsc4py import PETSc
except ImportError as error:
    skip(str(error))


def tconv(*args):
    code, _, said = run("tconv", "-q", *args)
    print(said)
    return code == 0


def listing(path):
    """The entries of a .tns, by coordinates from 0 on."""
    with open(path) as file:
        rows = [line.split() for line in file if line.strip() and line[0] != "#"]
    return {tuple(int(i) - 1 for i in row[:-1]): float(row[-1]) for row in rows}


def viewer(path, mode):
    return PETSc.Viewer().createBinary(path, mode, comm=PETSc.COMM_SELF)


own_folder()
entries = {(0, 1): 1.5, (0, 4): -2.0, (2, 0): 1e-300, (2, 2): 3.0, (3, 4): 0.1}
with open("in.tns", "w") as file:
    file.writelines("%d %d %r\n" % (i + 1, j + 1, v) for (i, j), v in entries.items())

# Ours, read by PETSc.
expect("written", tconv("in.tns", "--dims=4,5", "-o", "ours.petsc"))
ours = PETSc.Mat().create(comm=PETSc.COMM_SELF)
ours.setType("seqaij")
ours.load(viewer("ours.petsc", "r"))
expect("size", ours.getSize() == (4, 5))
pointers, columns, values = ours.getValuesCSR()
rows = numpy.repeat(numpy.arange(4), numpy.diff(pointers))
expect("entries", {(int(i), int(j)): v for i, j, v in zip(rows, columns, values)} == entries)
with open("v.tns", "w") as file:
    file.write("1 1.5\n3 -2\n")
expect("vector written", tconv("v.tns", "--dims=4", "-o", "v.petsc"))
read = PETSc.Vec().create(comm=PETSc.COMM_SELF)
read.setType("seq")
read.load(viewer("v.petsc", "r"))
expect("vector", read.getArray().tolist() == [1.5, 0, -2, 0])

# A matrix of PETSc, with an empty row and entries set in any order, alone and before a vector.
theirs = PETSc.Mat().createAIJ([4, 5], nnz=5, comm=PETSc.COMM_SELF)
for (i, j), v in reversed(list(entries.items())):
    theirs.setValue(i, j, v)
theirs.assemble()
vector = PETSc.Vec().createSeq(3, comm=PETSc.COMM_SELF)
vector.setArray(numpy.array([1.0, -2.5, 4.0]))
for name, objects in ("matrix", [theirs]), ("both", [theirs, vector]), ("vector", [vector]):
    file = viewer(name + ".petsc", "w")
    for thing in objects:
        thing.view(file)
    file.destroy()
    expect(name + " is read", tconv(name + ".petsc", "-o", name + ".tns"))
    want = {(0,): 1.0, (1,): -2.5, (2,): 4.0} if name == "vector" else entries
    expect(name + " entries", listing(name + ".tns") == want)
end()
