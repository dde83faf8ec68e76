# shellcheck shell=bash
# Unknown names of all kinds: what was probably meant is said, in other case too; where nothing is near the known names are listed.
generate 1 6 4 5 6 >in.tns
generate 1 6 4 5 >in2.tns
echo "# formats"
t tconv in.tns -o out.h5 --format=csff
t tconv in2.tns -o out.h5 --format=csrr
t tconv in.tns -o out.h5 --format=ddq1
t tconv in2.tns -o out.h5 --format="'(i, j) -> (i : dence, j : Compressed)'"
t tkern "'y(i) = A(i,j)*x(j)'" -f A:csrr -d i:3,j:3
t tlayout convert --to=Mlir csr
echo "# spellings of other software"
for name in CUSPARSE_FORMAT_CSR MATAIJCUSPARSE mpiaij Csr_Array COOR:0,1 DMATC:0,1 MATSEQDENSE:0,1 "bsc(2,2)" "BAIJ(2,2)" "CUSPARSE_FORMAT_SLICED_ELL(2,1)"; do
    t tlayout convert --to=name "'$name'"
done
t tconv in2.tns -o out.h5 --format=MATSBAIJ
t tconv in2.tns -o out.h5 --format=CUSPARSE_FORMAT_COO_AOS
echo "# file formats, types, words"
t tconv in.tns --to=MTX -o -
t tinfo in.tns --from=txt '2>&1 | sed "s/known: .*/known: .../"'
t tconv in.tns -o out.h5 --type=F32
t tconv in.tns -o out.h5 --type=double
t tconv in.tns -o out.h5 --duplicates=Sum
t tconv in.tns -o out.h5 --header=extended-frostt
t tkern "'y(i) = A(i,j)*x(j)'" --engine=jitt
t tkern "'y(i) = A(i,j)*x(j)'" --semiring=min_max_plus '2>&1 | sed "s/known: .*/known: .../"'
t tkern "'y(i) = A(i,j)*x(j)'" --semiring=Min-Plus
t tconv in.tns -o out.h5 --reduce=mean:0
t tconv in.tns -o out.h5 --reduce=Sum:0
echo "# schedule items"
t tkern "'y(i) = A(i,j)*x(j)'" --schedule="'paralelize(i)'"
t tkern "'y(i) = A(i,j)*x(j)'" --schedule="'serial, '" '2>&1 | sed "s/known: .*/known: .../"'
echo "# commands"
t tlayout complment 4:1 24
t tlayout Convert csr
t tlayout frobnicate csr '2>&1 | sed "s/known: .*/known: .../"'
if command -v tbench >/dev/null; then
    t tbench spvm in2.tns
    t tbench comapre a b
    t tbench frobnicate in2.tns
    t tbench gen nel-2@0.01 -o -
    t tbench gen unifrom:dims=4x4,nnz=3 -o -
    t tbench spmv in2.tns --baseline=egen
    t tbench spmv in2.tns --format=csrr --quick
    t tbench fetch --suite=frost
fi >tbench.said 2>&1
[ -s tbench.said ] && cat tbench.said
echo "# options: abbreviations, candidates, other slips"
t tconv in.tns --verc -o out.h5
t tconv in.tns --verif --out=out.mtx --quiet
t tconv in2.tns --verif --out=out.mtx --quiet
t tconv in.tns --ver -o out.h5
t tconv in.tns --form csf --qui -o out.h5
t tconv in.tns --list -o out.h5
t tconv in.tns --Format=csf -o out.h5
t tconv in.tns --keep_symmetry -o out.h5
t tconv in.tns --=3 -o out.h5
t tinfo in.tns --mode=1,2 --pic
echo "# one name in all tools; the name of the version before is accepted with a note"
for tool in tconv tinfo tlayout tkern; do
    $tool --help | grep -oE -- '^ +(-., )?--(dims|format|json|quiet|threads|output|shape)(=[^ ]*|\[[^ ]*|) ' | sed "s/^ */$tool /; s/ *$//"
done
t tconv in2.tns --dims=9x9 -o out.mtx -q
t 'tinfo in.tns --shape=4,5,6 -q | head -1'
t 'tinfo in.tns --shape=4,5,6 2>&1 | head -2'
t tconv in2.tns -d 9,9 --shape 8,8 -o out.mtx '2>&1 | sed "s/, read.*//"'
t "tkern --list >/dev/null"
t tlayout --shape=3,4 "'(i, j) -> (i : dense, j : dense)'" 1,2
t tlayout -d 3,4 "'(i, j) -> (i : dense, j : dense)'" 1,2
echo "# --json in all tools"
seconds() { sed -E 's/"(seconds|(in|out)put_bytes)": .*/"\1": .../'; }
t tconv in.tns -f csf -o out.h5 --json '| seconds'
t tconv in.tns -f csf -o out.h5 --json=said.json
t 'seconds <said.json | head -4'
t tconv in.tns --transpose=2,0,1 --type=f32 --verify -o out.tns --json=- '| seconds'
t tconv in.tns --to=mtx -o - --json
t tconv in.tns -o out.h5 --json=in.tns
t tconv in.tns -o out.h5 --json=nowhere/said.json
t 'tinfo out.h5 --brief --json=said.json; head -3 said.json'
t 'tinfo in.tns --json=in.tns'
t 'tlayout convert --to=tla csr --json=never.json; ls never.json'
t "tlayout '(4,2):(2,1)' 1,1 --json=said.json && cat said.json"
steady_kernel() { sed -E 's/"((make|run|min|median)_seconds|triad_bytes_per_second)": [^,}]*/"\1": .../g; s/"(engine|from_cache)": .*/"\1": .../'; }
t "tkern 'y(i) = A(i,j)*x(j)' -i A:in2.tns -f A:csr -j1 --engine=interpreter --check --json | steady_kernel"
t "tkern 'y(i) = A(i,j)*x(j)' -d i:3,j:4 --type=i64 -j1 --check --time=1 --engine=interpreter --json=said.json; tail -4 said.json | steady_kernel"
t "tkern 'y(i) = A(i,j)*x(j)' -f A:csr --emit=graph --json"
t "tkern 'y(i) = A(i,j)*x(j)' -i A:in2.tns -o - --json"
t "tkern 'y(i) = A(i,j)*x(j)' -i A:none.tns --json=never.json; ls never.json"
t "tkern 'y(i) = A(i,j)*x(j)' -i A:in2.tns -o - --json=said.json && head -2 said.json"
echo "# --quiet"
t tlayout -q "'(4,2):(2,1)'" 1,1
t tlayout equal -q 4:1 4:1
t tlayout equal -q 4:1 4:2
t tlayout equal -q 4:1 nonsense
if command -v tbench >/dev/null; then
    t 'tbench spmv in2.tns --quick -f csr,csc -j1 --reps=1 --json 2>/dev/null | head -3'
    t 'tbench spmv in2.tns --quick --formats=csr,csc -j1 --reps=1 --json a.json 2>&1 | grep note; head -3 a.json'
    t 'tbench spmv in2.tns --quick --formats=csr,csc -j1 --reps=1 -q --json=b.json 2>&1 | grep note'
    t tbench compare -q a.json a.json
fi >tbench.said 2>&1
[ -s tbench.said ] && cat tbench.said
