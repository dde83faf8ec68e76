#!/usr/bin/env python3
"""The job scripts of docs/clusters.md, run by Slurm's daemons on this machine: one node, ports and folders of this test. The files are those
of a single process; tasks that are killed are queued again and go on. Skipped where Slurm is absent. `slurm.py N` kills N tasks."""
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from checks import own_folder

DOCS = Path(__file__).resolve().parents[2] / "docs" / "clusters.md"
MEMORY_MB = 4000
CONF = """ClusterName=tessera
SlurmctldHost=localhost
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
MinJobAge=600
KillWait=2
MessageTimeout=30
SlurmctldPort={port0}
SlurmdPort={port1}
StateSaveLocation={root}/state
SlurmdSpoolDir={root}/spool
SlurmctldPidFile={root}/controller.pid
SlurmdPidFile={root}/node.pid
SlurmctldLogFile={root}/controller.log
SlurmdLogFile={root}/node.log
NodeName=localhost CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO DefMemPerCPU=1000
"""


def run(*command, **options):
    made = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    if made.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit {made.returncode}: {made.stdout}{made.stderr}")
    return made.stdout.strip()


def free_ports(n):
    held = [socket.socket() for _ in range(n)]
    for s in held:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in held]
    for s in held:
        s.close()
    return ports


class Cluster:
    """slurmctld and slurmd of this test, which end with it."""

    def __init__(self, root):
        self.root = root
        user = subprocess.check_output(["id", "-un"], text=True).strip()
        for name in "state", "spool":
            (root / name).mkdir()
        port0, port1 = free_ports(2)
        # CPUs: what slurmd finds, or it takes the node out
        cpus = int(re.search(r"CPUs=(\d+)", run("/usr/sbin/slurmd", "-C")).group(1))
        (root / "slurm.conf").write_text(CONF.format(user=user, root=root, port0=port0, port1=port1, memory=MEMORY_MB, cpus=cpus))
        os.environ["SLURM_CONF"] = str(root / "slurm.conf")
        self.daemons = []
        for command in (["/usr/sbin/slurmctld", "-D"], ["/usr/sbin/slurmd", "-D", "-N", "localhost"]):
            log = open(root / "daemons.log", "a")
            self.daemons.append(subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True))
        deadline = time.time() + 60
        while "idle" not in subprocess.run(["sinfo", "-h", "-o", "%t"], capture_output=True, text=True).stdout:
            if time.time() > deadline:
                raise SystemExit("no node is idle: " + (root / "daemons.log").read_text()[-2000:])
            time.sleep(0.2)

    def end(self):
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()


def state(job):
    return run("scontrol", "show", "job", job)


