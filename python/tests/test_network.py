"""Files of a network: file objects that ask a server for ranges of bytes, stores that ask it for files, and servers that lie, stall, drop
and truncate."""
import collections.abc
import gzip
import http.client
import http.server
import io
import json
import pathlib
import threading
import urllib.error
import urllib.request
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp

import tessera as ts

DENSE = sp.random(3000, 400, 0.05, "csr", random_state=np.random.default_rng(7))


class Server(http.server.BaseHTTPRequestHandler):
    """Gives ranges of `content`, or files of the folder `root`, and counts the bytes; after `honest` bytes it does what `fault` says,
    `nfaults` times."""

    content = b""
    root = None
    fault = ""
    nfaults = 1 << 30
    honest = 0
    given = 0
    asked: "list[str]" = []
    running: "type[Server]"

    def log_message(self, *_):
        pass

    def do_GET(self):
        own = type(self)
        own.asked.append(self.path)
        if "Range" in self.headers:
            first, last = map(int, self.headers["Range"].split("=")[1].split("-"))
            data = own.content[first : last + 1]
        elif own.root and (own.root / self.path[1:]).is_file():
            data = (own.root / self.path[1:]).read_bytes()
        else:
            self.send_error(404)
            return
        fault = own.fault if own.given >= own.honest and own.nfaults > 0 else ""
        own.nfaults -= fault != ""
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


def patience():
    """Seconds to wait for an answer: few only where the server gives none, since a busy machine is slow, too."""
    return 0.4 if Server.running.fault == "stall" and Server.running.nfaults > 0 else 60


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
        with urllib.request.urlopen(request, timeout=patience()) as answer:
            data = answer.read()
        self.at += len(data)
        return data


class Store(collections.abc.Mapping):
    """A folder of the server, as fsspec.get_mapper gives it: names to bytes."""

    def __init__(self, url):
        self.url = url

    def __getitem__(self, name):
        try:
            with urllib.request.urlopen(self.url + name, timeout=patience()) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise KeyError(name) if error.code == 404 else error from None

    def __iter__(self):
        raise AssertionError("a server does not list its files")

    __len__ = __iter__


@pytest.fixture()
def remote(tmp_path):
    kind = type("Kind", (Server,), {"release": threading.Event(), "asked": []})
    Server.running = kind
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
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


ARCHIVES = ["whole.h5", "whole.npz", "whole.zarr.zip"]


def _serve(remote, path, tensor, **options):
    """Write the tensor to the path, and have the server give that file."""
    kind, file = remote
    ts.write(path, ts.tensor(tensor), **options)
    kind.content = path.read_bytes()
    file.nbytes, file.name = len(kind.content), path.name
    return kind, file


@pytest.mark.parametrize("name", ARCHIVES[1:])
def test_only_members_that_are_read(remote, tmp_path, name):
    """Of an archive: its directory, and of the arrays the bytes, or the chunks, of the rows."""
    options = {"options": {"chunks": "rows:200"}} if "zarr" in name else {}
    kind, file = _serve(remote, tmp_path / name, DENSE, **options)
    part = ts.read(file, select="100:110; :")
    assert np.array_equal(part.todense(), DENSE[100:110].toarray())
    assert kind.given < len(kind.content) // 2
    file.seek(0)
    kind.given, kind.asked[:] = 0, []
    assert np.array_equal(ts.read(file).todense(), DENSE.toarray())
    assert kind.given < len(kind.content) * 5 // 4 + 1000
    # The bytes of an array that lies in sequence come in pieces that grow.
    assert "zarr" in name or len(kind.asked) < 25


