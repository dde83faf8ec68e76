# shellcheck shell=bash
# tbench convert --pairs: every answer is checked, those of the libraries that are there too.
export XDG_CACHE_HOME=$PWD/cache TMPDIR=$PWD/tmp
mkdir tmp
command -v tbench >/dev/null || skip "built without tbench"
generate 2 400 30 20 >m.tns
generate 3 200 12 10 8 >t.tns
how="--quick --reps=1"
# Pairs and Tessera's rows; libraries are there or not.
rows() { awk '$1 == "convert" { print } $1 ~ /^tessera/ { print $1, $2, $3 }'; }
t "tbench convert m.tns --pairs='csr:csc,csr:coo,csr:bcsr(4,4),coo:csr,shuffled:csr,csr:dense,csr:ell,sell(2,4):csr,bitmap:dia' --threads=1,2 $how | rows"
t "tbench convert t.tns --pairs=coo:csf,csf:csf:2,0,1 --threads=1 $how --json=r.json | rows"
t "grep -o '\"kernel\":\"convert csf:csf:2,0,1\"\|\"memory\":\"[a-z ]*\"' r.json"
# A generator's text is a tensor, too; rows that keep their source stand together, then those that consume it: a case each in the report.
t "tbench convert uniform:dims=30x20,nnz=50 --pairs=csr:csc --threads=1,2 $how --json=g.json | rows"
t "tbench report g.json | grep -o '^### .*'"
t "grep -o '\"name\":\"uniform[^\"]*\"' g.json | sort -u"
t tbench convert m.tns --pairs=csr
t "tbench convert m.tns --pairs=csr:nonsense $how 2>&1 | sed 's/formats: .*/formats:/'"
t tbench pack m.tns --pairs=csr:csc
t "ls -A tmp"
# Each row of Tessera tells how long the memory of its result takes.
t "grep -o 'touching new memory alone: ' g.json"
# Options of file formats, folders, and objects of files.
printf 'a;b;1\nc;d;2\n' >n.csv
mkdir store.zarr
printf '{"zarr_format":2,"shape":[2,2],"chunks":[2,2],"dtype":"|u1","compressor":null,"fill_value":0,"order":"C","filters":null}' >store.zarr/.zarray
printf '\1\2\3\4' >store.zarr/0.0
first() { sed -n '1p; s/  \(read\|fetch only\) .*/\1/p'; }
t "tbench read n.csv --relabel --separator=semicolon --threads=1 $how | first"
t "tbench read n.csv --relabel --separator=semicolon --mat-version=5 --threads=1 $how"
t "tbench write n.csv --relabel --separator=semicolon --index-base=1,0 -o o.tns --threads=1 $how | sed -n 1p"
t "tbench read store.zarr --threads=1 $how | first"
# A file that is not a text may be longer than the longest line of texts, without a newline: reading alone failed there.
printf '\223NUMPY\1\0\166\0%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': (70000000,), }" >long.npy
truncate -s 70000128 long.npy
t "tbench read long.npy --threads=1 $how | first"
