# shellcheck shell=bash
# tbench report and compare, on made-up records; and a record that tbench makes.
# record COMMIT NAME:FORMAT:THREADS:PACK:SAMPLE,...: a record of rows of spmv on NAME, 1000 entries, 16000 bytes.
record() {
    local commit=$1 separator=
    shift
    printf '{"schema":"tessera-bench","version":1,"command":"tbench spmv","interrupted":false,'
    printf '"machine":{"cpu":"a processor","cpus":2,"commit":"%s","flags":"-O3"},' "$commit"
    printf '"roofs":[{"threads":1,"triad_bytes_s":1e10,"gather_s":1e8,"fma_f64_flop_s":4e10,"fma_f32_flop_s":8e10}],"rows":['
    for row; do
        IFS=: read -r name format threads pack samples <<<"$row"
        printf '%s{"kernel":"spmv","dataset":{"name":"%s","dims":[10,100],"nnz":1000,"stand_in":true,"seed":1},"type":"f64",' "$separator" "$name"
        printf '"threads":%s,"candidate":"tessera","format":"%s","bytes":16000,"pack_ns":%s,"moved_bytes":20000,"flops":2000,' \
            "$threads" "$format" "$pack"
        printf '"reference":"coo","speedup":{"value":2,"lo":1.9,"hi":2.1},"checked":true,"noisy":false,"samples_ns":[%s]}' "$samples"
        separator=,
    done
    echo ']}'
}
coo=5000,5010,5020,5030,5040 csr=2500,2510,2520,2530,2540 slow=2800,2810,2820,2830,2840
record aaa "a<b>:coo:1:null:$coo" "a<b>:csr:1:25000:$csr" >a.json
record bbb "a<b>:coo:1:null:$coo" "a<b>:csr:1:25000:$slow" >b.json

t tbench compare a.json a.json
t tbench compare a.json b.json
t tbench compare b.json a.json
t tbench compare a.json b.json --threshold=20
t tbench compare a.json b.json --threshold=20 --all
t tbench compare a.json
record ccc "other:coo:1:null:$coo" >c.json
t tbench compare a.json c.json
echo '{"schema":"tessera-bench","version":1,"machine":{},"rows":[{"kernel":7}]}' >bad.json
t tbench compare a.json bad.json
t tbench report bad.json
t tbench report nothing.json
t tbench report

t tbench report a.json
t tbench report a.json b.json -o out '2>/dev/null'
t "cut -d, -f 1,2,3,5,14,15,26,29,34-37 out/rows.csv"
t "grep -o '<td[^>]*>a&[^<]*' out/index.html | sort -u"
# Records of two builds: it is said, and each tensor bears a letter.
t "tbench report a.json b.json 2>&1 | grep -o 'Several.*\|^| a.*\|warning.*' | cut -c 1-200"
t "grep -o 'class=.flag. role.*' out/index.html"
# Others beside ours, absent ones too; a generator's text in short, and whole where two have the same.
python3 - <<'END'
import json
def row(name, candidate, median, **more):
    return {"kernel": "spmv", "dataset": {"name": name, "dims": [500000] * 2, "nnz": 4000000, "stand_in": False, "seed": 1}, "type": "f64",
            "threads": 2, "candidate": candidate, "samples_ns": [median] * 3 if median else [], "reference": "coo", "checked": True, **more}
rows = []
for name in "power-law:dims=500000x500000,nnz=4000000,skew=0.8", "block:n=200000,block=4,per-row=5", "block:n=200000,block=4,per-row=6":
    rows += [row(name, "tessera", 4e6, format="coo", pack_ns=1e6), row(name, "tessera", 2e6, format="csr", pack_ns=9e6),
             row(name, "librsb", 3e6, version="1.3", pack_ns=1, note="always on one thread"), row(name, "eigen", 1e6, format="csr"),
             row(name, "splatt", 0, note="no path is given")]
json.dump({"schema": "tessera-bench", "version": 1, "command": "tbench spmv --baselines", "machine": {"commit": "aaa"}, "roofs": [], "rows": rows},
          open("others.json", "w"))
END
t tbench report others.json -o others '2>/dev/null'
t "grep -A 9 '^Tessera and the baselines' others/report.md"
t cat others/summary.md others/commands.md
# A name has its own colour, whatever stands beside it; bars have whiskers.
t "grep -ho 'lt [0-9]* fs .*\"csr\"' out/speedup*.gp others/speedup*.gp | sed 's/.* \(lt [0-9]*\).*/\1/; s/ fs.*//' | sort -u"
t "grep -c 'intervals using' others/speedup*.gp"
# The page begins with the choice; a note stands once, below the rows.
t "grep -o '<h2[^>]*>[^<]*' others/index.html; grep -c 'always on one thread</li>\|<li id=.note-1.>always on one thread' others/index.html"
t "grep -o '<td>none is faster\|class=bar\|from 100</i>' others/index.html | sort | uniq -c"
t "cut -d, -f 5- others/rows.csv | grep -o '\"power.*' | cut -d, -f 12,34-"
t "grep -A 4 'class=.others' others/index.html"
t "grep -A 3 '<summary>Tensors' others/index.html"
t "grep -oE '(src|href|url)[=(].?https?:' out/index.html"
# Nothing of a name is run or taken for markup, and gnuplot says when it is absent.
record ddd "\`touch owned\`\$(touch owned)';!touch owned:coo:1:null:$coo" "x:csr:1:1:$csr" >d.json
t tbench report d.json -o "'it'\''s'" '2>/dev/null'
t "ls | grep owned; ls it* | grep html"
mkdir empty
tbench=$(command -v tbench)
PATH=$PWD/empty "$tbench" report a.json -o none
t ls none

# What was measured until an interruption is in the record.
generate 1 2000 300 300 >in.tns
t tbench pack in.tns --quick --reps=3 --json=r.json '>/dev/null'
t "grep -c '\"kernel\":\"pack\"' r.json"
t tbench pack in.tns --json=no/where.json
tbench pack "$PWD/in.tns" --quick --reps=1 --json="$PWD/p.json" >/dev/null # folders of one's own are not told
t "grep -o '\"command\": *\"[^\"]*' p.json"
python3 - <<'END'
import json, os, signal, subprocess, time
run = subprocess.Popen(["tbench", "pack"] + ["in.tns"] * 60 + ["--quick", "--reps=5", "--cold", "--json=i.json"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
for _ in range(3000):
    if os.path.exists("i.json") or run.poll() is not None:
        break
    time.sleep(0.05)
run.send_signal(signal.SIGINT)
code = run.wait()
record = json.load(open("i.json"))
rows = record["rows"]
print("exit", code, "interrupted", record["interrupted"], "rows", len(rows) > 0, all(r["samples_ns"] for r in rows))
END
