#!/usr/bin/python3
"""tbench fetch with a server in this test that cuts connections, sends wrong data, and waits. No other network is used."""
import gzip, hashlib, http.server, io, os, random, signal, socket, subprocess, tarfile, threading, time

from checks import end, expect, own_folder, skip

work = own_folder()
random.seed(1)
TEXT = "".join("%d %d %.6f\n" % (i + 1, j + 1, random.random()) for i in range(150) for j in range(200)).encode()
GZ = gzip.compress(TEXT, 6, mtime=0)


def tar(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, kind, data in members:
            info = tarfile.TarInfo(name)
            info.type, info.size = kind, len(data)
            if kind == tarfile.SYMTYPE:
                info.linkname = "/etc/passwd"
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    """The first part of a path is what to do, see `behave`; each request is noted as (path, Range, status)."""
    protocol_version = "HTTP/1.1"
    log, count, stop = [], {}, threading.Event()
    files, etags = {}, {}

    def log_message(self, *args):
        pass

    def answer(self, status, body=b"", headers=(), length=None, cut=None, pause=None):
        Handler.log.append((self.path, self.headers.get("Range"), status))
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        try:
            self.wfile.write(body if cut is None else body[:cut])
            self.wfile.flush()
            if pause:
                Handler.stop.wait(pause)
        except OSError:
            pass
        if cut is not None:
            self.close_connection = True

    def send_file(self, ranges=True, cut=None, pause=None, validator=True, shift=0):
        body, etag = self.files[self.path], self.etags.get(self.path, '"one"')
        headers = [("ETag", etag)] if validator else []
        wanted = self.headers.get("Range")
        if wanted and ranges and self.headers.get("If-Range", etag) == etag:
            first = int(wanted[len("bytes="):-1])
            if first >= len(body):
                return self.answer(416, headers=[("Content-Range", "bytes */%d" % len(body))])
            headers.append(("Content-Range", "bytes %d-%d/%d" % (first + shift, len(body) - 1, len(body))))
            return self.answer(206, body[first:], headers, None, cut, pause)
        self.answer(200, body, headers, None, cut, pause)

    def do_GET(self):
        n = Handler.count[self.path] = Handler.count.get(self.path, 0) + 1
        what = self.path.split("/")[1]
        if what == "plain":
            self.send_file()
        elif what == "cut":  # three times, then all
            self.send_file(cut=20000 if n <= 3 else None)
        elif what == "cutalways":
            self.send_file(cut=0)
        elif what == "norange":  # cut once, and it always begins at the beginning
            self.send_file(ranges=False, cut=20000 if n == 1 else None)
        elif what == "novalidator":
            self.send_file(validator=False, cut=20000 if n == 1 else None)
        elif what == "weak":
            self.etags[self.path] = 'W/"weak"'
            self.send_file(cut=20000 if n == 1 else None)
        elif what == "changes":  # another file after the cut
            self.send_file(cut=20000 if n == 1 else None)
            if n == 1:
                self.files[self.path], self.etags[self.path] = gzip.compress(b"1 1 1\n", mtime=0), '"two"'
        elif what == "wrongpart":  # a part that begins elsewhere than asked for
            self.send_file(cut=20000 if n == 1 else None, shift=1 if n == 2 else 0)
        elif what == "errors":
            self.answer(503, b"try later") if n <= 2 else self.send_file()
        elif what == "missing":
            self.answer(404, b"<html>no such file</html>")
        elif what == "redirect":
            self.answer(302, b"moved", [("Location", self.path.replace("/redirect/", "/plain/"))])
        elif what == "loop":
            self.answer(302, b"", [("Location", self.path)])
        elif what == "tofile":
            self.answer(302, b"", [("Location", "file:///etc/passwd")])
        elif what == "slow":  # silent after the first bytes
            self.send_file(cut=100, pause=20)
        elif what == "trickle":  # two bytes a second
            self.send_file(cut=100, pause=0)
            for byte in self.files[self.path][100:140]:
                if Handler.stop.wait(0.5):
                    break
                try:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                except OSError:
                    break
        elif what == "pause":  # half, then nothing until the client goes away; all the next time
            self.send_file(cut=40000, pause=20) if n == 1 else self.send_file()
        elif what == "garbage":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\nETag: \x01\x02\r\nContent-Range: bytes 9-\r\n\r\nx")
            self.close_connection = True
        else:
            self.answer(500)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):  # clients go away in the middle here
        pass


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = "http://127.0.0.1:%d" % server.server_port
env = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy") and k not in ("TSR_DATASETS", "TSR_DATA")}


