# shellcheck shell=bash
# The command line: what is accepted, what is refused and how.
generate 1 6 4 5 6 >in.tns
t 'tconv --version | sed "s/[0-9.]*$/VERSION/"'
t tinfo -V '| sed "s/[0-9.]*$/VERSION/"'
t tconv
t tinfo
t tconv in.tns
t tconv in.tns more.tns -o out.h5
t tconv --fromat=csf in.tns -o out.h5
t tconv --dupliactes=sum in.tns -o out.h5
t tconv --form=csf in.tns -o out.h5
t tconv --xyzzy in.tns -o out.h5
t tconv -x in.tns -o out.h5
t tconv in.tns -o
t tconv in.tns -o out.h5 --format
t tconv in.tns -o out.h5 --verify=yes
# An option took the option that follows as its argument, and of two values the last won in silence.
t tconv in.tns --transpose -o out.h5
t tconv in.tns -f --quiet -o out.h5
t tconv in.tns -o a.h5 -o b.h5
t tconv in.tns --to=tns --to=csv -o a.h5
t tconv in.tns --quiet --pad -1:1 --transpose=2,0,1 --transpose 1,0,2 -o padded.tns
t tconv in.tns -o out.h5 --index=12
t tconv in.tns -o out.h5 --duplicates=all
t tconv in.tns -o out.h5 --threads=0
t tconv in.tns -o out.h5 --threads=9999999999999999999999
t tconv in.tns -o out.h5 --dims=4,,5
t tconv in.tns -o out.h5 --dims=4,5,6z
t tconv in.tns -o out.h5 --dims=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
t tconv in.tns -o out.h5 --dims=99999999999999999999
t tconv in.tns -o out.h5 --dims=9999999999999999999
t tconv in.tns -o out.h5 --index-base=2
t tconv in.tns -o out.h5 --deflate=10
t tconv in.tns -o out.h5 --type=f18 '2>&1 | sed "s/known: .*/known: .../"'
t tconv in.tns -o out.h5 --from=foo '2>&1 | sed "s/known: .*/known: .../"'
t tconv in.tns -o out.h5 --to=foo '2>&1 | sed "s/known: .*/known: .../"'
t tconv in.tns -o out.foo '2>&1 | sed "s/suffixes: .*/suffixes: .../"'
t tconv in.tns -o out.h5.gz
t tconv in.tns -o -
t tconv in.tns --to=tns -o - --verify
t tinfo in.tns --arrays
t tinfo in.tns --modes=0,3
t tinfo in.tns --modes=1,1
t tinfo in.tns --modes=1

# The way in which entries are packed, and why.
tconv in.tns --unfold=0 -f csr -o way.h5 -q
t tconv -v way.h5 -f csc -o way2.h5
t tconv -v way.h5 -f coo -o way2.h5
t tconv -v in.tns -f csf -o way2.h5
t tconv -v in.tns -f csf:2,1,0 -o way2.h5
t tconv -v way.h5 --to=mtx -o way2.mtx
t 'tconv -v way.h5 -f "bcsr(2,2)" -o way2.h5'
rm way.h5 way2.h5 way2.mtx

# Every way to write the same.
t tconv in.tns --format=csf --quiet -o a.tns
t tconv -qfcsf -ob.tns in.tns
t tconv --quiet --format csf --output b2.tns -- in.tns
t cmp a.tns b.tns
t cmp a.tns b2.tns
t ls

# Options of the wrong kind.
t tbench spmv in.tns --baselines=scipy
t tconv in.tns --no-clobber -o a.tns
t tconv in.tns -q --no-clobber -o new.tns
t 'tconv in.tns --resume -o new.tns 2>&1 | grep warning'
t tinfo -q in.tns --spy in.tns
t tkern -f A:csf3 "'y(i) = A(i,j)*x(j)'"
t tkern "'ij,j->i'" -i A:in.tns

# Batch systems set OMP_NUM_THREADS. --threads comes first.
tconv in.tns -q --slice=:,:,0 -f csr -o a.h5
t 'OMP_NUM_THREADS=1 tkern "y(i) = A(i,j)*x(j)" -i A:a.h5 | grep -o "on . thread.*,"'
t 'OMP_NUM_THREADS=1 tkern "y(i) = A(i,j)*x(j)" -i A:a.h5 -j 3 | grep -o "on . threads"'
t 'OMP_NUM_THREADS=3 tkern "y(i) = A(i,j)*x(j)" -f A:dense -d i:900 -d j:900 | grep -o "on . threads"'
t 'OMP_NUM_THREADS=3 tkern "y(i) = A(i,j)*x(j)" -i A:a.h5 | grep -o "on . thread"' # too little work for several
