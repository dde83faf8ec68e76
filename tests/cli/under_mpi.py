"""Starting the tools under mpirun, for tests. Importing this ends the test (skipped) where mpirun or the module tessera-mpi.so is missing."""
import contextlib
import glob
import os
import shutil
import signal
import subprocess

from checks import skip

folder = os.path.dirname(os.path.realpath(shutil.which("tconv"))) + "/../"
modules = [path for place in ("mpi", "lib/tessera", "lib/*/tessera") for path in glob.glob(folder + place + "/tessera-mpi.so")]
if not shutil.which("mpirun") or not modules:
    skip("no mpirun, or no tessera-mpi.so")
alone = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI"))}
# OpenMPI leaks what its plug-ins hold, which are unloaded before a sanitizer looks.
of_ranks = dict(alone, OMP_NUM_THREADS="1", ASAN_OPTIONS=alone.get("ASAN_OPTIONS", "") + ":detect_leaks=0")


def start(n, command, **env):
    # no network: messages go through memory; oversubscribed, so that waiting ranks give way
    mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader", "-n", str(n)]
    return subprocess.Popen(mpirun + command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(of_ranks, **env))


def run(n, command, **env):
    p = start(n, command, **env)
    out, said = p.communicate(timeout=120)
    return p.returncode, out, said


def ranks_of(p, tool):
    """The ids of the processes of this run of mpirun, as far as they have started."""
    return subprocess.run(["pgrep", "-P", str(p.pid), tool], stdout=subprocess.PIPE, text=True).stdout.split()


def kill_one(rng, ranks):
    """Kill one of the ranks, which may all have ended by now."""
    if ranks:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(rng.choice(ranks)), signal.SIGKILL)
