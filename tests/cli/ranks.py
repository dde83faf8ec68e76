"""tconv under mpirun: one file, with the bytes of a single process; counters against their model; errors told once; a rank that is killed
leaves the output absent or whole. ranks.py [all]. Skipped where mpirun or the module tessera-mpi.so is missing."""
import json
import os
import random
import shutil
import subprocess
import sys
import time

from checks import complain, content, end, own_folder
from under_mpi import alone, kill_one, of_ranks, ranks_of, run, start

everything = len(sys.argv) > 1


def mpirun(n, args, **env):
    return run(n, ["tconv"] + args, **env)


def same(n, source, args, name, **env):
    subprocess.run(["tconv", source, "-q", "-o", "want-" + name] + args, check=True, env=alone)
    code, out, said = mpirun(n, [source, "--json", "-o", name] + args, **env)
    if code:
        complain("%d ranks %s: exit %d, %s" % (n, args, code, said))
        return None
    if content(name) != content("want-" + name):
        complain("%d ranks %s: another file" % (n, args))
    return json.loads(out)


own_folder()
rng = random.Random(3)
N = 600000 if everything else 60000
with open("in.tns", "w") as f:
    for _ in range(N):
        f.write("%d %d %d %d.5\n" % (rng.randrange(1, 60000), rng.randrange(1, 300), rng.randrange(1, 200), rng.randrange(90)))
with open("small.tns", "w") as f:
    for _ in range(3000):
        f.write("%d %d %d %d\n" % (rng.randrange(1, 30), rng.randrange(1, 30), rng.randrange(1, 20), rng.randrange(90)))
with open("small.tns", "rb") as f, open("small.tns.gz", "wb") as g:
    subprocess.run(["gzip", "-c"], stdin=f, stdout=g, check=True)
# records: coordinates of 2, 2 and 1 bytes, values that are f32 exactly
for n in (2, 4, 8, 16) if everything else (4,):
    told = same(n, "in.tns", ["--format=csf"], "o.h5")
    if not told:
        continue
    r = told["ranks"]
    moved, sent = sum(r["sent_nnz"]), sum(r["sent_bytes"])
    if max(r["nnz"]) > 1.05 * N / n or sum(r["nnz"]) != N:
        complain("%d ranks: shares %s" % (n, r["nnz"]))
    if abs(moved - N * (n - 1) / n) > 0.01 * N or abs(sent - 9 * N * (n - 1) / n) > 0.01 * 9 * N * (n - 1) / n:
        complain("%d ranks: %d entries, %d bytes sent" % (n, moved, sent))
    # all but the descriptor is written by the ranks
    if not 0.99 < sum(r["written_bytes"]) / told["output_bytes"] <= 1:
        complain("%d ranks: %s bytes written of %d" % (n, r["written_bytes"], told["output_bytes"]))
cases = [("small.tns", ["--format=dss:2,0,1", "--duplicates=last"], "o.h5"),
         ("small.tns.gz", ["--format=csf", "--deflate=1"], "o.h5"),
         ("small.tns", ["--format=csf", "--slice=2:25"], "o.tns")]
if everything:
    cases += [("small.tns", ["--format=ddd"], "o.h5"), ("small.tns", ["--format=ell", "--unfold=1"], "o.h5"),
              ("small.tns", [], "o.mtx"), ("small.tns", ["--format=coo"], "o.npz")]
for source, args, name in cases:
    # messages of at most 1000 bytes: what is longer goes in rounds
    same(3, source, args, name, TESSERA_MPI_ROUND="1000")
with open("small.tns", "a") as f:
    f.write("1 2 x 3\n")
code, out, said = mpirun(3, ["small.tns", "--format=csf", "-o", "bad.h5"])
if code != 1 or said.count("expected an index") != 1 or os.path.exists("bad.h5"):
    complain("a fault in the input: exit %d, %s" % (code, said))
