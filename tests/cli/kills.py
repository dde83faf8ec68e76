#!/usr/bin/env python3
"""kills.py [COUNT [SEED]]: end COUNT runs that overwrite a file at random times. Each time the file is the old one or the new one,
complete. Temporary files remain only after KILL, and the next run for the same file removes them."""
import os, random, signal, subprocess, sys, time

from checks import content, end, expect, own_folder

count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
os.environ.update(LC_ALL="C", OMP_WAIT_POLICY="passive")
own_folder()
OLD = b"what was there before\n"
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU]
OUTPUTS = ["out.h5", "out.mtx.gz", "out.tns"]


def fresh():
    for s in SIGNALS[1:]:
        signal.signal(s, signal.SIG_DFL)


def start(source, out):
    return subprocess.Popen(["tconv", source, "-o", out, "-q", "-j2"], stderr=subprocess.PIPE, text=True, preexec_fn=fresh)


def put_old(name):
    with open(name + ".new", "wb") as f:
        f.write(OLD)
    os.rename(name + ".new", name)


def temporary():
    return [name for name in os.listdir(".") if name.endswith(".tmp")]


def stands(pid):
    """The process is stopped, or has ended and waits for its parent."""
    with open("/proc/%d/stat" % pid) as f:
        return f.read().rsplit(")", 1)[1].split()[0] in "TZ"


def locked(name):
    """Whether a process holds the lock of the file. It comes right after the file: what is swept until then is made again."""
    try:
        inode = os.stat(name).st_ino
    except FileNotFoundError:
        return False
    with open("/proc/locks") as f:
        return any(line.split()[1] == "FLOCK" and line.split()[5].endswith(":%d" % inode) for line in f)


with open("in.tns", "w") as f:
    for i in range(30000):
        f.write("%d %d %.3f\n" % (random.randrange(1, 3000), i // 10 + 1, random.random()))
with open("small.tns", "w") as f:
    f.write("1 1 1\n")
new, small, took = {}, {}, {}
for out in OUTPUTS:
    begin = time.monotonic()
    expect(out + " cannot be written at all", start("in.tns", out).wait() == 0)
    took[out] = time.monotonic() - begin
    new[out] = content(out)
    start("small.tns", out).wait()
    small[out] = content(out)

seen = dict.fromkeys(["old", "new", "left"], 0)
for i in range(count):
    out, sig = random.choice(OUTPUTS), random.choice(SIGNALS)
    put_old(out)
    run = start("in.tns", out)
    time.sleep(random.random() * took[out] * 1.2)
    run.send_signal(sig)
    said = run.communicate(timeout=300)[1]
    name = "%d: %s, %s after %s" % (i, out, signal.Signals(sig).name, run.returncode)
    expect(name + " ended otherwise: " + said, run.returncode in (0, -sig))
    now, left = content(out), temporary()
    expect(name + " is neither old nor new (%d bytes)" % len(now), now in (OLD, new[out]))
    expect(name + " says that it is written, but it is the old one", now == new[out] or run.returncode != 0)
    expect(name + " leaves %s" % left, not left or sig == signal.SIGKILL)
    seen["old" if now == OLD else "new"] += 1
    if left:
        seen["left"] += 1
        expect(name + ": the next run fails", start("small.tns", out).wait() == 0 and content(out) == small[out])
        expect(name + ": the next run does not remove %s" % temporary(), not temporary())

# A file of a live process is not swept, and that process comes to its end.
put_old("out.mtx.gz")
run = start("in.tns", "out.mtx.gz")
while not any(locked(name) for name in temporary()) and run.poll() is None:
    time.sleep(0.001)
run.send_signal(signal.SIGSTOP)
while run.poll() is None and not stands(run.pid):  # until then it may still finish
    time.sleep(0.001)
mine = temporary()
if mine:
    expect("the file of a live process is swept", start("small.tns", "out.mtx.gz").wait() == 0 and temporary() == mine)
    run.send_signal(signal.SIGCONT)
    expect("the live process fails", run.wait() == 0 and content("out.mtx.gz") == new["out.mtx.gz"] and not temporary())
else:
    run.send_signal(signal.SIGCONT)
    run.wait()

# Many at once for one name: each comes through, and nothing is left.
runs = [start(random.choice(["in.tns", "small.tns"]), "out.tns") for _ in range(8)]
expect("runs at once disturb each other", all(run.wait() == 0 for run in runs))
expect("runs at once leave something", content("out.tns") in (new["out.tns"], small["out.tns"]) and not temporary())

print("%d runs: %d old, %d new, %d left a temporary file that the next run removed" %
      (count, seen["old"], seen["new"], seen["left"]), file=sys.stderr)
end()
