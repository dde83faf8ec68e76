"""Random statements whose plans are printed, read back and edited: the text alone gives the program that the schedule gave, and an edited
plan is followed, with the values of the evaluator of random_model.py, or refused in words of the statement.

    random_plans.py                          # the rounds of the ordinary test
    random_plans.py FIRST LAST [compiled]    # these rounds; the rounds that fail print their command, and their plan"""
import os
import random
import re
import shlex
import sys

from checks import case_runs, complain, end, expect, own_folder, run
from random_statements import Statement, compared, formats_of_round, random_schedule

MACHINES = ["", ", merged", ", merged in steps that double", ", located in a table of %s, which stays the same in the loop around"]
SHARES = ["exclusive", "private", "atomic"]
WORKSPACES = ["taken out in order of the coordinates", "whose coordinates are listed and sorted", "whose marks are read in order of the coordinates",
              "a hash table, whose coordinates are listed and sorted", "a list of all contributions, which is sorted and summed"]
ITEMS = ["scalar", "deterministic", "width(16)", "without(flags)", "without(hoist)", "plain", "unroll(%s,2)", "vectorize(%s)", "literal(%s)"]


def swap_loops(rng, lines, statement):
    """Two variables change places, in the lines of one term and around all terms, or in the whole plan."""
    if len(statement.names) < 2:
        return
    a, b = rng.sample(statement.names, 2)
    for k, line in enumerate(lines):
        if line.lstrip().startswith(("for ", "around ", "threads: ")):
            lines[k] = re.sub(r"\b(%s|%s)\b" % (a, b), lambda m: b if m[0] == a else a, line)


def move_line(rng, lines, statement):
    """A line about a loop goes elsewhere."""
    loops = [k for k, line in enumerate(lines) if line.lstrip().startswith("for ")]
    if len(loops) > 1:
        a, b = rng.sample(loops, 2)
        lines[a], lines[b] = lines[b], lines[a]


def change_machine(rng, lines, statement):
    met = [k for k, line in enumerate(lines) if re.search(", (merged|located)", line)]
    for k in rng.sample(met, min(len(met), 1)):
        machine = rng.choice(MACHINES)
        if "%" in machine:
            machine %= rng.choice(list(statement.tensors) or ["A"])
        lines[k] = re.sub(", merged in steps that double|, merged|, located.*around", lambda m: machine, lines[k])


def change_share(rng, lines, statement):
    shared = [k for k, line in enumerate(lines) if "threads: " in line]
    for k in rng.sample(shared, rng.choice([len(shared), min(1, len(shared))])):
        if rng.random() < 0.3:
            lines[k] = re.sub("threads: .*", "threads: one", lines[k])
        elif rng.random() < 0.3:
            lines[k] = re.sub(r"level (\d)", "level %d" % rng.randint(1, 3), lines[k])
        else:
            lines[k] = re.sub(r" is (exclusive|private|atomic)$", " is " + rng.choice(SHARES), lines[k])


def change_workspace(rng, lines, statement):
    for k, line in enumerate(lines):
        if line.startswith("workspace over "):
            lines[k] = re.sub(r"^(workspace over (\w+, )*?)(%s)" % "|".join(w.split(",")[0] + ".*" for w in WORKSPACES),
                              lambda m: m[1] + rng.choice(WORKSPACES), line)
    lines[:] = [line for line in lines if not line.startswith(("each row is measured", "a row of few columns"))]


def change_conversion(rng, lines, statement):
    """A conversion is left out, added, or goes to another format."""
    copies = [k for k, line in enumerate(lines) if line.startswith("convert ")]
    if copies and rng.random() < 0.7:
        k = rng.choice(copies)
        if rng.random() < 0.4:
            del lines[k]
        else:
            lines[k] = re.sub(" to .* as ", " to %s as " % rng.choice(["csr", "csc", "dcsr", "ss:1,0", "s", "csf"]), lines[k])
    elif lines and lines[0].startswith("the loops merge"):
        name = rng.choice(list(statement.tensors) or ["A"])
        lines.insert(1, "convert %s to %s as %s_ij: it is asked for" % (name, rng.choice(["csr", "dcsr", "ss:1,0", "s"]), name))


