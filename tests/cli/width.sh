# shellcheck shell=bash
# Messages wrap at the width of a terminal, and stay one line elsewhere; so does --help where the terminal is narrow.
needs_terminal
cat >wide.py <<'END'
import sys, terminal
run, mother = terminal.start(sys.argv[2:], columns=int(sys.argv[1]), both=True)
said = terminal.read(mother)
run.wait()
print(said.replace("\r\n", "\n"), end="")
END
generate 1 3 4 4 >in.tns
t python3 wide.py 60 tconv in.tns -o out.h5 --type=triple
t python3 wide.py 45 tconv in.tns -o out.h5 --type=triple
t python3 wide.py 0 tconv in.tns -o out.h5 --type=triple
t tconv in.tns -o out.h5 --type=triple
for width in 50 80 100; do
    python3 wide.py $width tconv in.tns -o out.h5 --format=zzzzz >said
    awk -v width=$width '{ if (length > width) print "too wide: " $0; if (length > most) most = length } END { print (most > width - 25) }' said
    tr -s ' \n' ' ' <said | cmp -s - <(tconv in.tns -o out.h5 --format=zzzzz 2>&1 | tr -s ' \n' ' ') || echo "other words at $width"
    python3 wide.py $width tconv --help | awk -v width=$width '/^[ ]{26}/ && length > width { print "help too wide: " $0 }'
done