class Case:
    """One dataset at base/WHAT/NAME.SUFFIX, and a data folder of its own."""

    def __init__(self, name, what, body=GZ, suffix="mtx.gz", sha=None, nnz=30000):
        self.name, self.path = name, "/%s/%s.%s" % (what, name, suffix)
        self.data = os.path.join(work, name, "data")
        self.file = os.path.join(self.data, name + ".mtx")
        self.csv = os.path.join(work, name + ".csv")
        Handler.files[self.path] = Handler.files["/plain/%s.%s" % (name, suffix)] = body
        with open(self.csv, "w") as f:
            f.write("name,suite,order,dims,nnz,values,skew,fiber,run,band,statistics,url,sha256,licence,note\n")
            sum = hashlib.sha256(body).hexdigest() if sha is None else sha
            f.write("%s,s,2,1000x1000,%d,real,,,,,estimated,%s%s,%s,none,\n" % (name, nnz, base, self.path, sum))

    def command(self, *args):
        return ["tbench", "fetch", self.name, "--datasets=" + self.csv, "--data=" + self.data, *args]

    def run(self, *args):
        run = subprocess.run(self.command(*args), env=env, capture_output=True, text=True, timeout=60)
        self.said = run.stdout + run.stderr
        return run.returncode

    def requests(self):
        return [(r, s) for p, r, s in Handler.log if p == self.path]

    def is_whole(self, text=TEXT):
        if not os.path.exists(self.file):
            return False
        with open(self.file, "rb") as f:
            return f.read() == text

    def left(self):
        return sorted(os.listdir(self.data)) if os.path.isdir(self.data) else []


def check(case, fact, what):
    expect("%s: %s" % (case.name, what), fact, "; it said: %s; requests: %s; files: %s" % (case.said.strip(), case.requests(), case.left()))


def good(name, what, statuses, **more):
    """It comes through, after answers of these statuses."""
    case = Case(name, what, **more)
    check(case, case.run() == 0, "does not come through")
    check(case, [s for _, s in case.requests()] == statuses, "answers are not " + str(statuses))
    return case


def bad(name, what, code, sentence, left=(), nrequests=None, args=(), **more):
    """It fails with this exit code and sentence, and leaves these files."""
    case = Case(name, what, **more)
    check(case, case.run(*args) == code, "exit code is not %d" % code)
    check(case, sentence in case.said, "does not say '%s'" % sentence)
    check(case, case.left() == sorted(left), "leaves other files than %s" % (left,))
    if nrequests is not None:
        check(case, len(case.requests()) == nrequests, "other than %d requests" % nrequests)
    return case


probe = Case("probe", "plain")
if probe.run() != 0 and "built without libcurl" in probe.said:
    skip("built without libcurl")

# What comes through.
case = good("plain", "plain", [200])
check(case, case.is_whole() and case.left() == ["plain.mtx"], "not the text alone")
check(case, "as in the table" in case.said, "does not say that the sum is right")
check(case, case.run() == 0 and "already there" in case.said and len(case.requests()) == 1, "fetched again")
case = good("redirect", "redirect", [302])
check(case, case.is_whole(), "another text")
case = good("cut", "cut", [200, 206, 206, 206])
check(case, case.is_whole(), "another text")
check(case, [r for r, _ in case.requests()] == [None, "bytes=20000-", "bytes=40000-", "bytes=60000-"], "other ranges")
for what in ("norange", "novalidator", "weak"):
    case = good(what, what, [200, 200])
    check(case, case.is_whole(), "another text")
