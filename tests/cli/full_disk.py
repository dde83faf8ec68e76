"""A full disk in the folder of temporary files (a tmpfs of this test, of every size): one error that names the folder, nothing left there or
beside the output, and the same command with more room makes the file. Skipped where the system does not let this test mount."""
import os
import subprocess
import sys

from checks import complain, content, end, own_folder, run

if len(sys.argv) == 1:  # again, with mounts of its own
    if subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode:
        sys.exit(77)
    os.execvp("unshare", ["unshare", "-m", sys.executable, sys.argv[0], "mounts"])

env = dict(os.environ, TSR_STREAM_BUCKET="1500")
own_folder()
with open("in.tns", "w") as f:
    for e in range(30000):
        f.write("%d %d %d %g\n" % (e * 7919 % 3000 + 1, e * 104729 % 2000 + 1, e % 17 + 1, e / 8))
command = ["tconv", "in.tns", "-f", "csf", "-j2", "-q", "-o"]
subprocess.run(command + ["want.h5"], check=True, env=env)
want = content("want.h5")
os.mkdir("small")
if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", "small"], stderr=subprocess.DEVNULL).returncode:
    sys.exit(77)
nfull = nwell = 0
for kbytes in range(100, 2000, 110):
    subprocess.run(["mount", "-o", "remount,size=%dk" % kbytes, "small"], check=True)
    for steps in ([[]], [["--shard=0/2"], ["--shard=1/2"], ["--join"]]):
        for step in steps:
            code, _, said = run(*command, "out.h5", "--temp=small", *step, env=env)
            if code:
                break
        if code == 0:
            nwell += 1
            if content("out.h5") != want:
                complain("%d kB: another file" % kbytes)
            os.remove("out.h5")
        else:
            nfull += 1
            if code not in (1, 3) or said.count("\n") != 0 or "small/out.h5.tessera-tmp" not in said or "folder" not in said:
                complain("%d kB %s: exit %d, %s" % (kbytes, step, code, said))
        if code and step not in ([], ["--shard=0/2"]):
            # shards that are there stay for another try, which has more room
            subprocess.run(["mount", "-o", "remount,size=8m", "small"], check=True)
            for again in steps[steps.index(step):]:
                code, _, said = run(*command, "out.h5", "--temp=small", *again, env=env)
                if code:
                    complain("%d kB %s again: exit %d, %s" % (kbytes, again, code, said))
            if code == 0 and content("out.h5") != want:
                complain("%d kB: another file" % kbytes)
            os.remove("out.h5")
            subprocess.run(["mount", "-o", "remount,size=%dk" % kbytes, "small"], check=True)
        left = os.listdir("small") + [n for n in os.listdir(".") if n not in ("in.tns", "want.h5", "small")]
        if left:
            complain("%d kB %s: left %s" % (kbytes, step, left))
            subprocess.run("rm -rf small/* out*", shell=True)
if nfull < 4 or nwell < 2:
    complain("%d runs on a full disk, %d with room: the sizes are wrong" % (nfull, nwell))
subprocess.run(["umount", "small"])
end()
