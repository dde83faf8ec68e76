# shellcheck shell=bash
# The progress line: on a terminal, after a second, removed at the end; never with --quiet.
needs_terminal
generate 1 2000 300 300 >in.tns
cat >slow.py <<'END'
import re, sys, terminal, time
run, mother = terminal.start(["tconv", "pipe", "--from=tns", "-o", "out.h5"] + sys.argv[2:], is_terminal=sys.argv[1] == "terminal")
text = open("in.tns", "rb").read()
with open("pipe", "wb") as pipe:
    for _ in range(16):
        for _ in range(60):
            pipe.write(text)
        time.sleep(0.1)
said = terminal.read(mother)
print("exit", run.wait(), "progress:", bool(re.search(r"\rread [0-9.]+ [kM]B, [0-9.]+ [kM]B/s", said)),
      "wiped:", bool(re.search(r"\r\033\[Kpipe: ", said)), "summary:", "-> out.h5" in said)
END
mkfifo pipe
t python3 slow.py terminal
t python3 slow.py terminal --quiet
t python3 slow.py pipe
# Lines for logs, as often as the user says; drawn where the user wants that; bad values.
sed 's/^print("exit".*/lines = re.findall(r"(?m)^tconv: read [0-9.]+ [kM]B, [0-9.]+ [kM]B\/s, [0-9]+ s so far\\r?$", said)/;
     s/^      "wiped:".*/print("exit", run.wait(), "lines:", len(lines) > 2, "drawn:", "\\033[K" in said)/' slow.py >lines.py
t python3 lines.py pipe --progress=0.2
t python3 lines.py terminal --progress=0.2
t python3 lines.py terminal --progress=lines
t python3 lines.py terminal --progress=never
t python3 lines.py pipe --progress=0.2 --quiet
t python3 lines.py pipe --progress=always
t tconv in.tns -o out.h5 --progress=sometimes
t tconv in.tns -o out.h5 --progress=0