case = Case("stale", "norange")  # an earlier run's part, and a server that begins again
os.makedirs(case.data)
for name, text in ((".part", GZ[:999]), (".part.info", ("%s%s\n\"one\"\n" % (base, case.path)).encode())):
    with open(os.path.join(case.data, case.name + name), "wb") as f:
        f.write(text)
check(case, case.run() == 0 and case.is_whole() and "resumed" not in case.said, "does not begin again")
case = good("changes", "changes", [200, 200], sha="")
check(case, case.is_whole(b"1 1 1\n"), "not the new file")
case = good("wrongpart", "wrongpart", [200, 206, 200])
check(case, case.is_whole(), "another text")
case = good("errors", "errors", [503, 503, 200])
case = good("uncompressed", "plain", [200], body=TEXT, suffix="mtx")
check(case, case.is_whole(), "another text")

# Archives: the one file, and nothing beside it.
evil = [("../../evil.mtx", tarfile.REGTYPE, b"evil"), ("archive/archive.mtx", tarfile.SYMTYPE, b""),
        ("/tmp/absolute.mtx", tarfile.REGTYPE, b"evil"), ("archive/" + "d" * 150 + "/x", tarfile.REGTYPE, b"deep"),
        ("archive/archive.mtx", tarfile.REGTYPE, TEXT), ("archive/archive_b.mtx", tarfile.REGTYPE, b"b")]
case = good("archive", "plain", [200], body=tar(evil), suffix="tar.gz")
check(case, case.is_whole() and case.left() == ["archive.mtx"], "not the text alone")
check(case, os.listdir(os.path.join(work, "archive")) == ["data"], "something outside the data folder")
bad("without", "plain", 1, "holds no file without.mtx", body=tar(evil), suffix="tar.gz")
bad("notar", "plain", 1, "tar archive", body=gzip.compress(b"text" * 1000), suffix="tar.gz")

# Checksums: the table's, or the first fetch's.
bad("wrongsum", "plain", 1, "the table says " + "0" * 64, sha="0" * 64)
case = good("firstsum", "plain", [200], sha="")
check(case, "not in the table: noted" in case.said and hashlib.sha256(GZ).hexdigest() in case.said, "sum not said")
check(case, case.left() == ["firstsum.mtx", "sha256sums"], "sum not noted")
os.remove(case.file)
check(case, case.run() == 0 and "as at the earlier fetch" in case.said, "the same file is not the same")
os.remove(case.file)
Handler.files[case.path] = gzip.compress(TEXT + b"1 1 1\n", mtime=0)
check(case, case.run() == 1 and "the earlier fetch says" in case.said and case.left() == ["sha256sums"],
      "another file is taken")

# A page that is not a dataset is not what later fetches are held against.
case = bad("page", "plain", 1, "is not a gzip file", body=b"<html>log in</html>", sha="")
Handler.files[case.path] = GZ
check(case, case.run() == 0 and case.is_whole(), "the page is remembered")

# What fails.
bad("missing", "missing", 3, "answers with status 404", nrequests=1, left=[])
bad("loop", "loop", 3, "redirect", left=[])
bad("tofile", "tofile", 3, "rotocol", left=[], nrequests=1)
bad("cutalways", "cutalways", 3, "bytes are there", args=["--retries=2"], nrequests=3,
    left=[])
bad("slow", "slow", 3, "bytes are there", args=["--retries=0", "--timeout=1"], nrequests=1,
    left=["slow.part", "slow.part.info"])
