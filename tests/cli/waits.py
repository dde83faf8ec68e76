#!/usr/bin/env python3
"""One signal ends a tool wherever it waits: soon, by that signal, with its message, and without a temporary file or a child
left. Also: a limit on the size of files, and two signals at once."""
import os, resource, signal, subprocess, sys, time

from checks import complain, end, expect, own_folder

os.environ.update(LC_ALL="C", OMP_WAIT_POLICY="passive")
work = own_folder()
os.environ["XDG_CACHE_HOME"] = os.path.join(work, "cache")
PATIENCE = 30  # seconds: far less than what is waited for


def write(name, text, mode=0o644):
    with open(name, "w") as f:
        f.write(text)
    os.chmod(name, mode)


def fresh():
    for s in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(s, signal.SIG_DFL)


def check(name, fact, what):
    expect("%s: %s" % (name, what), fact)


def tree(folder="."):
    return sorted(os.path.join(d, f) for d, _, files in os.walk(folder) for f in files)


def start(command, **more):
    more.setdefault("stdin", subprocess.DEVNULL)
    more.setdefault("stdout", subprocess.DEVNULL)
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=fresh, **more)


def state(pid):
    with open("/proc/%d/stat" % pid) as f:
        return f.read().rsplit(")", 1)[1].split()[0]


def sleeps(pid):
    """It waits, and has its handlers by now: under load a process may sleep on its way to main."""
    with open("/proc/%d/status" % pid) as f:
        caught = [int(line.split()[1], 16) for line in f if line.startswith("SigCgt:")]
    return state(pid) == "S" and bool(caught and caught[0] >> (signal.SIGTERM - 1) & 1)


def is_gone(pid):
    try:
        return state(pid) == "Z"
    except OSError:
        return True


def wait_until(fact):
    for _ in range(PATIENCE * 100):
        if fact():
            return True
        time.sleep(0.01)
    return False


def ends(name, run, sig, words, before):
    """The signal ends the run with these words, and there are the files of `before`."""
    begin = time.monotonic()
    run.send_signal(sig)
    try:
        said = run.communicate(timeout=PATIENCE)[1]
    except subprocess.TimeoutExpired:
        run.kill()
        run.communicate()
        complain("%s: still running %d s after signal %d" % (name, PATIENCE, sig))
        return
    check(name, run.returncode == -sig, "ended with %d, not by signal %d: %s" % (run.returncode, sig, said))
    check(name, words in said, "does not say '%s': %s" % (words, said))
    check(name, tree() == before, "leaves other files: %s" % sorted(set(tree()) ^ set(before)))
    took.append(time.monotonic() - begin)


