"""Zarr stores that a plain writer makes here: what Tessera reads is the array that was written; stores that lie are refused
in one sentence that names the fault."""
import gzip
import itertools
import json
import os
import shutil
import struct
import tempfile
import warnings
import zipfile
import zlib

from checks import end, expect, own_folder, run, skip

try:
    import numpy
except ImportError:
    skip("no numpy")

warnings.simplefilter("ignore")  # of zipfile, about a name that stands twice


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return struct.pack("<I", crc ^ 0xffffffff)


def put(store, key, data):
    path = os.path.join(store, key)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(json.dumps(data).encode() if isinstance(data, (dict, list)) else data)


def chunks(a, size, fill=0):
    """(place, elements) of each chunk, padded with the fill value."""
    for at in itertools.product(*(range(-(-n // s)) for n, s in zip(a.shape, size))):
        whole = numpy.full(size, fill, a.dtype)
        part = a[tuple(slice(i * s, (i + 1) * s) for i, s in zip(at, size))]
        whole[tuple(slice(0, n) for n in part.shape)] = part
        yield at, whole


def codec(name, **configuration):
    return {"name": name, "configuration": configuration}


little = codec("bytes", endian="little")


def meta3(a, size, codecs, fill=0, **more):
    names = {"b": "bool", "i": "int%d", "u": "uint%d", "f": "float%d", "c": "complex%d"}
    kind = names[a.dtype.kind]
    return dict({"zarr_format": 3, "node_type": "array", "shape": list(a.shape),
                 "data_type": kind % (8 * a.dtype.itemsize) if "%" in kind else kind,
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(size)}},
                 "chunk_key_encoding": codec("default", separator="/"), "fill_value": fill, "codecs": codecs,
                 "attributes": {}}, **more)


def write3(store, a, size, codecs, encode, fill=0, path="", **more):
    prefix = path + "/" if path else ""
    put(store, prefix + "zarr.json", meta3(a, size, codecs, fill, **more))
    for at, whole in chunks(a, size, fill):
        if not (whole == fill).all():
            put(store, prefix + "/".join(["c"] + [str(i) for i in at]), encode(whole))


def shard(whole, inner, first=False, part=lambda c: gzip.compress(c.tobytes()), checksum=True):
    """The bytes of a shard: its parts, and an index of them."""
    index, body = b"", b""
    count = 1
    for n, s in zip(whole.shape, inner):
        count *= n // s
    base = 16 * count + 4 * checksum if first else 0
    for _, c in chunks(whole, inner):
        if (c == 0).all():
            index += struct.pack("<QQ", 2**64 - 1, 2**64 - 1)
        else:
            data = part(c)
            index += struct.pack("<QQ", base + len(body), len(data))
            body += data
    index += crc32c(index) if checksum else b""
    return index + body if first else body + index


def sharding(inner, location="end", checksum=True, codecs=None):
    return codec("sharding_indexed", chunk_shape=list(inner), codecs=codecs or [little, codec("gzip", level=5)],
                 index_codecs=[little] + ([codec("crc32c")] if checksum else []), index_location=location)


def reads(what, store, a, folder):
    """Whether the store is read as this array."""
    out = os.path.join(folder, "out.npy")
    code, _, said = run("tconv", "-q", store, "-o", out)
    expect(what, code == 0 and numpy.array_equal(numpy.load(out), a), said)
    code, printed, said = run("tinfo", "--brief", store)
    expect(what + ", described", code == 0 and " x ".join(str(n) for n in a.shape) in printed, said)


def refused(what, store, words):
    code, _, said = run("tconv", "-q", store, "-o", store + ".npy")
    expect(what, code in (1, 2, 3) and words in said and said.count("\n") == 0, "%d %s" % (code, said))


def check_good(folder):
    rng = numpy.random.default_rng(5)
    a = rng.integers(-50, 50, (7, 5)).astype("f8")
    a[3:6, 2:4] = 0
    cube = rng.integers(0, 9, (4, 6, 5)).astype("i4")
    new = lambda: tempfile.mkdtemp(dir=folder, suffix=".zarr")

    for name, encode, codecs in (
            ("gzip", lambda c: gzip.compress(c.tobytes()), [little, codec("gzip", level=1)]),
            ("big-endian", lambda c: c.astype(">f8").tobytes(), [codec("bytes", endian="big")]),
            ("crc32c", lambda c: c.tobytes() + crc32c(c.tobytes()), [little, codec("crc32c")]),
            ("crc32c, then gzip", lambda c: gzip.compress(c.tobytes() + crc32c(c.tobytes())),
             [little, codec("crc32c"), codec("gzip", level=1)]),
            ("gzip, then crc32c", lambda c: (lambda z: z + crc32c(z))(gzip.compress(c.tobytes())),
             [little, codec("gzip", level=1), codec("crc32c")])):
        store = new()
        write3(store, a, (3, 2), codecs, encode)
        reads(name, store, a, folder)

    for order in [0, 1, 2], [2, 1, 0], [1, 2, 0]:
        store = new()
        write3(store, cube, (3, 2, 4), [codec("transpose", order=order), little],
               lambda c: numpy.ascontiguousarray(c.transpose(order)).tobytes())
        reads("axes %s" % order, store, cube, folder)

    for location in "end", "start":
        for checksum in True, False:
            store = new()
            write3(store, a, (4, 4), [sharding((2, 2), location, checksum)],
                   lambda c: shard(c, (2, 2), location == "start", checksum=checksum))
            reads("shards, index at the %s, checksum %s" % (location, checksum), store, a, folder)
    store = new()
    write3(store, cube, (2, 6, 4), [sharding((1, 3, 2), codecs=[codec("transpose", order=[2, 0, 1]), little])],
           lambda c: shard(c, (1, 3, 2), part=lambda p: numpy.ascontiguousarray(p.transpose(2, 0, 1)).tobytes()))
    reads("shards of three modes", store, cube, folder)

    for name, b, fill in (("bool", a > 0, False), ("int64", a.astype("i8"), 7), ("half", a.astype("f2"), 0),
                          ("infinite fill", numpy.where(a == 0, numpy.inf, a), "Infinity")):
        store = new()
        value = numpy.inf if fill == "Infinity" else fill
        b = numpy.where(a == 0, value, b).astype(b.dtype)
        put(store, "zarr.json", meta3(b, (2, 2), [little], fill))
        for at, whole in chunks(b, (2, 2), value):
            if not (whole == value).all():
                put(store, "c/%d/%d" % at, whole.tobytes())
        reads("type and fill: " + name, store, b.astype("u1") if name == "bool" else b, folder)
    store = new()
    write3(store, a, (3, 2), [little], lambda c: c.tobytes(), chunk_key_encoding={"name": "v2"})
    for at, whole in chunks(a, (3, 2)):
        put(store, "%d.%d" % at, whole.tobytes())
    reads("keys of version 2", store, a, folder)

    # Version 2.
    for order, separator, id in ("C", ".", "zlib"), ("F", "/", "gzip"), ("C", "/", None):
        store = new()
        put(store, ".zarray", {"zarr_format": 2, "shape": [7, 5], "chunks": [3, 2], "dtype": "<f8", "order": order,
                               "compressor": {"id": id, "level": 1} if id else None, "fill_value": 0,
                               "filters": [{"id": "shuffle", "elementsize": 8}], "dimension_separator": separator})
        for at, whole in chunks(a, (3, 2)):
            raw = whole.tobytes(order)
            raw = numpy.frombuffer(raw, "u1").reshape(-1, 8).T.tobytes()
            pack = {"zlib": zlib.compress, "gzip": gzip.compress, None: bytes}[id]
            put(store, separator.join(map(str, at)), pack(raw))
        reads("version 2, %s %s %s" % (order, separator, id), store, a, folder)
    archive = os.path.join(folder, "top.zip")
    with zipfile.ZipFile(archive, "w") as z:
        for name in (".zarray",) * 2 + tuple(str(i) + "/" + str(j) for i in range(3) for j in range(3)):
            with open(os.path.join(store, name), "rb") as f:
                z.writestr("a/b.zarr/" + name, b"{" if z.namelist() == [] else f.read())
    reads("an archive with the tree in a folder, and a name twice", archive, a, folder)


def check_sparse(folder):
    """AnnData's csr and csc in version 3, with shards; indices of several types; rows that are not sorted."""
    store = os.path.join(folder, "s.zarr")
    put(store, "zarr.json", {"zarr_format": 3, "node_type": "group", "attributes": {}})
    for name, kind, sort in ("X", "csr_matrix", True), ("layers/u", "csr_matrix", False), ("obsp/c", "csc_matrix", True):
        top = name.split("/")[0]
        if "/" in name:
            put(store, top + "/zarr.json", {"zarr_format": 3, "node_type": "group", "attributes": {}})
        put(store, name + "/zarr.json", {"zarr_format": 3, "node_type": "group", "attributes": {
            "encoding-type": kind, "encoding-version": "0.1.0", "shape": [3, 4]}})
        major = 3 if kind == "csr_matrix" else 4
        lengths = [2, 0, 3] if major == 3 else [1, 2, 0, 2]
        indices = [1, 3, 0, 1, 2] if major == 3 else [0, 0, 2, 1, 2]
        if not sort:
            indices[0], indices[1] = indices[1], indices[0]
        for part, b in (("data", numpy.arange(1, 6, dtype="f4")), ("indices", numpy.array(indices, "u1")),
                        ("indptr", numpy.cumsum([0] + lengths).astype("i8"))):
            write3(store, b, (4,), [sharding((2,))], lambda c: shard(c, (2,)), path=name + "/" + part)
    code, printed, said = run("tinfo", "--brief", store)
    expect("sparse, described", code == 0 and all(w in printed for w in (":X: 3 x 4, 5", ":layers/u: 3 x 4, 5",
                                                                         ":obsp/c: 3 x 4, 5")), said)
    for name, rows in (("X", ["1 2 1.0", "1 4 2.0", "3 1 3.0", "3 2 4.0", "3 3 5.0"]),
                       ("layers/u", ["1 2 2.0", "1 4 1.0", "3 1 3.0", "3 2 4.0", "3 3 5.0"]),
                       ("obsp/c", ["1 1 1.0", "1 2 2.0", "2 4 4.0", "3 2 3.0", "3 4 5.0"])):
        out = os.path.join(folder, "s.tns")
        code, _, said = run("tconv", "-q", store + ":" + name, "--duplicates=sum", "-o", out)
        expect("sparse " + name, code == 0 and sorted(open(out).read().split("\n"))[1:] == rows, said or sorted(open(out).read().split("\n")))
    refused("no such object", store + ":Y", "has no object 'Y'")
    refused("out of the store", store + ":../x", "has no object '../x'")


def check_bad(folder):
    a = numpy.arange(1, 13, dtype="f8").reshape(3, 4)

    def store(name, size=(2, 2), codecs=None, encode=lambda c: c.tobytes(), **more):
        path = os.path.join(folder, name + ".zarr")
        write3(path, a, size, codecs or [little], encode, **more)
        return path

    refused("short chunk", store("short", encode=lambda c: c.tobytes()[1:]), "has 31 bytes where 32 are expected")
    refused("long chunk", store("long", encode=lambda c: c.tobytes() + b"1"), "has 33 bytes where 32 are expected")
    gz = [little, codec("gzip", level=1)]
    refused("truncated gzip", store("cut", codecs=gz, encode=lambda c: gzip.compress(c.tobytes())[:-9]), "is damaged")
    refused("gzip of more", store("more", codecs=gz, encode=lambda c: gzip.compress(c.tobytes() * 2)), "is damaged")
    for name in "zstd", "blosc", "lz4":
        refused("noise for " + name, store(name, codecs=[little, codec(name)], encode=lambda c: b"\x02\x01\x33\x08" * 9),
                "is damaged")
    refused("checksum", store("crc", codecs=[little, codec("crc32c")], encode=lambda c: c.tobytes() + b"\0\0\0\0"),
            "is damaged")
    refused("two compressors", store("two", codecs=gz + [codec("zstd")]), "compressed twice")
    refused("unknown codec", store("odd", codecs=[little, codec("nosuch")]), "has the codec 'nosuch'")
    refused("shard in a shard", store("nested", (2, 2), [sharding((2, 2), codecs=[sharding((1, 1))])]),
            "'sharding_indexed', which is not supported")
    refused("parts do not tile", store("tile", (3, 2), [sharding((2, 2))]), "whole number of chunks")
    index = struct.pack("<QQ", 5, 1 << 40)
    refused("part beyond the shard", store("beyond", (2, 2), [sharding((2, 2))], lambda c: index + crc32c(index)),
            "ends after the shard")
    refused("index checksum", store("index", (2, 2), [sharding((2, 2))], lambda c: index + b"\0\0\0\0"), "is damaged")
    refused("shard without an index", store("tiny", (2, 2), [sharding((1, 1))], lambda c: b"1234"), "cannot have 4 parts")
    for name, more, words in (
            ("huge shape", {"shape": [1 << 62, 1 << 62]}, "more than 2^64 cells"),
            ("negative", {"shape": [-1, 4]}, "no valid 'shape'"),
            # What broke: parts of a shard were not bounded; 3,000 of 16 MiB that shared their bytes took minutes.
            ("padded parts of a shard", {"shape": [3000, 1], "chunk_grid": codec("regular", chunk_shape=[3000, 1 << 21]),
                                         "codecs": [sharding((1, 1 << 21))]}, "such padding is not supported"),
            ("chunks of 0", {"chunk_grid": codec("regular", chunk_shape=[0, 2])}, "no valid 'chunk_shape'"),
            ("many chunks", {"shape": [100000, 100000], "chunk_grid": codec("regular", chunk_shape=[1, 1])},
             "10000000000 chunks"),
            ("padding", {"chunk_grid": codec("regular", chunk_shape=[1 << 30, 1 << 10])}, "such padding"),
            ("17 modes", {"shape": [1] * 17}, "17 dimensions"),
            ("type", {"data_type": "float8"}, "type 'float8'"), ("texts", {"data_type": "string"}, "has texts"),
            ("version", {"zarr_format": 4}, "no valid 'zarr_format'"),
            ("transformers", {"storage_transformers": [{}]}, "storage_transformers"),
            ("fill", {"fill_value": "x"}, "no valid 'fill_value'"), ("no codecs", {"codecs": []}, "no valid 'codecs'")):
        path = store(name)
        put(path, "zarr.json", dict(meta3(a, (2, 2), [little]), **more))
        refused(name, path, words)
    path = os.path.join(folder, "json.zarr")
    put(path, "zarr.json", b"[" * 100000)
    refused("deep JSON", path, "is not a JSON object")
    path = os.path.join(folder, "deep.zarr")
    for depth in range(50):
        put(path, "g/" * depth + "zarr.json", {"zarr_format": 3, "node_type": "group"})
    write3(path, a, (2, 2), [little], lambda c: c.tobytes(), path="g/" * 49 + "a")
    refused("deep groups", path, "has no matrix that is supported")
    path = os.path.join(folder, "pipe.zarr")
    put(path, ".zgroup", b"{}")
    os.mkdir(path + "/X")
    os.mkfifo(path + "/X/.zarray")
    refused("a pipe as metadata", path + ":X", "is not a regular file")
    path = os.path.join(folder, "csr.zarr")
    put(path, "zarr.json", {"zarr_format": 3, "node_type": "group", "attributes": {
        "encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": [3, 4]}})
    for part, b in ("data", a[0]), ("indices", numpy.array([0, 1, 9, 3])), ("indptr", numpy.array([0, 1, 2, 4])):
        write3(path, b, (4,), [little], lambda c: c.tobytes(), path=part)
    refused("an index beyond the dim", path, "but the dim is 4")
    shutil.rmtree(path + "/indptr")
    refused("an array that is missing", path, "'indptr' is missing")


folder = own_folder()
check_good(folder)
check_sparse(folder)
check_bad(folder)
end(least=60)
