"""h5py reads what we write: an unpacker of Binsparse that knows only the specification, fed by bsp_samples.

Usage: h5py_check.py BSP_SAMPLES FOLDER. Exit status 77: no h5py here."""
import json
import subprocess
import sys

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

ALIASES = {  # kinds of the storage dimensions (t: goes on with the tuple above), transpose
    "DVEC": ("d", [0]), "CVEC": ("s", [0]), "DMAT": ("dd", [0, 1]), "DMATC": ("dd", [1, 0]),
    "CSR": ("ds", [0, 1]), "CSC": ("ds", [1, 0]), "DCSR": ("ss", [0, 1]), "DCSC": ("ss", [1, 0]),
    "COO": ("st", [0, 1]), "COOC": ("st", [1, 0]),
}


def tree(descriptor):
    custom, kinds = descriptor["custom"], ""
    level = custom["level"]
    while level["level_desc"] != "element":
        rank = level["rank"]
        kinds += "d" * rank if level["level_desc"] == "dense" else "s" + "t" * (rank - 1)
        level = level["level"]
    if descriptor["format"] != "custom":
        assert ALIASES[descriptor["format"]] == (kinds, custom["transpose"]), descriptor["format"]
    else:
        assert (kinds, custom["transpose"]) not in ALIASES.values()
    return kinds, custom["transpose"]


def read(group):
    text = group.attrs["binsparse"]
    assert isinstance(text, str), "a variable-length UTF-8 string"
    outer = json.loads(text)
    assert list(outer) == ["binsparse"]
    descriptor = outer["binsparse"]
    assert descriptor["version"] == "0.1.0"
    assert sorted(descriptor["data_types"]) == sorted(k for k in group if isinstance(group[k], h5py.Dataset))
    arrays = {}
    for name, word in descriptor["data_types"].items():
        array = group[name][()]
        assert array.ndim == 1
        inner = word.replace("iso[", "").replace("complex[", "").rstrip("]").replace("bint8", "uint8")
        assert array.dtype == np.dtype(inner), (name, array.dtype, word)
        if name != "values":
            assert word in ("int32", "int64", "uint8", "uint16"), word
        if "complex" in word:
            array = array[0::2] + 1j * array[1::2].astype(complex)
        arrays[name] = array
    kinds, transpose = tree(descriptor)
    shape = descriptor["shape"]
    positions = [()]  # the storage coordinates of each position
    for k, kind in enumerate(kinds):
        if kind == "d":
            positions = [p + (i,) for p in positions for i in range(shape[transpose[k]])]
        elif kind == "t":
            positions = [p + (i,) for p, i in zip(positions, arrays[f"indices_{k}"])]
        else:
            crd = arrays[f"indices_{k}"]
            pos = arrays[f"pointers_to_{k}"] if k else [0, len(crd)]
            assert len(pos) == len(positions) + 1
            positions = [p + (i,) for n, p in enumerate(positions) for i in crd[pos[n]:pos[n + 1]]]
    values = arrays["values"]
    if descriptor["data_types"]["values"].startswith("iso["):
        assert len(values) == 1
        values = np.repeat(values, len(positions))
    assert len(values) == len(positions) == descriptor["number_of_stored_values"]
    entries = {}
    for storage, value in zip(positions, values):
        logical = [0] * len(shape)
        for k, i in enumerate(storage):
            logical[transpose[k]] = int(i)
        if value != 0 or kinds[-1:] != "d":
            entries[tuple(logical)] = complex(value)
    return shape, entries


def check(path, shape, entries):
    file, _, group = path.partition(".h5:")
    with h5py.File(file if not group else file + ".h5", "r") as f:
        got = read(f[group or "/"])
    assert got == (shape, entries), (path, got, (shape, entries))


def main():
    told = subprocess.run(sys.argv[1:3], check=True, stdout=subprocess.PIPE, text=True).stdout
    path, n = None, 0
    for line in told.splitlines():
        word, *rest = line.split()
        if word == "file":
            if path:
                check(path, shape, entries)
            path, entries, n = rest[0], {}, n + 1
        elif word == "shape":
            shape = [int(s) for s in rest]
        else:
            entries[tuple(int(s) for s in rest[:-2])] = complex(float(rest[-2]), float(rest[-1]))
    check(path, shape, entries)
    print(n, "files read")


main()