code, out, said = mpirun(2, ["in.tns", "--format=csf", "-o", "bad.h5"], TESSERA_MPI="/none/tessera-mpi.so")
if code == 0 or "the module tessera-mpi.so is missing" not in said:
    complain("without the module: exit %d, %s" % (code, said))
# what ranks are given must be the same: they made a mixed or invalid file
together = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader"]
os.makedirs("other", exist_ok=True)
with open("other/in.tns", "w") as f:
    f.write("1 1 1 1\n")
shutil.copy2("in.tns", "copy.tns")
os.utime("copy.tns", (1, 1))
for what, first, second, words in [
        ("options", ["tconv", "in.tns", "-f", "csf"], ["tconv", "in.tns", "-f", "csf:2,1,0"], "rank 1 has another command line than rank 0"),
        ("inputs", ["tconv", "in.tns", "-f", "csf"], ["sh", "-c", 'cd other && exec tconv "$@"', "-", "in.tns", "-f", "csf"],
         "rank 1 has another file of this name than rank 0")]:
    end_of = ["-q", "-o", "mixed.h5"]
    p = subprocess.run(together + ["-n", "1"] + first + end_of + [":", "-n", "1"] + second + end_of, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True, env=of_ranks, timeout=120)
    if p.returncode != 2 or p.stderr.count(words) != 1 or os.path.exists("mixed.h5") or os.path.exists("other/mixed.h5"):
        complain("other %s: exit %d, %s" % (what, p.returncode, p.stderr))
# the same bytes in another file are the same input
code, out, said = run(2, ["sh", "-c", 'mkdir -p d$OMPI_COMM_WORLD_RANK && cd d$OMPI_COMM_WORLD_RANK && cp ../in.tns . && exec tconv in.tns -q -f csf -o ../staged.h5'])
subprocess.run(["tconv", "in.tns", "-q", "-f", "csf", "-o", "whole.h5"], check=True, env=alone)
if code or content("staged.h5") != content("whole.h5"):
    complain("staged copies: exit %d, %s" % (code, said))
p = subprocess.run(together + ["-n", "2", "tconv", "-", "--from=tns", "-f", "csf", "-o", "mixed.h5"], stdin=open("in.tns"), stdout=subprocess.PIPE,
                   stderr=subprocess.PIPE, text=True, env=of_ranks, timeout=120)
if p.returncode != 2 or p.stderr.count("standard input reaches only one of several ranks") != 1:
    complain("standard input: exit %d, %s" % (p.returncode, p.stderr))
# a rank dies
subprocess.run(["tconv", "in.tns", "-q", "-f", "csf", "-o", "whole.h5"], check=True, env=alone)
whole = content("whole.h5")
ndied = 0
for k in range(10 if everything else 2):
    for name in [n for n in os.listdir(".") if "tessera-tmp" in n]:
        shutil.rmtree(name)
    p = start(3, ["tconv", "in.tns", "--format=csf", "-q", "-o", "killed.h5"])
    # not before MPI has begun: mpirun itself may wait forever then
    while p.poll() is None and not os.path.exists("killed.h5.tessera-tmp-rank0"):
        time.sleep(0.01)
    time.sleep(rng.random() / 2)
    kill_one(rng, ranks_of(p, "tconv"))
    p.communicate(timeout=120)
    ndied += p.returncode != 0
    if os.path.exists("killed.h5"):
        if content("killed.h5") != whole:
            complain("a rank was killed: the file is not whole")
        os.remove("killed.h5")
    elif p.returncode == 0:
        complain("exit 0 without a file")
# and what they left is in nobody's way
code, out, said = mpirun(3, ["in.tns", "--format=csf", "-q", "-o", "killed.h5"])
left = [n for n in os.listdir(".") if "tessera-tmp" in n]
if code or content("killed.h5") != whole or left:
    complain("after kills: exit %d, %s %s" % (code, said, left))
print("%d runs ended early" % ndied)
end()
