#!/usr/bin/env python3
"""network.py [--gigabytes=1] [--rows=1000]: the bytes that a server on this machine sends for rows of HDF5 files of a gigabyte, beside those of
the chunks that have these rows: rows one after the other and random ones, of compressed chunks of 100 rows, of the usual ones, and of
arrays that are not cut into chunks, for which the bytes of the rows themselves count.

The file is made in $TMPDIR and removed. Rows have 213 entries of f64 on average."""
import argparse
import http.server
import os
import tempfile
import threading
import time
import urllib.request

import h5py
import numpy as np
import scipy.sparse as sp

import tessera as ts

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("--gigabytes", type=float, default=1)
parser.add_argument("--rows", type=int, default=1000)
args = parser.parse_args()


class Server(http.server.BaseHTTPRequestHandler):
    """Gives ranges of a file, and counts."""

    path_of = ""
    sent = nrequests = 0

    def log_message(self, *_):
        pass

    def do_GET(self):
        first, last = map(int, self.headers["Range"].split("=")[1].split("-"))
        with open(Server.path_of, "rb") as file:
            file.seek(first)
            data = file.read(last + 1 - first)
        Server.sent += len(data)
        Server.nrequests += 1
        self.send_response(206)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Remote:
    """The file of the server as an object: seek, tell, read."""

    name = "remote.h5ad"

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
        request = urllib.request.Request(self.url, headers={"Range": "bytes=%d-%d" % (self.at, min(self.at + n, self.nbytes) - 1)})
        with urllib.request.urlopen(request) as answer:
            data = answer.read()
        self.at += len(data)
        return data


def chunk_nbytes(path, rows):
    """The stored bytes of all chunks of /X that have entries or pointers of the rows."""
    with h5py.File(path) as file:
        pointers = file["X/indptr"][:].astype(np.int64)
        total = 0
        for name, first, end in [
            ("data", pointers[rows], pointers[rows + 1]),
            ("indices", pointers[rows], pointers[rows + 1]),
            ("indptr", rows, rows + 2),
        ]:
            array = file["X"][name]
            if not array.chunks:
                total += int(np.sum(end - first)) * array.dtype.itemsize
                continue
            wanted = set()
            for lo, hi in zip(first // array.chunks[0], (np.maximum(end, first + 1) - 1) // array.chunks[0]):
                wanted.update(range(lo, hi + 1))
            total += sum(array.id.get_chunk_info_by_coord((int(c) * array.chunks[0],)).size for c in wanted)
    return total


def matrix():
    rng = np.random.default_rng(5)
    nrows, ncols = int(args.gigabytes * 1e9 / 12 / 213), 30_000
    ends = np.concatenate(([0], np.cumsum(rng.poisson(213, nrows))))
    indices = rng.integers(0, ncols, ends[-1], dtype=np.int32)
    made = sp.csr_matrix((rng.random(ends[-1]), indices, ends), shape=(nrows, ncols))
    made.sum_duplicates()
    return made


whole = matrix()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
rng = np.random.default_rng(6)
picked = {
    "one after the other": np.arange(args.rows) + whole.shape[0] // 2,
    "random": np.sort(rng.choice(whole.shape[0], args.rows, replace=False)),
}
print("%-22s %-20s %12s %12s %6s %9s %7s" % ("chunks", "rows", "chunks, MB", "sent, MB", "ratio", "requests", "s"))
with tempfile.TemporaryDirectory() as folder:
    for deflate, chunks in ((1, "rows:100"), (1, None), (None, None)):
        Server.path_of = os.path.join(folder, "whole.h5ad")
        ts.write(Server.path_of, whole, deflate=deflate, options={"chunks": chunks})
        nbytes = os.path.getsize(Server.path_of)
        for name, rows in picked.items():
            Server.sent = Server.nrequests = 0
            file = Remote("http://127.0.0.1:%d/whole.h5ad" % server.server_address[1], nbytes)
            start = time.perf_counter()
            part = ts.read(file, select=",".join(map(str, rows)) + "; :", labels=False)
            seconds = time.perf_counter() - start
            assert part.nnz == whole[rows].nnz and part.sum() == ts.tensor(whole[rows]).sum()
            chunked = chunk_nbytes(Server.path_of, rows)
            shown = "%s, %.2f GB" % (chunks or ("usual" if deflate else "not in chunks"), nbytes / 1e9)
            print("%-22s %-20s %12.2f %12.2f %6.2f %9d %7.2f"
                  % (shown, name, chunked / 1e6, Server.sent / 1e6, Server.sent / chunked, Server.nrequests, seconds))  # fmt: skip
server.shutdown()
