"""What shards write, for 1 to 16 of them, against the model of docs/scale.md: records of 9 bytes in all together, within 1%, and no shard
with more than 1.05 of the mean; the join on several threads writes the bytes of a single process."""
import json
import random
import subprocess

from checks import complain, content, end, own_folder, run

N, RECORD = 60000, 9  # coordinates of 2, 2 and 1 bytes, values that are f32 exactly
own_folder()
rng = random.Random(3)
with open("in.tns", "w") as f:
    for _ in range(N):
        f.write("%d %d %d %d.5\n" % (rng.randrange(1, 60000), rng.randrange(1, 300), rng.randrange(1, 200), rng.randrange(90)))
subprocess.run(["tconv", "in.tns", "-f", "csf", "-q", "-o", "want.h5"], check=True)
for n in (1, 2, 4, 8, 16):
    written, shares = 0, []
    for shard in range(n):
        code, out, said = run("tconv", "in.tns", "-f", "csf", "-o", "out.h5", "--shard=%d/%d" % (shard, n), "--json")
        if code:
            complain("shard %d of %d: exit %d, %s" % (shard, n, code, said))
            continue
        told = json.loads(out)
        written += told["temporary_bytes"]
        shares.append(told["nnz"])
    if sum(shares) != N or max(shares) > 1.05 * N / n or abs(written - RECORD * N) > 0.01 * RECORD * N:
        complain("%d shards: %s entries, %d bytes written" % (n, shares, written))
    code, _, said = run("tconv", "in.tns", "-f", "csf", "-q", "-o", "out.h5", "--join", "-j2")
    if code or content("out.h5") != content("want.h5"):
        complain("%d shards: another file, exit %d, %s" % (n, code, said))
end()
