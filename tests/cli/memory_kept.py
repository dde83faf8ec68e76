"""--memory of tinfo and tbench is kept as resident memory: the largest resident size of a run is below the limit, or the run is refused in a
sentence with the sizes. Both happen for limits around what the tensor takes. Skipped for programs with a sanitizer, whose memory counts."""
import os
import subprocess

from checks import complain, end, is_sanitized, own_folder, skip

if is_sanitized("tinfo"):
    skip("memory of the sanitizer counts")
ended = {}
own_folder()
subprocess.run(["tbench", "gen", "uniform:dims=300000x200000,nnz=4000000", "-o", "in.mtx", "-q"], check=True)
for command, limits in ((["tinfo", "in.mtx", "--json"], (64, 76, 80, 84, 110)), (["tbench", "scale", "in.mtx", "--ranks=4"], (64, 140)),
                        (["tinfo", "in.mtx", "--ranks=9"], (64,))):
    for mib in limits:
        p = subprocess.Popen(command + ["-j2", "--memory=%dM" % mib], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = p.stderr.read()
        _, status, used = os.wait4(p.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        refused = code in (1, 3) and "that the memory limit allows" in said
        if code != 0 and not refused or used.ru_maxrss > mib << 10:
            complain("%s of %d MiB: exit %d, %d KiB, %s" % (command, mib, code, used.ru_maxrss, said))
        ended.setdefault(" ".join(command), set()).add(code == 0)
# counting the slices needs no memory for the entries; what needs them is refused somewhere, and done with more
for command, ways in ended.items():
    want = {True} if "--ranks=9" in command else {True, False}
    if ways != want:
        complain("%s: done or refused: %s" % (command, ways))
# blocks of text that many threads parse must not take the memory of the entries
subprocess.run(["tbench", "gen", "uniform:dims=30000x20000,nnz=1000000", "-o", "many.mtx", "-q"], check=True)
p = subprocess.Popen(["tconv", "many.mtx", "-f", "csc", "-q", "-o", "o.h5", "-j32", "--memory=64M"], stderr=subprocess.PIPE, text=True)
said = p.stderr.read()
_, status, used = os.wait4(p.pid, 0)
if os.waitstatus_to_exitcode(status) or used.ru_maxrss > 64 << 10:
    complain("tconv -j32 of 64 MiB: exit %d, %d KiB, %s" % (os.waitstatus_to_exitcode(status), used.ru_maxrss, said))
end()
