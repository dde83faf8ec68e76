# shellcheck shell=bash
# Baselines that are libraries, on each kernel that they take: every row is measured, and its answer checked.
command -v tbench >/dev/null || skip "built without tbench"
command -v python3 >/dev/null || skip "needs python3"
export XDG_CACHE_HOME=$PWD/cache TSR_DATA=$PWD/data
generate 3 30 12 10 >m.tns
cat >check.py <<'END'
import json, sys
kernel = sys.argv[1]
takes = {"graphblas": "spmv spmm mattransmul residual sddmm", "librsb": "spmv spmm mattransmul residual",
         "eigen": "spmv spmm mattransmul residual"}
rows = json.load(open("r.json"))["rows"]
for name, kernels in takes.items():
    mine = [row for row in rows if row["candidate"] == name]
    absent = [row for row in mine if (row["note"] or "").startswith("needs ")]
    should = 4 if kernel in kernels.split() else 0 # two tensors, two thread counts
    if len(mine) != should:
        print(f"{kernel}: {name} has {len(mine)} rows instead of {should}")
    if absent:
        print(f"{absent[0]['note']}: not tested", file=sys.stderr)
        continue
    for row in mine:
        if not (row["checked"] and row["samples_ns"] and row["version"] and row["bytes"]):
            print(f"{kernel}: {name} on {row['threads']} threads: {row}")
END
measure() { tbench "$@" --quick --threads=1,2 --reps=1 --format=csr --baseline=graphblas --baseline=librsb --baseline=eigen --json=r.json --progress=never >said || cat said; }
# The second is large enough for threads.
for kernel in spmv spmm mattransmul residual sddmm; do
    t "measure $kernel m.tns uniform:dims=2500x3000,nnz=30000 --rank=16; python3 check.py $kernel 2>>absent"
done
# Other types and kernels are none of theirs.
t "measure spmv m.tns --type=f32; python3 check.py f32; grep -c '\"candidate\":\"tessera\"' r.json"
t "measure innerprod m.tns; python3 check.py innerprod"
sort -u absent >&2
# The kernels of several sparse operands. Where the library is, its program must compile.
for kernel in spgemm spadd spadd3 elmul masked triangles; do
    tbench $kernel uniform:dims=30x30,nnz=100 --quick --threads=1 --reps=1 --format=csr --baseline=graphblas >said || cat said
    grep -Eq '^graphblas +[0-9]' said || [ ! -e /usr/include/GraphBLAS.h ] || { echo "$kernel: graphblas is missing"; cat said; }
done
