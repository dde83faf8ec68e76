"""tbench conform: a reader that is right, one that is wrong in each way, and one that refuses everything."""
import os
import sys

from checks import end, expect, own_folder, run

reader = '''
import sys
path = sys.argv[1]
how = %r
if path.endswith("bad.txt"):
    sys.exit(how != "reads all")
if how == "refuses":
    sys.exit(1)
if how == "crashes":
    import os, signal
    os.kill(os.getpid(), signal.SIGKILL)
file, _, name = path.partition(":")
lines = open(file).read().split("\\n")
shape, rows = lines[0], [line for line in lines[1:] if line and (not name or line.startswith(name))]
rows = [" ".join(row.split()[1:]) for row in rows]
if how == "swaps":
    rows[0] = "1 0 " + rows[0].split()[2]
elif how == "shape":
    shape = "3 4"
elif how == "loses":
    rows.pop()
elif how == "garbage":
    rows[0] = "hello"
print("shape", shape)
for row in reversed(rows):
    print(row)
'''
folder = own_folder()
samples = os.path.join(folder, "samples", "kind")
os.makedirs(samples)

def put(name, text):
    with open(os.path.join(samples, name), "w") as f:
        f.write(text)

put("a.txt", "2 3\nx/y 0 1 5\nx/y 1 2 -0.1\nx/y 0 0 0\nz 1 1 (1.5-2j)\nz 1 1 nan\n")
put("a.txt.x__y.coo.txt", "shape 2 3\n0 1 5\n1 2 -0.10000000000000001\n")
put("a.txt.z.coo.txt", "shape 2 3\n1 1 nan\n1 1 (1.5-2j)\n")
put("bad.txt", "?")
put("bad.txt.refuse.txt", "is bad")
script = os.path.join(folder, "reader.py")
for how, words in (("right", "2 read as they should be, 1 refused as they should be, 0 wrong"),
                   ("refuses", "a.txt:x/y: refused\n"), ("reads all", "bad.txt: must be refused, but was read\n"),
                   ("crashes", "the program crashed"), ("swaps", "entry 0 in the order of coordinates is wrong"),
                   ("shape", "the shape is wrong"), ("loses", "1 entries that are not 0, not 2"),
                   ("garbage", "of the output is not part of a listing")):
    with open(script, "w") as f:
        f.write(reader % how)
    code, out, said = run("tbench", "conform", "--reader=%s %s %%f" % (sys.executable, script), os.path.join(folder, "samples"))
    expect(how, words in out and code == (how != "right"), "%d %s %s" % (code, out, said))
for args in [], ["--reader=cat", folder], ["--reader=cat %f", os.path.join(folder, "none")], ["--reader=no-such-program %f", samples]:
    code, out, said = run("tbench", "conform", *args)
    expect(args, code != 0 and said, "%d %s" % (code, out))

# Our own reader over the samples of other software.
ours = os.path.join(folder, "ours.py")
with open(ours, "w") as f:
    f.write('''
import json, subprocess, sys, tempfile
with tempfile.NamedTemporaryFile(suffix=".h5") as out:
    if subprocess.run(["tconv", "-q", sys.argv[1], "--format=coo", "-o", out.name], stderr=subprocess.DEVNULL).returncode:
        sys.exit(1)
    found = json.loads(subprocess.run(["tinfo", "--json", "--arrays", out.name], capture_output=True, text=True).stdout)
modes = found["levels"]
print("shape", *[m["size"] for m in modes])
values = found["values"]
n = len(modes[0]["crd"])
values = values * n if len(values) == 1 else values
for e in range(n):
    v = values[e]
    print(*[m["crd"][e] for m in modes], "(%s%+.17gj)" % (repr(v[0]), v[1]) if isinstance(v, list) else v)
''')
cases = os.path.join(os.environ.get("TSR_SHARED", ""), "cases", "files", "zarr-v2")
if os.environ.get("TSR_SHARED") and os.path.isdir(cases):
    code, out, said = run("tbench", "conform", "--reader=%s %s %%f" % (sys.executable, ours), cases)
    expect("our own reader", code == 0 and "0 wrong" in out, out + said)
end()