bad("trickle", "trickle", 3, "bytes are there", args=["--retries=0", "--timeout=2", "--min-speed=10"], nrequests=1,
    left=["trickle.part", "trickle.part.info"])
case = Case("garbage", "garbage")
check(case, case.run("--retries=1") in (1, 3) and not os.path.exists(case.file), "garbage is taken for a file")
bad("truncated", "plain", 1, "gzip: ", body=GZ[:-9])
bad("html", "plain", 1, "is not a gzip file", body=b"<html>blocked</html>")
bad("toolarge", "plain", 1, "it has more than", body=bytes(20000000), suffix="mtx", nnz=1)
bad("bomb", "plain", 1, "far more than", body=gzip.compress(bytes(60000000)), nnz=1)
dead = Case("dead", "plain")
with open(dead.csv) as f:
    text = f.read()
with socket.socket() as s:  # nobody listens there
    s.bind(("127.0.0.1", 0))
    with open(dead.csv, "w") as f:
        f.write(text.replace(":%d/" % server.server_port, ":%d/" % s.getsockname()[1]))
    check(dead, dead.run("--retries=1") == 3, "fetched from nobody")

# Ended from outside, and gone on with.
for name, sig, code in (("killed", signal.SIGKILL, -9), ("interrupted", signal.SIGINT, -2)):
    case = Case(name, "pause")
    run = subprocess.Popen(case.command(), env=env, stderr=subprocess.PIPE, text=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    part = os.path.join(case.data, name + ".part")
    for _ in range(400):
        if os.path.exists(part) and os.path.getsize(part) == 40000:
            break
        time.sleep(0.05)
    check(case, case.run() == 3 and "another process is fetching it" in case.said, "fetched twice at once")
    run.send_signal(sig)
    case.said = run.communicate(timeout=30)[1]
    check(case, run.returncode == code and not os.path.exists(case.file), "exit code is not %d" % code)
    check(case, case.run() == 0 and "resumed after 40.0 kB" in case.said and case.is_whole(), "not resumed")
    check(case, case.requests()[-1][0] == "bytes=40000-", "not resumed where it was")

# All of it was there already; a part of something else is not used.
case = Case("complete", "plain")
os.makedirs(case.data)
for name, text in ((".part", GZ), (".part.info", ("%s%s\n\"one\"\n" % (base, case.path)).encode())):
    with open(os.path.join(case.data, case.name + name), "wb") as f:
        f.write(text)
check(case, case.run() == 0 and case.requests() == [("bytes=%d-" % len(GZ), 416)] and case.is_whole(), "not taken")
case = Case("foreign", "plain")
os.makedirs(case.data)
for name, text in ((".part", b"x" * 99), (".part.info", b"http://elsewhere/\n\"one\"\n")):
    with open(os.path.join(case.data, case.name + name), "wb") as f:
        f.write(text)
check(case, case.run() == 0 and case.requests() == [(None, 200)] and case.is_whole(), "a foreign part is used")

# Names and suites.
case = Case("names", "plain")
check(case, case.run("nothing") == 2 and "unknown dataset 'nothing'" in case.said and not case.requests(), "a wrong name")
check(case, case.run("--suite=none") == 2, "a wrong suite")
os.path.exists(case.file) and os.remove(case.file)
run = subprocess.run(["tbench", "fetch", "--suite=s"], text=True, capture_output=True,
                     env=dict(env, TSR_DATA=case.data, TSR_DATASETS=case.csv))
case.said = run.stderr
check(case, run.returncode == 0 and case.is_whole(), "not by environment and suite")
run = subprocess.run(["tbench", "fetch", "--list"], text=True, capture_output=True,
                     env=dict(env, TSR_DATA=case.data, TSR_DATASETS=case.csv))
case.said = run.stdout
check(case, run.stdout.splitlines()[1].split() == ["names", "s", "1000", "x", "1000", "30000", "yes", "none"], "list")

Handler.stop.set()
server.shutdown()
end()