def test_parts_of_archives_that_are_damaged_elsewhere(tmp_path):
    """What is not wanted is not read."""
    ts.write(tmp_path / "x.npz", ts.tensor(DENSE))
    content = bytearray((tmp_path / "x.npz").read_bytes())
    with zipfile.ZipFile(tmp_path / "x.npz") as archive:
        place = archive.getinfo("data.npy")
    for i in range(place.header_offset + 10_000, place.header_offset + 90_000):
        content[i] ^= 255
    (tmp_path / "x.npz").write_bytes(content)
    rows = slice(2000, 2010)
    assert np.array_equal(ts.open(tmp_path / "x.npz")[rows].todense(), DENSE[rows].toarray())
    with pytest.raises(ts.FormatError, match="checksum"):
        ts.read(tmp_path / "x.npz")


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("together", [False, True])
def test_folders_of_files(remote, tmp_path, version, together):
    """Of Zarr in a folder only files that are read are asked for, each once; with all metadata in one file, none of metadata."""
    kind, file = remote
    path = kind.root = tmp_path / "store"
    path.mkdir()
    path /= "x.zarr"
    ts.write(path, ts.tensor(DENSE), options={"zarr-version": str(version), "chunks": "rows:200"})
    if together:
        found = {str(p.relative_to(path)): json.loads(p.read_text()) for p in path.rglob("*") if p.name[0] == "." or p.name == "zarr.json"}
        if version == 2:
            (path / ".zmetadata").write_text(json.dumps({"zarr_consolidated_format": 1, "metadata": found}))
        else:
            below = {str(pathlib.PurePath(name).parent): value for name, value in found.items() if name != "zarr.json"}
            (path / "zarr.json").write_text(json.dumps({**found["zarr.json"], "consolidated_metadata": {"kind": "inline", "metadata": below}}))
    store = Store(file.url.replace("remote.h5", "x.zarr/"))
    assert np.array_equal(ts.read(store).todense(), DENSE.toarray())
    assert len(set(kind.asked)) == len(kind.asked)
    whole, kind.asked[:] = len(kind.asked), []
    part = ts.read(store, "X", select="450:460; :", labels=False)
    assert np.array_equal(part.todense(), DENSE[450:460].toarray())
    chunks = [name for name in kind.asked if name.rsplit("/", 1)[1].isdigit()]
    assert sorted(name.split("/")[3] for name in chunks) == ["data", "indices", "indptr"]
    assert len(kind.asked) < whole
    assert not together or len(kind.asked) - len(chunks) <= 4


def test_folders_in_memory(tmp_path):
    """Any mapping, names that it does not have, values of other types."""
    ts.write(tmp_path / "x.zarr", ts.tensor(DENSE), options={"chunks": "rows:500"})
    store = {str(p.relative_to(tmp_path / "x.zarr")): p.read_bytes() for p in (tmp_path / "x.zarr").rglob("*") if p.is_file()}
    assert np.array_equal(ts.read(store).todense(), DENSE.toarray())
    assert ts.info(store, brief=True)["tensors"] == ts.info(tmp_path / "x.zarr", brief=True)["tensors"]
    with pytest.raises(ts.TesseraError, match="without a Zarr group"):
        ts.read({})
    with pytest.raises(ts.TesseraError, match="no object 'layers/y'"):
        ts.read(store, "layers/y")
    del store["X/data/c/0" if "X/data/c/0" in store else "X/data/0"]  # a chunk that is missing has fill values
    assert ts.read(store).todense()[:400].sum() == 0
    store["X/indices/0"] = store["X/indices/c/0"] = "text"
    with pytest.raises(TypeError):
        ts.read(store)


@pytest.mark.parametrize("fault", ["stall", "refuse", "drop"])
def test_folders_whose_servers_fail(remote, fault, tmp_path, monkeypatch):
    kind, file = remote
    kind.root = tmp_path / "store"
    kind.root.mkdir()
    ts.write(kind.root / "x.zarr", ts.tensor(DENSE))
    kind.fault, kind.honest = fault, 50_000
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    store = Store(file.url.replace("remote.h5", "x.zarr/"))
    with pytest.raises((OSError, http.client.HTTPException)):
        ts.read(store)
    kind.nfaults = 2
    assert np.array_equal(ts.read(store, retries=2).todense(), DENSE.toarray())
    assert not list((tmp_path / "temporary").iterdir())


@pytest.mark.parametrize("name", ARCHIVES)
def test_retries(remote, tmp_path, name):
    kind, file = _serve(remote, tmp_path / name, DENSE)
    kind.fault, kind.honest, kind.nfaults = "refuse", 20_000, 2
    with pytest.raises(OSError):
        ts.read(file, retries=1)
    kind.nfaults = 1
    file.seek(0)
    assert np.array_equal(ts.read(file, retries=1).todense(), DENSE.toarray())


@pytest.mark.parametrize("name", [*ARCHIVES, "whole.mtx", "whole.mtx.gz"])
def test_open(remote, tmp_path, name):
    kind, file = _serve(remote, tmp_path / name, DENSE)
    opened = ts.open(file)
    assert opened.shape == DENSE.shape and name in repr(opened)
    for key in [slice(10, 20), (slice(None, None, 500), slice(3, 9)), (np.array([5, 2999, 5]), slice(None)), 17]:
        expected = DENSE[[key] if isinstance(key, int) else key].toarray()
        assert np.array_equal(opened[key].todense(), expected[0] if isinstance(key, int) else expected)


