# shellcheck shell=bash
# Ctrl-C while tbench counts: the table of what was measured, a whole record that says so, an end by SIGINT. The test waits
# for the second round to show on a terminal; sixteen formats with a thousand rounds, each sample after a walk through a
# buffer larger than the caches, take longer than that, whatever the machine.
command -v tbench >/dev/null || skip "built without tbench"
needs_terminal
generate 2 30 12 10 >m.tns
cat >interrupt.py <<'END'
import json, os, re, signal, sys, terminal

def fresh():
    signal.signal(signal.SIGINT, signal.SIG_DFL)

sign, *command = sys.argv[1:]
run, mother = terminal.start(["tbench"] + command + ["--json=r.json"], preexec_fn=fresh, stdout=open("out", "wb"))
sent = False

def interrupt(said):
    global sent
    if not sent and re.search(sign.encode(), said):
        run.send_signal(signal.SIGINT)
        sent = True

said = terminal.read(mother, interrupt)
print("ended by", -run.wait(), said.rstrip().split("\r")[-1].replace("\033[K", ""))
table = open("out").read()
rows = len(re.findall(r"^csr +[0-9]", table, re.M))
print("title and head:", bool(re.match(r"spmv, m.tns \(12 x 9, 30 entries\), f64, 1 thread, cold\nformat +pack ms ", table)),
      "rows:", rows, "choice:", table.count("Too few samples") + table.count("measurably faster") + table.count("times as fast as"))
if os.path.exists("r.json"):
    record = json.load(open("r.json"))
    samples = [len(row["samples_ns"]) for row in record["rows"]]
    print("interrupted:", record["interrupted"], "rows:", len(samples),
          "samples in all:", all(0 < n < 1000 for n in samples), "checked:", all(r["checked"] for r in record["rows"]))
else:
    print("no record")
END
many=csr,csr,csr,csr,csr,csr,csr,csr,csr,csr,csr,csr,csr,csr,csr,csr
t "python3 interrupt.py 'round [2-9]' spmv m.tns --quick --cold --threads=1 --reps=1000 --time-limit=1000000 --format=$many"
t "tbench report r.json | grep -c csr"
