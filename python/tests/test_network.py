"""Files of a network: file objects that ask a server for ranges of bytes, and servers that lie, stall, drop and truncate."""
import http.client
import http.server
import threading
import urllib.request
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp

import tessera as ts

DENSE = sp.random(3000, 400, 0.05, "csr", random_state=np.random.default_rng(7))


class Server(http.server.BaseHTTPRequestHandler):
    """Gives ranges of `content`, and counts the bytes; after `honest` bytes it does what `fault` says."""

    content = b""
    fault = ""
    honest = 0
    given = 0

    def log_message(self, *_):
        pass

    def do_GET(self):
        own = type(self)
        first, last = map(int, self.headers["Range"].split("=")[1].split("-"))
        data = own.content[first : last + 1]
        fault = own.fault if own.given >= own.honest else ""
        own.given += len(data)
        if fault == "stall":
            own.release.wait(20)
            return
        if fault == "refuse":
            self.send_error(503)
            return
        sent = data[: (len(data) + 1) // 2] if fault in ("drop", "truncate") else data + b"more" if fault == "lie" else data
        self.send_response(206)
        self.send_header("Content-Length", str(len(data if fault == "drop" else sent)))
        self.end_headers()
        self.wfile.write(sent)
        self.close_connection = True


class Remote:
    """A file of the server, as fsspec's are: seek, tell, read."""

    name = "remote.h5"

    def __init__(self, url, nbytes):
        self.url, self.nbytes, self.at = url, nbytes, 0

    def seekable(self):
        return True

    def tell(self):
        return self.at

    def seek(self, at, whence=0):
        self.at = at + (0, self.at, self.nbytes)[whence]
        return self.at

    def read(self, n):
        if self.at >= self.nbytes or n == 0:
            return b""
        request = urllib.request.Request(self.url, headers={"Range": "bytes=%d-%d" % (self.at, min(self.at + n, self.nbytes) - 1)})
        with urllib.request.urlopen(request, timeout=1) as answer:
            data = answer.read()
        self.at += len(data)
        return data


@pytest.fixture()
def remote(tmp_path):
    kind = type("Kind", (Server,), {"release": threading.Event()})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    path = tmp_path / "whole.h5"
    ts.write(path, ts.tensor(DENSE))
    kind.content = path.read_bytes()
    yield kind, Remote("http://127.0.0.1:%d/remote.h5" % server.server_address[1], len(kind.content))
    kind.release.set()
    server.shutdown()
    server.server_close()
    thread.join()


def test_only_what_is_read(remote):
    kind, file = remote
    part = ts.read(file, select="100:110; :")
    assert np.array_equal(part.todense(), DENSE[100:110].toarray())
    assert kind.given < len(kind.content) // 4
    file.seek(0)
    assert np.array_equal(ts.read(file).todense(), DENSE.toarray())


@pytest.mark.parametrize("fault", ["stall", "refuse", "drop", "truncate", "lie"])
@pytest.mark.parametrize("honest", [2000, 100_000])
def test_servers_that_fail(remote, fault, honest, tmp_path, monkeypatch):
    kind, file = remote
    kind.fault, kind.honest = fault, honest
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    if fault == "truncate":  # an answer that is too short: the rest is asked for
        assert np.array_equal(ts.read(file).todense(), DENSE.toarray())
    else:
        with pytest.raises((OSError, ValueError, http.client.HTTPException)):
            ts.read(file)
    assert not list((tmp_path / "temporary").iterdir())


def test_members_of_archives_are_read_in_sequence(remote, tmp_path):
    """Each step back in a compressed file would decompress it from its beginning."""
    kind, _ = remote
    path = tmp_path / "whole.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("whole.h5", kind.content)
    places = []

    class Member(zipfile.ZipExtFile):
        def seek(self, offset, whence=0):
            places.append(offset)
            return super().seek(offset, whence)

    with zipfile.ZipFile(path) as archive, archive.open("whole.h5") as member:
        member.__class__ = Member
        assert np.array_equal(ts.read(member).todense(), DENSE.toarray())
    assert places == []


def test_fsspec(remote):
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("aiohttp")
    kind, file = remote
    # Its server must say how long the file is.
    kind.do_HEAD = lambda self: (
        self.send_response(200),
        self.send_header("Content-Length", str(len(kind.content))),
        self.send_header("Accept-Ranges", "bytes"),
        self.end_headers(),
    )
    with fsspec.open(file.url, cache_type="none") as opened:
        part = ts.read(opened, select="5; :")
    assert np.array_equal(part.todense(), DENSE[5:6].toarray())
    assert kind.given < len(kind.content) // 4
