# tbench convert --pairs: every answer is checked, those of the libraries that are there too.
export XDG_CACHE_HOME=$PWD/cache TMPDIR=$PWD/tmp
mkdir tmp
command -v tbench >/dev/null || skip "built without tbench"
generate 2 400 30 20 >m.tns
generate 3 200 12 10 8 >t.tns
how="--quick --reps=1"
# Pairs and Tessera's rows; libraries are there or not.
rows() { awk '$1 == "convert" { print } $1 == "tessera" { print $1, $2 }'; }
t "tbench convert m.tns --pairs='csr:csc,csr:coo,csr:bcsr(4,4),coo:csr,csr:dense,csr:ell,sell(2,4):csr,bitmap:dia' --threads=1,2 $how | rows"
t "tbench convert t.tns --pairs=coo:csf,csf:csf:2,0,1 --threads=1 $how --json=r.json | rows"
t "grep -o '\"format\": *\"csf:csf:2,0,1\"' r.json | tr -d ' '"
t tbench convert m.tns --pairs=csr
t "tbench convert m.tns --pairs=csr:nonsense $how 2>&1 | sed 's/formats: .*/formats:/'"
t tbench pack m.tns --pairs=csr:csc
t "ls -A tmp"
