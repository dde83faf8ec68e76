# shellcheck shell=bash
# A run that a signal ends leaves the old output; temporary files remain only after KILL.
# The input is a pipe that stays open, so that the run is in the middle whenever the signal comes.
command -v python3 >/dev/null || skip "needs python3"
generate 1 2000 300 300 >in.tns
echo old >out.h5
for signal in TERM INT KILL; do
    mkfifo pipe
    python3 - $signal <<'END'
import os, signal, subprocess, sys, time
def fresh():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
run = subprocess.Popen(["tconv", "pipe", "--from=tns", "-o", "out.h5"], preexec_fn=fresh, stderr=subprocess.PIPE)
with open("pipe", "wb") as pipe:
    text = open("in.tns", "rb").read()
    pipe.write(text)
    pipe.flush()
    time.sleep(0.3)
    run.send_signal(getattr(signal, "SIG" + sys.argv[1]))
    time.sleep(0.1)
    try:
        for _ in range(400):
            pipe.write(text)
    except BrokenPipeError:
        pass
    try:
        pipe.close()
    except BrokenPipeError:
        pass
said = run.stderr.read().decode()
print("signal", sys.argv[1], "ended by", -run.wait(), said.strip())
END
    rm pipe
    t cat out.h5
    t ls
done

# Killed at any time, also while it writes: the file is the old one or the new one, whole.
generate 2 20000 300 300 >in.tns
for delay in 0.005 0.01 0.02 0.03 0.04 0.05 0.07 0.1; do
    echo old >out.h5
    tconv in.tns -o out.h5 -q --deflate=9 &
    run=$!
    sleep $delay
    kill -KILL $run
    wait $run 2>/dev/null
    [ "$(cat out.h5 | tr -d '\0')" = old ] || tinfo out.h5 --check >/dev/null || echo "neither old nor new after $delay s"
done 2>/dev/null
echo done
