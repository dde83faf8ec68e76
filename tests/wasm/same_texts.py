"""same_texts.py MODULE_DIR [COUNT]: the tools in tessera.wasm, under node, give the texts of the native tools.

The calls are those of the cases of tests/cli and tests/golden that print plans, C, maps and layouts, recorded as the
cases run the native tools (those in PATH), and COUNT random statements (500), whose values are compared. Each call is
repeated in the module with the same files: standard output, errors, exit code and written texts must be equal, byte
by byte.
"""
import base64
import json
import os
import re
import stat
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
CASES = ["tlayout", "tkern_notation", "tkern_c", "tkern_errors"]
# Calls that need what a browser lacks: a compiler (functions in C), threads, other kinds of files (and the list of suffixes), the
# cache, a clock, paths of the host, this machine's memory. HLO text (tlayout op) is left out of the module, too.
NEEDS = ["--engine=", "--time", "--check", "--list-kernels", "--clear-cache", ".h5", ".gz", ".npz", "--help", "--version",
         "--list-codecs", "--seed", "--function=", "y.foo", "d i:40000", "/dev/", "/proc", "nowhere/", "--progress", "--index=64"]
SHIM = """#!/usr/bin/python3
import os, sys
sys.path.insert(0, %r)
import same_texts
same_texts.record(%r, %r)
"""


def content(folder):
    """The small regular files of a folder, {name: bytes}."""
    files = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not name.startswith(".") and stat.S_ISREG(os.lstat(path).st_mode) and os.path.getsize(path) < 1 << 20:
            with open(path, "rb") as f:
                files[name] = f.read()
    return files


def record(tool, log):
    """Run the native tool as the shim was called, and append the call with its files and its answer to the log."""
    before = content(".")
    given = b"" if os.isatty(0) else sys.stdin.buffer.read() if "-" in " ".join(sys.argv[1:]).split() else b""
    done = subprocess.run([os.environ["REAL_TOOLS"] + "/" + tool] + sys.argv[1:], input=given, capture_output=True)
    sys.stdout.buffer.write(done.stdout)
    sys.stderr.buffer.write(done.stderr)
    after = content(".")
    for k, word in enumerate(sys.argv):  # files elsewhere are written into the folder of the call
        if k > 1 and sys.argv[k - 1] == "-o" and word.startswith("/") and os.path.exists(word):
            sys.argv[k] = os.path.basename(word)
            with open(word, "rb") as f:
                after[sys.argv[k]] = f.read()
    text = {n: b for n, b in after.items() if before.get(n) != b}
    call = {"argv": [tool] + sys.argv[1:], "stdin": given.decode("latin-1"), "code": done.returncode,
            "out": done.stdout.decode("latin-1"), "err": done.stderr.decode("latin-1"),
            "files": {n: base64.b64encode(b).decode() for n, b in before.items()},
            "written": {n: b.decode("latin-1") for n, b in text.items()}}
    with open(log, "a") as f:
        f.write(json.dumps(call) + "\n")
    sys.stdout.flush()
    os._exit(done.returncode)


def find(tool):
    for folder in os.environ["PATH"].split(":"):
        if os.access(os.path.join(folder, tool), os.X_OK):
            return folder
    sys.exit("same_texts.py: %s is not in PATH" % tool)


def recorded(work, commands):
    log = os.path.join(work, "calls")
    shims = os.path.join(work, "shims")
    os.mkdir(shims)
    open(log, "w").close()
    for tool in ("tkern", "tlayout", "tinfo"):
        path = os.path.join(shims, tool)
        with open(path, "w") as f:
            f.write(SHIM % (HERE, tool, log))
        os.chmod(path, 0o755)
    env = dict(os.environ, REAL_TOOLS=find("tkern"), PATH=shims + ":" + os.environ["PATH"], TSR_SOURCE=SOURCE, TSR_TMP=work,
               TSR_TUNING="none", LC_ALL="C", OMP_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1")
    for command in commands:
        subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(log) as f:
        return [json.loads(line) for line in f]


def random_statements(count):
    """Calls of tkern that compute the values of random statements, by the generator of tests/cli."""
    return ["/usr/bin/python3", os.path.join(SOURCE, "tests/cli/random_statements.py"), "1", str(count)]


def comparable(call):
    words = " ".join(call["argv"])
    return not any(n in words for n in NEEDS) and call["argv"][:2] != ["tlayout", "op"]


def differences(call, answer):
    """What differs between the native answer and the module's."""
    def text(s):
        return s.encode("utf-8").decode("latin-1") if isinstance(s, str) else s
    if "is interpreted, which is slow" in answer["err"]:
        return []  # the native tool compiled this kernel
    if "is computed in several steps, not by one function" in answer["err"] and answer["code"] == 1:
        return []  # texts of several steps are left out of the module
    if re.match(r"/\* [^\n]*, in \d+ steps\n", call["out"]) and answer["code"] == 0:
        return []  # so is the step that converts a result: the module's text says what the caller receives instead
    def steady(s):  # without the time of the run
        return re.sub(r"(?m)^(run +)[0-9.e+-]+ \w+", r"\1TIME", s) if isinstance(s, str) else s
    wrong = []
    for part in ("code", "out", "err"):
        a, b = call[part], answer[part] if part == "code" else text(answer[part])
        if steady(a) != steady(b):
            wrong.append("%s: native %r, module %r" % (part, a if part == "code" else a[:300], b if part == "code" else b[:300]))
    for name, native in call["written"].items():
        if name.endswith((".c", ".h", ".tns", ".svg", ".cpp", ".txt", ".json")) and name not in call["files"] \
                and text(answer["files"].get(name, "")) != native:
            wrong.append("file %s differs" % name)
    return wrong


def main():
    built, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 500
    with tempfile.TemporaryDirectory() as work:
        commands = [["bash", os.path.join(SOURCE, "tests/cli/run.sh"), case] for case in CASES]
        commands.append(["bash", os.path.join(SOURCE, "tests/golden/kernels.sh"), "tkern", os.path.join(work, "golden")])
        calls = [c for c in recorded(work, commands) if comparable(c)]
    with tempfile.TemporaryDirectory() as work:
        statements = recorded(work, [random_statements(count + count // 5)])
        statements = [c for c in statements if "--function=" not in " ".join(c["argv"])][:count]
    text = "".join(json.dumps({k: c[k] for k in ("argv", "files", "stdin")}) + "\n" for c in calls + statements)
    node = subprocess.run(["node", os.path.join(HERE, "wasm_run.js"), built, os.path.join(SOURCE, "docs/site/playground")],
                          input=text.encode(), stdout=subprocess.PIPE)
    answers = [json.loads(line) for line in node.stdout.decode().splitlines()]
    if node.returncode or len(answers) != len(calls) + len(statements):
        sys.exit("node ended with %d after %d of %d calls" % (node.returncode, len(answers), len(calls) + len(statements)))
    bad = 0
    for call, answer in zip(calls + statements, answers):
        wrong = differences(call, answer)
        if wrong:
            bad += 1
            if bad <= 10:
                print(" ".join(call["argv"]) + "\n  " + "\n  ".join(wrong))
    if len(calls) < 300 or len(statements) < count:
        sys.exit("only %d calls and %d statements were recorded" % (len(calls), len(statements)))
    print("%d texts and %d statements, %d of them differ" % (len(calls), len(statements), bad))
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
