#!/usr/bin/env python3
"""sums.py TKERN: how the C text of a sum grows with the number of operands, and the processor time that making it takes.

The sums have 2 to 16 operands, all sparse, the result too. The time is that of `TKERN --emit=c11`, the least of RUNS, less that of a
copy of one operand: reading the statement, planning, lowering and printing. Standard output is a table for docs/kernels.md."""
import os
import subprocess
import sys

RUNS = 9
FORMATS = [("csr", "i,j", "i:1000,j:1000"), ("csf", "i,j,k", "i:1000,j:1000,k:1000")]


def command(tkern, n, form, index, sizes):
    names = [chr(ord("A") + k) for k in range(n)]
    text = "R(%s) = %s" % (index, " + ".join("%s(%s)" % (name, index) for name in names))
    formats = [word for name in ["R"] + names for word in ("-f", name + ":" + form)]
    return [tkern, text if n > 1 else text.replace("= ", "= 2*"), *formats, "-d", sizes, "--emit=c11"]


def seconds(args):
    """The least processor time of RUNS, and what the program wrote."""
    least = None
    for _ in range(RUNS):
        child = subprocess.Popen(args, stdout=subprocess.PIPE)
        written = child.stdout.read()
        _, status, used = os.wait4(child.pid, 0)
        if status:
            sys.exit("%s failed" % " ".join(args))
        spent = used.ru_utime + used.ru_stime
        least = spent if least is None else min(least, spent)
    return least, written


def main():
    tkern = sys.argv[1]
    print("| operands |" + "".join(" %s: lines, kB, ms |" % form for form, _, _ in FORMATS))
    print("|---|" + "---|" * len(FORMATS))
    single = [seconds(command(tkern, 1, *how))[0] for how in FORMATS]
    for n in (2, 3, 4, 6, 8, 12, 16):
        cells = []
        for how, before in zip(FORMATS, single):
            spent, written = seconds(command(tkern, n, *how))
            cells.append("%d, %.1f, %.1f" % (written.count(b"\n"), len(written) / 1e3, max(0, spent - before) * 1e3))
        print("| %d | %s |" % (n, " | ".join(cells)))
    print("\nMeasured with `%s`." % tkern)


main()
