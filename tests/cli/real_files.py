"""All files of TSR_SHARED/data/{mtx,tns}: text to HDF5 and back gives identical content, checked against scipy.io.mmread
where it can read the file and against a plain reader of our own for .tns; or the file is refused with one sentence."""
import gzip
import os
import signal
import sys
import warnings

from checks import own_folder, run, shared, skip

try:
    import numpy
    import scipy.io
    import scipy.sparse
except ImportError:
    skip("no scipy")

data = shared("data")
warnings.simplefilter("ignore")


def tconv(*args):
    code, _, said = run("tconv", "-q", *args)
    return code, said


def open_text(path):
    with open(path, "rb") as f:
        zipped = f.read(2) == b"\x1f\x8b"
    return gzip.open(path, "rt") if zipped else open(path)


def plain_tns(path):
    """{coordinates: value} and the dims of a .tns file, or None where this reader does not know its header."""
    with open_text(path) as f:
        rows = [line.split("#")[0].split() for line in f]
    rows = [row for row in rows if row]
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        return None
    entries = {}
    for row in rows:
        at = tuple(int(i) for i in row[:-1])
        entries[at] = entries.get(at, 0) + float(row[-1])
    return entries


def too_long(*_):
    raise TimeoutError


signal.signal(signal.SIGPROF, too_long)


def mtx(path):
    """The matrix as scipy reads it, in rows, sorted, duplicates summed; None where it cannot (some files that end too early
    keep it busy for ever: it has 1.5 s of processor time, where the longest file that it can read takes 0.2)."""
    signal.setitimer(signal.ITIMER_PROF, 1.5)
    try:
        m = scipy.sparse.coo_matrix(scipy.io.mmread(path)).tocsr()
        m.sum_duplicates()
        m.sort_indices()
        return m
    except Exception:
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def same_matrix(a, b):
    if a.shape != b.shape:
        return "shapes %s and %s" % (a.shape, b.shape)
    if numpy.iscomplexobj(a.data) != numpy.iscomplexobj(b.data):
        return "types %s and %s" % (a.dtype, b.dtype)
    if not (numpy.array_equal(a.indptr, b.indptr) and numpy.array_equal(a.indices, b.indices)):
        a.eliminate_zeros(), b.eliminate_zeros()  # a dense array of the one side has its zeros in the other
    if not (numpy.array_equal(a.indptr, b.indptr) and numpy.array_equal(a.indices, b.indices)):
        return "other coordinates"
    if not numpy.array_equal(a.data, b.data, equal_nan=a.dtype.kind in "fc"):
        return "other values"
    return None


def is_plain(path):
    """A .tns file that anybody could read: lines of one length, indices from 1."""
    try:
        entries = plain_tns(path)
        return bool(entries) and min(min(at) for at in entries) >= 1
    except ValueError:
        return False


# What we refuse though scipy takes it: words that the header may not hold, a diagonal in a skew-symmetric matrix.
# What has other values than scipy's sum: two entries at one place of a file of GraphBLAS type bool are one.
decided_values = {"matrix_bool.mtx"}
decided = {"invalid_bad_field.mtx", "invalid_bad_symmetry.mtx", "matrix_coordinate_real_skew-symmetric.mtx"}


def check(path, folder):
    """(kind of result, complaint or remark)"""
    packed = os.path.join(folder, "x.h5")
    ours = os.path.join(folder, "back")
    name = path[:-3] if path.endswith(".gz") else path
    suffix = os.path.splitext(name)[1]
    code, said = tconv(path, "-o", packed, "--verify")
    if code == 1 and said.count("\n") == 0 and said.startswith("tconv: " + path[:20]):
        if suffix == ".mtx" and mtx(path) is not None and os.path.basename(path) not in decided:
            return "BAD", "refused, but scipy reads it: " + said
        if suffix == ".tns" and is_plain(path):
            return "BAD", "refused: " + said
        return "refused", said
    if code:
        return "BAD", "exit %d: %s" % (code, said)
    theirs = mtx(path) if suffix == ".mtx" else plain_tns(path) if suffix == ".tns" else None
    for extra in [], ["--keep-symmetry"]:
        if extra:  # without it the file is there: --verify only reads it again
            code, said = tconv(path, *extra, "-o", packed)
            if code:
                return "BAD", said
        back = ours + suffix
        code, said = tconv(packed, *extra, "-o", back)
        if code:
            return "BAD", said
        if suffix == ".mtx":
            if theirs is None:
                return "ok, unread by scipy", ""
            again = mtx(back)
            difference = same_matrix(theirs.copy(), again) if again is not None else "scipy cannot read what we wrote"
            if difference and not (difference == "other values" and os.path.basename(path) in decided_values):
                return "BAD", difference
        elif suffix == ".tns":
            if theirs is None:
                return "ok, header", ""
            again = plain_tns(back)
            if theirs != again:
                return "BAD", "other entries"
    return "ok", ""


counts = {}
folder = own_folder()
for top in "mtx", "tns":
    for where, _, names in sorted(os.walk(os.path.join(data, top))):
        for name in sorted(names):
            path = os.path.join(where, name)
            kind, remark = check(path, folder)
            counts[kind] = counts.get(kind, 0) + 1
            if remark:
                print(kind, os.path.relpath(path, data), remark.replace(data + "/", ""), sep="\t")
print(counts)
sys.exit(1 if counts.get("BAD") or counts.get("ok", 0) < 10 else 0)