def test_texts_are_streams(remote, tmp_path, monkeypatch):
    """Texts come once, from front to back, into no file."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "nowhere"))
    for suffix in ("mtx", "tns", "csv", "mtx.gz"):
        ts.write(tmp_path / ("x." + suffix), ts.tensor(DENSE))
        content = (tmp_path / ("x." + suffix)).read_bytes()

        class Once(io.RawIOBase):
            name, at, largest = "x." + suffix, 0, 0

            def readinto(self, room):
                part = content[self.at : self.at + len(room)]
                room[: len(part)] = part
                self.at, self.largest = self.at + len(part), max(self.largest, len(room))
                return len(part)

        stream = Once()
        assert np.array_equal(ts.read(stream, dims=DENSE.shape if suffix in ("tns", "csv") else None).todense(), DENSE.toarray())
        assert stream.at == len(content) and stream.largest <= 8 << 20


class Broken(io.BytesIO):
    """A connection for writing that is lost."""

    def write(self, data):
        if self.tell() + len(data) > 1000:
            raise ConnectionResetError("lost")
        return super().write(data)


@pytest.mark.parametrize("version", [2, 3])
def test_written_stores(tmp_path, version):
    how = {"options": {"zarr-version": str(version), "chunks": "rows:200"}}
    store: "dict[str, bytes]" = {}
    ts.write(store, ts.tensor(DENSE), **how)
    ts.write(tmp_path / "x.zarr", ts.tensor(DENSE), **how)
    folder = tmp_path / "x.zarr"
    assert store == {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    assert (ts.read(store).to_scipy() != DENSE).nnz == 0
    with pytest.raises(ValueError, match="the store has files"):
        ts.write(store, ts.tensor(DENSE))
    with pytest.raises(ValueError, match="leave codec out"):
        ts.write({}, ts.tensor(DENSE), codec="npz")

    class Full(dict):
        def __setitem__(self, name, value):
            if len(self) == 5:
                raise OSError("no room")
            super().__setitem__(name, value)

    full = Full()
    with pytest.raises(OSError, match="no room"):
        ts.write(full, ts.tensor(DENSE), **how)
    assert not full
    fsspec = pytest.importorskip("fsspec")
    ts.write(fsspec.get_mapper((tmp_path / "y.zarr").as_uri()), ts.tensor(DENSE), **how)
    assert (ts.read(tmp_path / "y.zarr").to_scipy() != DENSE).nnz == 0


@pytest.mark.parametrize("name", ["out.h5", "out.mtx", "out.npz", "out.zarr.zip", "out.tns.gz"])
def test_writing(tmp_path, monkeypatch, name):
    """Into file objects; one that fails is an error, and leaves no file where the file system can discard it."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    made = io.BytesIO()
    made.name = name
    ts.write(made, DENSE)
    ts.write(tmp_path / name, DENSE)
    assert made.getvalue() == (tmp_path / name).read_bytes()
    broken = Broken()
    broken.name = name
    with pytest.raises(ConnectionResetError):
        ts.write(broken, DENSE)
    assert not list((tmp_path / "temporary").iterdir())
    fsspec = pytest.importorskip("fsspec")
    target = tmp_path / "there" / name
    target.parent.mkdir()
    ts.write(fsspec.open(str(target), "wb"), DENSE)
    assert target.read_bytes() == made.getvalue()
    target.unlink()
    opener = fsspec.open(str(target), "wb")
    plain, opens = type(opener.fs), type(opener.fs).open

    def fails_later(self, *arguments, **options):
        file = opens(self, *arguments, **options)
        monkeypatch.setattr(file, "write", lambda data: Broken.write(broken, data), raising=False)
        return file

    monkeypatch.setattr(plain, "open", fails_later)
    with pytest.raises(ConnectionResetError):
        ts.write(opener, DENSE)
    assert not list(target.parent.iterdir())


@pytest.mark.parametrize("fault", ["stall", "refuse", "drop", "truncate", "lie"])
@pytest.mark.parametrize("honest", [2000, 100_000])
@pytest.mark.parametrize("name", ARCHIVES)
def test_servers_that_fail(remote, fault, honest, name, tmp_path, monkeypatch):
    kind, file = _serve(remote, tmp_path / name, DENSE)
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


def test_fsspec(remote, tmp_path):
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
    assert np.array_equal(ts.read(fsspec.open(file.url)).todense(), DENSE.toarray())
    kind.root = tmp_path / "store"
    kind.root.mkdir()
    ts.write(kind.root / "x.zarr", ts.tensor(DENSE), options={"chunks": "rows:200"})
    store = fsspec.get_mapper(file.url.replace("remote.h5", "x.zarr"))
    kind.asked.clear()
    assert np.array_equal(ts.open(store, labels=False)[450:460, ::2].todense(), DENSE[450:460, ::2].toarray())
    assert sum(name.rsplit("/", 1)[1].isdigit() for name in kind.asked) == 3
    kind.fault = "drop"
    with pytest.raises(Exception, match="[Pp]ayload|closed|disconnect"):
        ts.read(store)
