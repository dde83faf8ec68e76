"""Statements over a file that is read block by block (tkern --memory) give what they give in memory, which other tests compare with an oracle;
or they are refused with a reason. Values are small integers, so that results are exact. Blocks of some files have a few slices
(TSR_BLOCK); the largest resident size stays below the limit for a file of twice the limit."""
import json
import os
import random
import subprocess

from checks import end, expect, is_sanitized, own_folder, run

rng = random.Random(5)
LIMIT = "256M" if is_sanitized("tkern") else "64M"  # sanitizers keep what is freed
WAYS = {2: ["csr", "csc", "dcsr", "coo", "bcsr(2,3)", "tns", "symmetric", "npz"], 3: ["csf", "csf:2,0,1", "coo", "tns"]}
SLICED = {"csr": 0, "csc": 1, "dcsr": 0, "csf": 0, "csf:2,0,1": 2, "npz": 0}  # the mode of the slices
# the statement, further options, and what it needs: "" nothing, "slices", or the mode whose slices it needs
STATEMENTS = {2: [("Y(i,k) = A(i,j)*X(j,k)", "-d k:3", ""), ("y(i) = A(i,j)*x(j)", "", ""), ("y(j) = A(i,j)*x(i)", "", ""), ("s = A(i,j)", "", ""),
                  ("s(j) = A(i,j)", "", ""), ("n(i) = A(i,j)*A(i,j)", "", "slices"), ("G(j,l) = A(i,j)*A(i,l)", "", 0), ("G(i,l) = A(i,j)*A(l,j)", "", 1),
                  ("n(i) = sqrt(abs(A(i,j)))", "", "slices"), ("y(i) = 2*A(i,j)*x(j) - A(i,j)*z(j)/4", "", ""), ("m(i) max= A(i,j)", "", "slices"),
                  ("m(j) min= A(i,j)*x(i)", "", "slices"), ("C(i,j) = A(i,j)*u(i)*v(j)", "-f C:csr", ""), ("n(i) = !!A(i,j)", "", "slices"),
                  ("C(i,j) = 2*A(i,j) where C > 4 and j > i", "-f C:csr", "slices"), ("C(i,k) = A(i,j)*B(j,k)", "-i B:b2.tns -f B:csr -f C:csr", ""),
                  ("y(i) += A(i,j)*x(j)", "-i y:old.tns", ""), ("y(i) = A(i,j)*x(j)", "--semiring=min-plus", ""),
                  ("y(i) = A(i,j)*x(j) + x(i)", "", None), ("y(i) = exp(A(i,j))", "", None), ("y(i) = !A(i,j)*x(j)", "", None),
                  ("C(i,k) top(2)= A(i,j)*B(j,k)", "-i B:b2.tns -f B:csr", None), ("C(i,k) = A(i,j)*B(j,k) where C > 3", "-i B:b2.tns -f B:csr -f C:csr", 0),
                  ("T(i) = A(i,j)*x(j); y(i) = T(i)*T(i)", "", None)],
              3: [("Y(i,r) = A(i,j,k)*C(j,r)*D(k,r)", "-d r:3", ""), ("Y(j,r) = A(i,j,k)*C(i,r)*D(k,r)", "-d r:3", ""), ("n(k) = A(i,j,k)*A(i,j,k)", "", "slices"),
                  ("Y(i,j) = A(i,j,k)*c(k)", "", ""), ("G(k,l) = A(i,j,k)*A(i,j,l)", "", 0)]}


def entries(dims, n):
    cells = {tuple(rng.randrange(d) for d in dims) for _ in range(n)}
    return sorted(cells)


def write(name, cells):
    with open(name, "w") as f:
        for cell in cells:
            f.write(" ".join(str(c + 1) for c in cell) + " %d\n" % rng.randint(1, 5))