took = []
write("small.tns", "".join("%d %d 1.5\n" % (i % 50 + 1, i // 50 + 1) for i in range(2000)))
write("big.tns", "".join("%d %d 1.5\n" % (i % 500 + 1, i // 500 + 1) for i in range(100000)))
os.mkfifo("fifo")
SAID = {signal.SIGINT: "interrupted", signal.SIGTERM: "interrupted by SIGTERM", signal.SIGQUIT: "by SIGQUIT",
        signal.SIGHUP: "by SIGHUP", signal.SIGALRM: "by SIGALRM", signal.SIGXCPU: "by SIGXCPU"}

# A silent pipe, a FIFO that no one writes to or reads from, an output that no one takes.
for sig, words in SAID.items():
    reader, writer = os.pipe()
    run = start(["tconv", "-", "--from=mtx", "-o", "o.h5"], stdin=reader)
    wait_until(lambda: sleeps(run.pid))
    time.sleep(0.1)
    ends("silent pipe", run, sig, words, tree())
    os.close(reader), os.close(writer)
for command in (["tconv", "fifo", "--from=tns", "-o", "o.h5"], ["tinfo", "fifo"],
                ["tconv", "small.tns", "--to=tns", "-o", "fifo"], ["tconv", "big.tns", "--to=tns", "-o", "-"]):
    reader, writer = os.pipe()
    run = start(command, stdout=writer)
    wait_until(lambda: sleeps(run.pid))
    time.sleep(0.3)
    ends(" ".join(command), run, signal.SIGINT, "interrupted", tree())
    os.close(reader), os.close(writer)

# A compiler that hangs, with a child of its own.
write("hangs", "#!/bin/sh\nif [ \"$1\" = --version ]; then echo hangs; exit; fi\nsleep 600 &\n"
      "echo $$ $! >pids.new\nmv pids.new pids\nwait\n", 0o755)
kernel = ["tkern", "A(i,j) = B(i,k)*C(k,j)*7", "-d", "i:5", "-d", "j:5", "-d", "k:5"]
os.environ["TSR_CC"] = os.path.join(work, "hangs")
for sig in (signal.SIGTERM, signal.SIGINT):
    run = start(kernel)
    check("compiler", wait_until(lambda: os.path.exists("pids")), "was not started")
    with open("pids") as f:
        pids = [int(word) for word in f.read().split()]
    os.remove("pids")
    ends("compiler", run, sig, "interrupted", [f for f in tree() if ".tessera-" not in f])
    check("compiler", wait_until(lambda: all(is_gone(p) for p in pids)), "leaves processes")
    check("compiler", not [d for d in os.listdir("cache/tessera") if d.startswith(".")], "leaves a temporary folder")

# The interpreter, alone and as the check of another.
os.environ["TSR_CC"] = "none"
for more in (["--engine=interpreter"], []):
    run = start(["tkern", "A(i,j) = B(i,k)*C(k,j)*7"] + [w for v in "ijk" for w in ("-d", v + ":3000")] + more)
    time.sleep(1)
    wait_until(lambda: open("/proc/%d/status" % run.pid).read().count("SigCgt:\t0000000000000000") == 0)
    ends("interpreter", run, signal.SIGTERM, "interrupted", tree())
del os.environ["TSR_CC"]

# What the caller ignores stays ignored; the two signals of timeout(1) are one.
run = subprocess.Popen(["tconv", "fifo", "--from=tns", "-o", "kept.tns"], stderr=subprocess.PIPE, text=True,
                       preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
wait_until(lambda: sleeps(run.pid))
time.sleep(0.1)
run.send_signal(signal.SIGHUP)
with open("fifo", "w") as f:
    f.write("1 1 1\n")
said = run.communicate(timeout=PATIENCE)[1]
check("ignored", run.returncode == 0 and os.path.exists("kept.tns"), "SIGHUP was not ignored: " + said)
os.remove("kept.tns")
# So many entries that their compression lasts a second: the run must not be over before the signals come.
write("long.tns", "".join("%d %d 1.5\n" % (i % 500 + 1, i // 500 + 1) for i in range(1000000)))
clean, seen = False, []
for _ in range(5):  # a busy machine may hold the second back for half a second: then it insists
    before = tree()
    run = start(["tconv", "long.tns", "-o", "twice.mtx.gz", "--deflate=9"])
    wait_until(lambda: any(f.startswith(".twice") for f in os.listdir(".")) or run.poll() is not None)
    for _ in range(2):
        if run.poll() is None:
            run.send_signal(signal.SIGTERM)
            time.sleep(0.002)
    run.communicate(timeout=PATIENCE)
    clean = clean or (run.returncode == -signal.SIGTERM and tree() == before)
    seen.append("ended with %d, %s" % (run.returncode, sorted(set(tree()) ^ set(before))))
    for name in set(tree()) - set(before):
        os.remove(name)
check("twice", clean, "leaves other files: " + "; ".join(seen))

# A file that may not grow is a failed write.
for out in ("limit.mtx", "limit.h5", "limit.tns.gz"):
    with open(out, "w") as f:
        f.write("old")
    before = tree()
    done = subprocess.run(["tconv", "big.tns", "-o", out], stderr=subprocess.PIPE, text=True, timeout=300,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
    check(out, done.returncode == 3 and "File too large" in done.stderr, "ended with %d: %s" % (done.returncode, done.stderr))
    with open(out) as f:
        check(out, f.read() == "old" and tree() == before, "is not what it was, or something is left")

done = subprocess.run(["tlayout", "f32[30,50]{1,0:T(2,2)}", "--svg=limit.svg"], stderr=subprocess.PIPE, text=True,
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
check("svg", done.returncode == 3 and "File too large" in done.stderr and tree() == before,
      "ended with %d: %s" % (done.returncode, done.stderr))

# Processor time that is used up.
run = subprocess.run(kernel[:2] + [w for v in "ijk" for w in ("-d", v + ":3000")] + ["--engine=interpreter"],
                     stderr=subprocess.PIPE, text=True, timeout=300, stdout=subprocess.DEVNULL,
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 60)))
check("XCPU", run.returncode == -signal.SIGXCPU and "ulimit -t" in run.stderr, "%d: %s" % (run.returncode, run.stderr))

# Nobody reads any more: silence, and an end by PIPE.
reader, writer = os.pipe()
run = start(["tconv", "big.tns", "--to=tns", "-o", "-"], stdout=writer)
os.close(writer), os.read(reader, 100), os.close(reader)
said = run.communicate(timeout=PATIENCE)[1]
check("pipe", run.returncode == -signal.SIGPIPE and said == "", "ended with %d: %s" % (run.returncode, said))

print("slowest end after a signal: %.2f s" % max(took), file=sys.stderr)
end()
