"""tkern and tbench under mpirun: the numbers of a single process, except rounding; the bytes that are sent are those that tbench scale counts;
errors told once; a rank that is killed ends the run, and leaves no output. ranks_kernels.py [all]. Skipped without MPI."""
import json
import os
import random
import subprocess
import sys
import time

from checks import complain, end, own_folder
from under_mpi import alone, kill_one, ranks_of, run, start

everything = len(sys.argv) > 1


def entries(path):
    with open(path) as f:
        return {tuple(line.split()[:-1]): float(line.split()[-1]) for line in f if line[0] not in "#%"}


# the sum of parts is rounded otherwise than the sum of all: by at most a few units of the last place of each term
def close(a, b):
    return a.keys() == b.keys() and all(abs(a[k] - b[k]) <= 1e-12 * (abs(a[k]) + 1) for k in a)


def counted(source, n, *args):
    out = subprocess.run(["tbench", "scale", source, "--ranks=%d" % n, "--json=-"] + list(args), check=True, env=alone, stdout=subprocess.PIPE)
    return json.loads(out.stdout)["runs"][0]["moved_bytes"]


def same(n, expression, source, args, sent):
    command = ["tkern", expression, "-i", "A:" + source, "--type=f64"] + args
    subprocess.run(command + ["-q", "-o", "Y:want.tns"], check=True, env=alone)
    code, out, said = run(n, command + ["--json", "-o", "Y:got.tns"])
    if code:
        complain("%d ranks, %s: exit %d, %s" % (n, expression, code, said))
        return
    told = json.loads(out)
    if not close(entries("want.tns"), entries("got.tns")):
        complain("%d ranks, %s %s: other numbers" % (n, expression, args))
    if told["sent_bytes"] != sent or abs(told["model_bytes"] - sent) > 0.02 * sent + 200:
        complain("%d ranks, %s: %d bytes sent, %d counted, %g expected" % (n, expression, told["sent_bytes"], sent, told["model_bytes"]))
    os.remove("got.tns")


own_folder()
rng = random.Random(9)
with open("a.mtx", "w") as f:
    f.write("%%MatrixMarket matrix coordinate real general\n400 300 4000\n")
    for _ in range(4000):
        f.write("%d %d %.3f\n" % (rng.randrange(1, 401), rng.randrange(1, 301), rng.random()))
with open("half.mtx", "w") as f:
    f.write("%%MatrixMarket matrix coordinate integer symmetric\n200 200 900\n")
    for _ in range(900):
        i = rng.randrange(1, 201)
        f.write("%d %d %d\n" % (i, rng.randrange(1, i + 1), rng.randrange(1, 99)))
with open("t.tns", "w") as f:
    for _ in range(4000):
        f.write("%d %d %d %.3f\n" % (rng.randrange(1, 80), rng.randrange(1, 60), rng.randrange(1, 300), rng.random()))
spmv, mttkrp = "Y(i)=A(i,j)*x(j)", "Y(j,r)=A(i,j,k)*B(i,r)*C(k,r)"
same(4, spmv, "a.mtx", [], counted("a.mtx", 4))
same(4, mttkrp, "t.tns", ["-d", "r:5"], counted("t.tns", 4, "--rank=5"))
if everything:
    for n in (2, 3, 8, 16):
        same(n, spmv, "a.mtx", ["-f", "A:csr"], counted("a.mtx", n))
        same(n, "Y(i,r)=A(i,j,k)*B(j,r)*C(k,r)", "t.tns", ["-d", "r:3"], counted("t.tns", n, "--rank=3"))
    same(4, spmv, "half.mtx", [], counted("half.mtx", 4))
    same(4, "Y(j)=A(i,j)*x(i)", "a.mtx", ["-f", "A:csc", "-d", "A:400,300"], counted("a.mtx", 4))
    subprocess.run(["tconv", "t.tns", "-f", "csf:2,0,1", "-o", "t.h5", "-q"], check=True, env=alone)
    same(4, mttkrp, "t.h5", ["-d", "r:2"], counted("t.tns", 4, "--rank=2"))
    subprocess.run(["tconv", "t.tns", "-o", "t.tns.gz", "-q"], check=True, env=alone)
    same(3, mttkrp, "t.tns.gz", ["-d", "r:2"], counted("t.tns", 3, "--rank=2"))
    # an operand from a file
    subprocess.run(["tkern", "Y(j)=A(i,j)*x(i)", "-i", "A:a.mtx", "-o", "Y:x.tns", "-q"], check=True, env=alone)
    same(4, spmv, "a.mtx", ["-i", "x:x.tns"], counted("a.mtx", 4))
code, out, said = run(2, ["tbench", "mttkrp", "t.tns", "--ranks", "--rank=4", "--modes=1", "--reps=2", "--json=-",
                         "--format=coo,csf:2,0,1"])
if code or [run["sent_bytes"] for run in json.loads(out)["runs"]] != 2 * [counted("t.tns", 2, "--rank=4")]:
    complain("tbench: exit %d, %s %s" % (code, out, said))
# errors: of all ranks, of one rank, of the kind of product
with open("t.tns", "a") as f:
    f.write("1 2 x 3\n")
for command, says in ((["tkern", mttkrp, "-i", "A:t.tns", "-d", "r:5", "-o", "Y:bad.tns"], "expected an index"),
                      (["tkern", "Y(i,j)=A(i,j)+B(i,j)", "-i", "A:a.mtx", "-i", "B:a.mtx", "-o", "Y:bad.tns"], "compute products of one sparse tensor")):
    code, out, said = run(3, command)
    if code != 1 or said.count(says) != 1 or os.path.exists("bad.tns"):
        complain("%s: exit %d, %s" % (command, code, said))
# a rank dies while the product is run again and again
p = start(3, ["tkern", spmv, "-i", "A:a.mtx", "--time=1000000", "-q", "-o", "Y:bad.tns"])
ranks = []
while p.poll() is None and len(ranks) < 3:
    time.sleep(0.05)
    ranks = ranks_of(p, "tkern")
time.sleep(0.5)
kill_one(rng, ranks)
p.communicate(timeout=120)
if p.returncode == 0 or os.path.exists("bad.tns"):
    complain("a rank was killed: exit %d" % p.returncode)
end()