def wait(job, seconds=180):
    """Until all tasks of the job have ended: their last states."""
    deadline = time.time() + seconds
    while time.time() < deadline:
        states = re.findall(r"JobState=(\w+)", state(job))
        if states and all(s in ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY") for s in states):
            return states
        time.sleep(0.1)
    raise SystemExit(f"job {job} does not end: {state(job)}")


def completes(job):
    states = wait(job)
    logs = "".join(p.read_text() for p in Path().glob("*.log"))
    assert set(states) == {"COMPLETED"}, (states, logs[-3000:])


def scripts():
    """The scripts of the page by name, written into this folder; and its sbatch line."""
    page = DOCS.read_text()
    names = set()
    for block in re.findall(r"(?:^    .*\n)+", page, re.M):
        text = re.sub(r"^    ", "", block, flags=re.M)
        name = re.search(r"^# (\w+\.sh):", text, re.M)
        if text.startswith("#!/bin/bash") and name:
            Path(name.group(1)).write_text(text)
            names.add(name.group(1))
    assert names == {"shards.sh", "join.sh", "folder.sh", "ranks.sh"}, names
    return re.search(r"^    (sbatch --dependency.*)$", page, re.M).group(1)


def same(a, b):
    assert Path(a).read_bytes() == Path(b).read_bytes(), f"{a} differs from {b}"


def write_tns(path, n, seed):
    rng = random.Random(seed)
    with open(path, "w") as f:
        f.writelines(f"{rng.randint(1, 3000)} {rng.randint(1, 200)} {rng.randint(1, 300)} {rng.randint(1, 99)}\n" for _ in range(n))


def shards(line):
    job = run("bash", "-c", line).split()[-1]
    completes(job)
    same("out.h5", "want.h5")
    Path("out.h5").unlink()


def step():
    job = run("sbatch", "--parsable", "--ntasks=2", "--output=step.log", "--wrap",
              "srun tconv in.tns --format=csf -o out.h5 --shard=auto --quiet && tconv in.tns --format=csf -o out.h5 --join --quiet")
    completes(job)
    same("out.h5", "want.h5")
    Path("out.h5").unlink()


def folder():
    Path("in").mkdir()
    Path("out").mkdir()
    for i in range(5):
        write_tns(f"in/{i}.tns", 500, i)
    completes(run("sbatch", "--parsable", "folder.sh"))
    for i in range(5):
        run("tconv", f"in/{i}.tns", "--format=csf", "-o", "want1.h5", "--quiet")
        same(f"out/{i}.h5", "want1.h5")


def ranks():
    if "pmix" not in subprocess.run(["srun", "--mpi=list"], capture_output=True, text=True).stdout:
        print("ranks: skipped: Slurm has no plugin pmix")
        return
    completes(run("sbatch", "--parsable", "ranks.sh"))
    same("ranks.h5", "want.h5")
    run("tkern", "y(i) = A(i,j,k)*u(j)*v(k)", "-i", "A:in.tns", "--type=f64", "-o", "y:y1.tns", "--quiet")
    got, want = ([float(line.split()[1]) for line in Path(name).read_text().splitlines()] for name in ("y.tns", "y1.tns"))
    assert len(got) == len(want) and all(abs(a - b) <= 1e-12 * abs(b) for a, b in zip(got, want)), "y differs"
    said = run("tinfo", "in.tns", "--ranks=2", "--machine=cores=1")
    line = re.search(r"as a job of Slurm: (sbatch .*)", said).group(1).replace("OUT", "planned.h5")
    job = run("bash", "-c", line.replace("sbatch", "sbatch --parsable --output=planned.log", 1))
    completes(job)
    same("planned.h5", "want.h5")


def limits():
    job = run("sbatch", "--parsable", "--mem=200M", "--ntasks=2", "--output=limit.log", "--wrap",
              "srun tkern 'C(i,j) = a(i)*b(j)' -i a:dense.tns -i b:dense.tns -f C:dd --quiet -o C:C.tns")
    wait(job)
    said = Path("limit.log").read_text()
    assert "more than the 105 MB that the Slurm job gives a task" in said, said
    said = run("srun", "--cpus-per-task=1", "bash", "-c", "tbench spmv a.mtx --format=csr --quick --reps=1 --json=one.json >/dev/null 2>&1; "
               "grep -o '\"threads\": *[0-9]*' one.json | sort -u")
    assert set(re.findall(r"\d+", said)) == {"1"}, said


def kills(n):
    """Tasks that are killed at random moments and queued again: the same bytes in the end."""
    rng = random.Random(n)
    script = Path("shards.sh").read_text().replace("tconv in.tns", "exec tconv in.tns")
    for at in range(0, n, 4):
        Path("out.h5").unlink(missing_ok=True)
        delays = " ".join(f"{rng.uniform(0.002, 0.25):.3f}" for _ in range(4))
        Path("killed.sh").write_text(script.replace("exec tconv", f"""\
delays=({delays})
if [ "${{SLURM_RESTART_COUNT:-0}}" = 0 ]; then
    timeout -s KILL ${{delays[SLURM_ARRAY_TASK_ID]}} tconv in.tns --format=csf -o out.h5 --shard=auto --quiet
    echo $? >>ends
    scontrol requeue $SLURM_JOB_ID
    sleep 60
fi
exec tconv""", 1))
        completes(run("sbatch", "--parsable", "--array=0-3", "killed.sh"))
        completes(run("sbatch", "--parsable", "join.sh"))
        same("out.h5", "want.h5")
    print(f"killed while they ran: {Path('ends').read_text().split().count('137')} of {n}")


def main():
    if not all(shutil.which(p, path=os.environ["PATH"] + ":/usr/sbin:/sbin") for p in ("slurmctld", "slurmd", "sbatch")):
        print("skipped: Slurm is absent")
        return 77
    for name in [v for v in os.environ if v.startswith("SLURM_")]:
        del os.environ[name]
    own_folder()
    line = scripts()
    cluster = Path("cluster").resolve()
    cluster.mkdir()
    write_tns("in.tns", 60000, 7)
    Path("dense.tns").write_text("# 1 20000\n20000 1.0\n")
    Path("a.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1.5\n2 3 2.5\n")
    run("tconv", "in.tns", "--format=csf", "-o", "want.h5", "--quiet")
    slurm = Cluster(cluster)
    try:
        for test in shards, step, folder, ranks, limits:
            test(line) if test is shards else test()
            print(f"ok {test.__name__}", flush=True)
        kills(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
        print("ok kills")
    finally:
        slurm.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