def change_program(rng, lines, statement):
    item = rng.choice(ITEMS)
    item = item % rng.choice(statement.names) if "%" in item else item
    at = next((k for k, line in enumerate(lines) if line.startswith("program: ")), None)
    if at is not None:
        lines[at] = "program: " + item
    else:
        lines.insert(next((k for k, line in enumerate(lines) if line.startswith("term ")), 0), "program: " + item)


def change_number(rng, lines, statement):
    k = rng.choice([k for k, line in enumerate(lines) if re.search(r"\d", line)] or [0])
    lines[k] = re.sub(r"\d+", lambda m: str(rng.choice([0, 1, 2, 16, 64, 1000])), lines[k], count=1)


def drop_line(rng, lines, statement):
    del lines[rng.randrange(len(lines))]


def pass_on(rng, lines, statement):
    """Blanks and reasons do not matter."""
    for k, line in enumerate(lines):
        lines[k] = line.rstrip() + " " * rng.randint(0, 2)
        if line.startswith("the loops merge"):
            lines[k] = "the loops merge: as I like"


EDITS = [swap_loops, swap_loops, move_line, change_machine, change_machine, change_share, change_share, change_workspace, change_conversion,
         change_conversion, change_program, change_number, drop_line, pass_on]


def names_statement(said, plan):
    """Whether the message is about the plan, in words of the statement: of the operands and variables of the lines of terms."""
    words = set(re.findall(r"\w+", said.split("the plan ", 1)[-1]))
    return "tkern: the plan " in said and bool(words.intersection(re.findall(r"\w+", plan)))


def without_output(command):
    at = command.index("-o")
    return command[:at] + command[at + 2:]


def keep(text):
    with open("R.plan", "w") as f:
        f.write(text)


def values(name, command, statement, plan):
    """The values are those of the statement. True: they were compared."""
    code, out, said = run(*command, "--plan=R.plan")
    if code != 0:
        expect(name, code in (1, 2, 3) and names_statement(said, plan), "exit code %d: %s\n%s" % (code, said, plan))
        return False
    return compared(name, statement, out, plan)


def round_(number, engine):
    """(the plan was followed, an edited one was)."""
    rng = random.Random(number)
    formats_of_round(rng)
    statement = next(s for s in iter(lambda: Statement(rng), None) if s.is_complete())
    command = statement.command() + ["-j%d" % rng.choice([1, 2, 3, 7])]
    schedule, _ = random_schedule(rng, statement)
    asked = ["--schedule=" + schedule] * (schedule != "")
    code, plan, said = run(*without_output(command), *asked, "--emit=plan")
    if code != 0 and asked:
        asked = []
        code, plan, said = run(*without_output(command), "--emit=plan")
    name = "round %d: %s\n  " % (number, shlex.join(command + asked))
    expect(name, code == 0, "exit code %d: %s" % (code, said))
    if code != 0:
        return False, False
    keep(plan)
    if not re.search("^then ", plan, re.M):  # of several steps the last one alone is read
        program = run(*without_output(command), *asked, "--emit=ir")[1]
        code, followed, said = run(*without_output(command), "--plan=R.plan", "--emit=ir")
        expect(name, code == 0 and program == followed, "%s\n%s" % (said or "another program", plan))
    lines = plan.splitlines()
    for _ in range(rng.choice([1, 1, 2, 3])):
        if len(lines) > 1:
            rng.choice(EDITS)(rng, lines, statement)
    edited = "".join(line + "\n" for line in lines)
    keep(edited)
    return True, values(name, command + ["--engine=" + engine], statement, edited)


def main():
    arguments = [a for a in sys.argv[1:] if a != "compiled"]
    rounds = range(int(arguments[0]), int(arguments[1]) + 1) if len(arguments) > 1 else range(1, 161)
    rounds = [number for number in rounds if case_runs(number)]
    os.environ["XDG_CACHE_HOME"] = os.path.join(own_folder(), "cache")
    done = [round_(number, "jit" if "compiled" in sys.argv else "interpreter") for number in rounds]
    followed = sum(edited for _, edited in done)
    print("followed: %d of %d, edited: %d" % (sum(f for f, _ in done), len(rounds), followed))
    if followed < len(rounds) // 6:
        complain("only %d of %d edited plans were followed" % (followed, len(rounds)))
    end()


if __name__ == "__main__":
    main()
