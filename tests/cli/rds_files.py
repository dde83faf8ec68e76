"""R's .rds: files of R with what R reads from them (tests/files/rds), files that are cut or changed, and, where R is installed, what R reads from
ours."""
import gzip
import os
import random
import shutil
import subprocess

from checks import content, end, expect, own_folder, run

samples = os.path.join(os.environ["TSR_SOURCE"], "tests", "files", "rds")


def tconv(what, *args, code=0):
    got, _, said = run("tconv", "-q", *args)
    expect(what, got == code, "%s -> %s %s" % (" ".join(args), got, said))
    return said


def answers():
    """(file, object, dims, entries) of answers.txt."""
    for part in content(os.path.join(samples, "answers.txt")).decode().split("= ")[1:]:
        head, *rows = part.strip().split("\n")
        file, path, nrows, ncolumns = head.split()
        yield file, path, (int(nrows), int(ncolumns)), sorted(tuple(map(float, row.split())) for row in rows)


def entries(path):
    """The dims and the sorted entries of a file, through .tns with a header."""
    tconv(path, path, "-o", "e.tns", "--header=parti", *["--duplicates=keep"] * ("dgT" in path))
    lines = [line.split() for line in content("e.tns").decode().splitlines()]
    return tuple(map(int, lines[1])), sorted((float(i) - 1, float(j) - 1, float(v[0]) if v else 1.0) for i, j, *v in lines[2:])


def check_read():
    for file, path, dims, rows in answers():
        name = os.path.join(samples, file) + ("" if path == "-" else ":" + path)
        got = entries(name)
        zeros = [row for row in rows if row[2] != 0]
        expect("dims of " + name, got[0] == dims, str(got[0]))
        expect("entries of " + name, got[1] in (rows, zeros), "%s\n%s" % (got[1], rows))
        os.environ["TSR_STREAM_BUCKET"] = "60" # in parts, of builds with faults
        parts = entries(name)
        del os.environ["TSR_STREAM_BUCKET"]
        expect("in parts: " + name, parts == got, "%s\n%s" % (parts, got))
    for file, words in ("ascii.rds", "text form"), ("na.rds", "NA"), ("list.rds:b/note", "not a kind"), ("list.rds:b/no", "no object"):
        said = tconv(file, os.path.join(samples, file), "-o", "x.tns", code=2 if words == "no object" else 1)
        expect(file, words in said, said)
    code, out, _ = run("tinfo", "--brief", os.path.join(samples, "list.rds"))
    expect("tinfo lists them", code == 0 and "b/counts" in out and "pattern" not in out, out)
    tconv("names", os.path.join(samples, "dgC.rds"), "-o", "n.rds", "--labels=names")
    expect("names", content("names.0.map").decode().split("\n")[:2] == ["r1", "r2"] and content("names.1.map").decode().split("\n")[0] == "c\u00e41")


def check_hostile():
    """Cut and changed files give an error, or another matrix, and never a crash."""
    rng = random.Random(4)
    for file in "dgC.rds", "seurat.rds", "dgT.rds", "list.rds":
        plain = gzip.decompress(content(os.path.join(samples, file)))
        cases = [plain[:n] for n in range(0, len(plain), max(1, len(plain) // 25))]
        for _ in range(60):
            changed = bytearray(plain)
            for _ in range(rng.randint(1, 4)):
                changed[rng.randrange(len(changed))] = rng.choice([0, 1, 127, 128, 254, 255, rng.randrange(256)])
            cases.append(bytes(changed))
        for i, data in enumerate(cases):
            with open("bad.rds", "wb") as f:
                f.write(data)
            os.environ["TSR_STREAM_BUCKET"] = "60" if i % 2 else ""
            code, _, said = run("tconv", "-q", "--from=rds", "bad.rds" + (":assays/RNA/counts" if file == "seurat.rds" else ""), "-o", "bad.h5", "-j1", timeout=60)
            expect("%s, case %d" % (file, i), code in (0, 1, 2, 3) and (code == 0 or said.startswith("tconv: ")), "%s %s" % (code, said))
    del os.environ["TSR_STREAM_BUCKET"]


def check_written():
    with open("w.mtx", "w") as f:
        f.write("%%MatrixMarket matrix coordinate real general\n4 3 5\n1 1 1.5\n3 1 -2\n2 2 1e-300\n4 3 7\n1 3 0.1\n")
    with open("p.mtx", "w") as f:
        f.write("%%MatrixMarket matrix coordinate pattern general\n4 3 2\n1 1\n3 2\n")
    for form in "csc", "csr", "coo":
        for source in "w.mtx", "p.mtx":
            out = "%s_%s.rds" % (source[0], form)
            tconv("written", source, "-o", out, "-f", form)
            expect("back from " + out, entries(source) == entries(out))
    # parts, as for more than 2^31 - 1 entries
    os.environ["TSR_RDS_MOST"] = "2"
    code, _, said = run("tconv", "w.mtx", "-o", "many.rds", "-f", "csc")
    del os.environ["TSR_RDS_MOST"]
    if "list of matrices" in said:  # only builds with faults
        expect("parts", code == 0 and entries("many.rds:counts.1") == ((4, 1), [(0, 0, 1.5), (2, 0, -2)]) and
               entries("many.rds:counts.3") == ((4, 1), [(0, 0, 0.1), (3, 0, 7)]), said)
    with open("big.tns", "w") as f:
        f.write("1 1 9007199254740993\n")
    said = tconv("not a double", "big.tns", "-o", "big.rds", code=1)
    expect("not a double", "9007199254740993" in said, said)
    if not shutil.which("Rscript"):
        print("without R")
        return
    script = """suppressMessages(library(Matrix))
for (f in c("w_csc","w_csr","w_coo","p_csc","p_csr","p_coo","n")) { m <- readRDS(paste0(f, ".rds")); stopifnot(validObject(m))
  cat(f, class(m), dim(m), sum(m), as.matrix(m)[3,1] + 0, if (is.null(rownames(m))) "-" else rownames(m)[2], "\\n") }
if (file.exists("many.rds")) { l <- readRDS("many.rds"); cat(names(l), dim(do.call(cbind, l)), "\\n") }
"""
    said = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True)
    want = ["w_csc dgCMatrix 4 3 6.6 -2 -", "w_csr dgRMatrix 4 3 6.6 -2 -", "w_coo dgTMatrix 4 3 6.6 -2 -", "p_csc ngCMatrix 4 3 2 0 -",
            "p_csr ngRMatrix 4 3 2 0 -", "p_coo ngTMatrix 4 3 2 0 -"]
    got = [line.strip() for line in said.stdout.split("\n")]
    expect("R reads ours", got[:6] == want and " r2" in got[6], said.stdout + said.stderr)


own_folder()
check_read()
check_hostile()
check_written()
end(least=300)
