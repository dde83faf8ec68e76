"""Runs larger than memory that are stopped: resume.py N [SEED] kills N runs at random moments and continues each with --resume (which
may be killed, too) until it is done; three of ten times by shards and a join, which are killed and run again. The file must be the one of a run in memory, and nothing else may stay. Then what SIGTERM and
SIGINT leave, and what is said about a folder that was left."""
import os
import random
import signal
import subprocess
import sys
import time

import checks
from checks import complain, content, own_folder

nkills = int(sys.argv[1])
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
rng = random.Random(seed)
env = dict(os.environ, TSR_STREAM_BUCKET="3000")


def make_input(path):
    # blanks make some blocks of a megabyte, which threads share
    r = random.Random(7)
    with open(path, "w") as f:
        for _ in range(60000):
            f.write("%d %d %d %s%80s\n" % (r.randrange(1, 300), r.randrange(1, 200), r.randrange(1, 50),
                                           r.choice(["1", "2.5", "-3", "1e-3"]), ""))


def run(args, kill_after=None, number=signal.SIGKILL):
    # one thread, or several that fill the level arrays together: a run may be continued by another number
    threads = rng.choice([[], ["-j1"], ["-j2"], ["-j3"]])
    p = subprocess.Popen(["tconv"] + threads + args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, text=True)
    if kill_after is not None:
        time.sleep(kill_after)
        p.send_signal(number)
    said = p.communicate()[1]
    return p.returncode, said


def until_done(args, takes):
    """Run a shard or the join, kill it now and then, and run it again: returns the number of kills."""
    killed = 0
    while True:
        code, said = run(args, rng.random() * takes if rng.random() < 0.6 else None)
        if code == 0:
            return killed
        if code != -signal.SIGKILL:
            complain("%s after a kill: exit %d, %s" % (args[-1], code, said))
            return killed
        killed += 1
        if args[-1] == "--join" and os.path.exists("out.h5") and not os.path.exists("out.h5.tessera-tmp"):
            return killed  # it was done


def by_shards(args, takes):
    killed = 0
    for shard in rng.sample(range(3), 3):
        killed += until_done(args + ["--shard=%d/3" % shard], takes / 2)
    return killed + until_done(args + ["--join"], takes)


own_folder()
make_input("in.tns")
subprocess.run(["tconv", "in.tns", "-f", "dss:2,0,1", "-q", "-o", "want.h5"], check=True)
want = content("want.h5")
start = time.time()
code, said = run(["in.tns", "-f", "dss:2,0,1", "-q", "-o", "out.h5"])
takes = time.time() - start
if code or content("out.h5") != want:
    complain("not killed: exit %d, %s" % (code, said))
os.remove("out.h5")
nkilled = nfolders = 0
while nkilled < nkills:
    args = ["in.tns", "-f", "dss:2,0,1", "-q", "-o", "out.h5"]
    shards = rng.random() < 0.3
    if shards:
        nkilled += by_shards(args, takes)
    else:
        nkilled += run(args, rng.random() * takes)[0] == -signal.SIGKILL
    for _ in range(0 if shards else 3):
        if os.path.exists("out.h5.tessera-tmp"):
            nfolders += 1
            if rng.random() < 0.2 and run(args)[0] != 3:
                complain("a folder that was left is not an error")
        if rng.random() < 0.5:
            nkilled += run(args + ["--resume"], rng.random() * takes)[0] == -signal.SIGKILL
    code, said = (0, "") if shards else run(args + ["--resume"])
    if code:
        complain("continued: exit %d, %s" % (code, said))
    elif content("out.h5") != want:
        complain("continued: another file after %d kills, seed %d" % (nkilled, seed))
    left = sorted(set(os.listdir(".")) - {"in.tns", "want.h5", "out.h5"})
    left = [n for n in left if not n.endswith(".tmp")]  # of the output: swept by the next run
    if left:
        complain("left: %s" % left)
        break
    if checks.nbad:
        break
    os.remove("out.h5")
if nfolders == 0:
    complain("no kill left a folder: the moments are wrong")

# SIGTERM keeps the folder, SIGINT does not; each may come after the end
for number, stays in ((signal.SIGTERM, True), (signal.SIGINT, False)):
    for attempt in range(40):
        code, said = run(["in.tns", "-f", "csf", "-q", "-o", "out2.h5"], rng.random() * takes, number)
        found = os.path.exists("out2.h5.tessera-tmp")
        if found and not stays:
            complain("SIGINT left the folder: %s" % said)
        if found:
            code, said = run(["in.tns", "-f", "csf:1,0,2", "-q", "-o", "out2.h5", "--resume"])
            if os.path.exists("out2.h5.tessera-tmp/state") and code != 1 and code != 2:
                complain("another conversion is continued: exit %d, %s" % (code, said))
            if os.path.exists("out2.h5.tessera-tmp"):
                code, said = run(["in.tns", "-f", "csf", "-q", "-o", "out2.h5", "--resume"])
                if code:
                    complain("after SIGTERM: exit %d, %s" % (code, said))
            break
    else:
        if stays:
            complain("SIGTERM never left the folder")
print("%d kills, %d folders continued" % (nkilled, nfolders))
checks.end()