def file_of(order, way, dims):
    source = "a%d.tns" % order
    if way == "tns":
        return source
    name = "a%d_%s.%s" % (order, "".join(c for c in way if c.isalnum()), {"symmetric": "mtx", "npz": "npz"}.get(way, "h5"))
    if way == "symmetric" and not os.path.exists(name):
        lower = [line for line in open(source) if int(line.split()[0]) >= int(line.split()[1])]
        with open(name, "w") as f:
            f.write("%%%%MatrixMarket matrix coordinate integer symmetric\n%d %d %d\n%s" % (*dims, len(lower), "".join(lower)))
    if not os.path.exists(name):
        made = run("tconv", source, "--format=" + ("csr" if way == "npz" else way), "-o", name, "-q")
        expect("a file of " + way, made == (0, "", ""), made)
    return name


def result(command):
    """The entries of the result, or the message."""
    p = subprocess.run(command, shell=True, capture_output=True, text=True)
    lines = [line.split() for line in p.stdout.splitlines() if not line.startswith("#")]
    return sorted((tuple(x[:-1]), float(x[-1])) for x in lines) if p.returncode == 0 else p.stderr


def fits(way, need):
    if need is None or need == "":
        return need is not None
    return way in SLICED and (need == "slices" or SLICED[way] == need)


def check(order, way, dims, statement):
    text, more, need = statement
    place = text.split(";")[-1].split("(")[0].split("=")[0].split()[0]
    command = "tkern '%s' -i A:%s -j2 --engine=interpreter %s -q -o '%s:-'" % (text, file_of(order, way, dims), more, place)
    got = result("TSR_BLOCK=%d %s --memory=%s" % (rng.choice([300, 1000, 100000]), command, LIMIT))
    if not fits(way, need):
        expect("%s of %s is refused:" % (text, way), isinstance(got, str) and "A is read in blocks, but " in got, got)
        return
    want = result(command)
    expect(command, got == want and not isinstance(got, str), "%s, wanted %s" % (got, want))


def check_all():
    for order, dims in ((2, (30, 30)), (3, (9, 7, 8))):
        write("a%d.tns" % order, sorted(set(entries(dims, 150) + [tuple(d - 1 for d in dims)])))
        for way in WAYS[order]:
            for statement in STATEMENTS[order]:
                check(order, way, dims, statement)


def write_large(n, rows):
    """A csr file of 144 MB: in a child, whose memory would count as that of the program that is started next."""
    import h5py
    import numpy

    indices = numpy.random.default_rng(1).integers(0, 1000, n, dtype="u4").reshape(rows, 30) + numpy.arange(30, dtype="u4") * 1000
    types = {"pointers_to_1": "uint32", "indices_1": "uint32", "values": "float64"}
    with h5py.File("big.h5", "w") as f:
        f["pointers_to_1"] = numpy.arange(0, n + 1, 30, dtype="u4")
        f["indices_1"] = indices.ravel()
        f["values"] = numpy.ones(n)
        f.attrs["binsparse"] = json.dumps({"binsparse": {
            "version": "0.1", "format": "CSR", "shape": [rows, 31000], "number_of_stored_values": n, "data_types": types}})  # fmt: skip


def check_limit():
    """A file of 144 MB within 64 MiB."""
    n, rows = 12_000_000, 400_000
    child = os.fork()
    if child == 0:
        write_large(n, rows)
        os._exit(0)
    expect("the large file", os.waitpid(child, 0)[1] == 0)
    p = subprocess.Popen(["tkern", "y(i) = A(i,j)*x(j)", "-i", "A:big.h5", "-i", "x:x.tns", "-f", "x:dense", "--memory=64M", "-j2", "--json"],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, said = p.stdout.read(), p.stderr.read()
    _, status, used = os.wait4(p.pid, 0)
    expect("within 64 MiB", status == 0 and used.ru_maxrss <= 64 << 10, "%d KiB, %s" % (used.ru_maxrss, said))
    expect("the sum", status != 0 or json.loads(out)["sum"] == n and json.loads(out)["blocks_read"] > 10, out)
    os.remove("big.h5")


own_folder()
write("b2.tns", sorted(set(entries((30, 9), 60) + [(29, 8)])))
with open("old.tns", "w") as f:
    f.write("".join("%d 7\n" % (i + 1) for i in range(30)))
with open("x.tns", "w") as f:
    f.write("".join("%d 1\n" % (i + 1) for i in range(31000)))
check_all()
if not is_sanitized("tkern"):
    check_limit()
end(least=200)
