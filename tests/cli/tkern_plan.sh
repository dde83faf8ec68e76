# shellcheck shell=bash
# tkern: a plan that is printed, and followed again, gives the same loops; one that somebody has changed is followed, or refused.
export XDG_CACHE_HOME=$PWD/cache
same() {
    local schedule=$1
    shift
    tkern "$@" --emit=plan -s "$schedule" >plan.txt || return
    tkern "$@" --emit=ir -s "$schedule" >asked.txt 2>&1
    tkern "$@" --emit=ir --plan=plan.txt >followed.txt 2>&1
    tkern "$@" --emit=plan --plan=plan.txt 2>&1 | reasons | cmp -s - <(reasons <plan.txt) && cmp -s asked.txt followed.txt && return
    echo "$* -s '$schedule':"
    cat plan.txt followed.txt
}
# A plan without the reasons of its lines: "the schedule asks for it" where the plan is read.
reasons() { sed -E 's/^(the loops merge|convert [^:]*).*/\1/'; }
each() {
    local statement=("$@") schedule
    while read -r schedule; do
        same "$schedule" "${statement[@]}"
    done
}
ab=(-f A:csr -f B:csr -d A:900,50 -j2)
product=('C(i,j) = A(i,k)*B(k,j)' -f A:csr -f B:csr -f C:csr -d A:90,50 -d j:70 -j2)
printf '%s\n' '' 'atomic(y)' 'private(y)' 'parallelize(j)' serial deterministic 'reorder(j,i)' 'merge(j)' >dense
printf '%s\n' '' 'workspace(j,dense)' 'workspace(j,hash)' 'workspace(j,list)' 'workspace(j,bitmap)' 'workspace(list)' 'assemble(two-pass)' \
    'reorder(k,i,j)' 'reorder(i,j,k)' 'gallop(k), reorder(i,j,k)' 'merge(k), reorder(i,j,k)' serial 'convert(B,csc), reorder(i,j,k)' 'parallelize(j)' >rows
printf '%s\n' '' serial 'exclusive(y)' 'private(y)' 'atomic(y)' deterministic 'reorder(j,i)' >walked
printf '%s\n' '' 'atomic(A), block(r,8)' 'private(A)' 'block(r,4)' >ranks
t "each 'y(j) = A(i,j)*B(i,j)' ${ab[*]} <dense"
t "each 'C(i,j) = A(i,k)*B(k,j)' ${product[*]:1} <rows"
t "each 'C(i,j) = A(i,j)*B(i,j)' -f C:csr ${ab[*]} <<<'merge(j)'"
t "each 'C(i,j) = A(i,j)+2*B(i,j)' -f C:csr ${ab[*]} <<<'serial'"
t "each 'C(i,j) = A(i,j)+B(j,i)' -f C:csr -f A:csr -f B:csr -d A:90,90 -j2 <<<'scalar'"
t "for f in csr csc coo dcsr ell sell dia hicoo 'bcsr(2,3)' alto csb\(100\) bitmap hash; do each 'y(i) = A(i,j)*x(j)' -f A:\$f -d A:90000,80 -j2 <walked 2>said; done; sort -u said | grep -v '^tkern: exclusive'"
t "for f in csf coo hicoo alto strips; do each 'A(k,r) = B(i,j,k)*C(i,r)*D(j,r)' -f B:\$f -d B:1000,600,200 -d r:16 -j2 <ranks; done"
t "each 'Y(i,j) = B(i,j)*C(i,k)*D(j,k)' -f B:csr -f Y:csr -d B:1000,600 -d k:16 -j2 <<<serial"
t "each 's = A(i,j)*B(i,j)' ${ab[*]} <<<deterministic"
t "for f in coo 'hicoo(4)' 'bcoo(2,3)' dia 'bcsr(2,3)'; do each 'C(i,j) = A(i,j)+B(i,j)' -f A:\$f -f B:\$f -f C:\$f -d A:90,50 -j2 <<<serial; done"
# Every format, beside another one, for each kind of statement in turn.
formats=(csr csc dcsr dcsc coo cooc ss:1,0 csru ell ellc hash bitmap bytemap 'sell(2,4)' jad uq:1,0 'hicoo(2)' linear alto 'csb(2)' vbl 'strips(2)' 'tcsf(2)' \
    'csbc(2,2)' srun bitmapc coodup sd dia diac diap band bandr sband 'bcsr(2,3)' 'bell(2)' 'bdia(2)' 'bcsrc(2,2)' runs 'dbcsr(2,2)' 'bcoo(2,2)' ccol crow dense)
results=(csr coo dia 'bcsr(2,3)' bitmap csc 'hicoo(2)' dcsr ell dense alto)
statements=('A(i,j)+B(i,j)' 'A(i,j)*B(i,j)' 'A(i,k)*B(k,j)' 'max(A(i,j),B(i,j))' 'A(i,j)*B(j,i)' '!B(i,j)*A(i,j)' '2*A(i,j)')
all() {
    local k n=${#formats[@]}
    for ((k = 0; k < n; k++)); do
        local b=(-f "B:${formats[(k * 5 + 3) % n]}" -d B:24,24) of=${statements[k % 7]}
        [ "$of" != '2*A(i,j)' ] || b=()
        same '' "C(i,j) = $of" -f "A:${formats[k]}" "${b[@]}" -f "C:${results[k % 11]}" -d A:24,24 -j2
    done
}
t all
# A and B share some of their places, perhaps all: copies of y take less time than that many atomic additions.
tbench gen uniform:dims=5000x5000,nnz=40000 -o u.tns -q
t "tkern 'y(j) = A(i,j)*B(i,j)' -i A:u.tns -i B:u.tns -f A:csr -f B:csr -j2 --emit=plan"
# Steps that double need lists as they are: a window is merged step by step, in the text of the plan and in the program.
for list in 's = b(i)*c(i)' 's = b(i(0,20))*c(i(0,20))'; do
    t "tkern '$list' -f b:s -f c:s -d b:90 -d c:90 -j1 --emit=plan | grep 'for i'; tkern '$list' -f b:s -f c:s -d b:90 -d c:90 -j1 --emit=ir | grep -c match"
done
# A copy of C in the order r, k does not have the dense rows of C: a loop over k inside loops over r and i would walk it each time.
t "tkern 'A(i,j,r) = B(i,j,k)*C(k,r)' -f A:csf:2,0,1 -f B:csf:2,0,1 -f C:csr -d B:3000,2000,1000 -d C:1000,64 -j2 --emit=plan"
chain="'D(i,l) = A(i,j)*B(j,k)*C(k,l)' -f A:csr -f B:csr -f C:csr -f D:csr -d A:50,50 -d B:50,50 -d C:50,50 -j2"
t "each $chain <<<'precompute(none)'"
t "tkern $chain --emit=plan >plan.txt; tkern $chain --plan=plan.txt --emit=plan | cmp - plan.txt"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' ${product[*]:1} --emit=plan | tee plan.txt"
t "sed 's/taken out.*/whose coordinates are listed and sorted/; /^each row/d; /^a row of/d' plan.txt >other.txt"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' ${product[*]:1} --plan=other.txt --emit=plan"
t "sed 's/for i/for j/; s/over j/over i/; s/i is cut/j is cut/' plan.txt >other.txt"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' ${product[*]:1} --plan=other.txt --emit=plan"
# The pieces of a result have the size that the plan says.
t "sed 's/about [0-9]* entries/about 500 entries/' plan.txt | tkern 'C(i,j) = A(i,k)*B(k,j)' ${product[*]:1} --plan=- --emit=ir | grep -c 'floordiv 500'"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' ${product[*]:1} -s 'piece(500)' --emit=plan | grep -c 'about 500 entries'"
t "tkern 'y(i) = A(i,k)*x(k)' -f A:csr -d A:90,50 -s 'piece(500)' --emit=plan"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' ${product[*]:1} -s 'piece(0)' --emit=plan"
t "sed 's/for k in level 2 of A/for k in level 2 of B/' plan.txt | tkern 'C(i,j) = A(i,k)*B(k,j)' ${product[*]:1} --plan=- --emit=plan"
t "tkern 'y(j) = A(i,j)*B(i,j)' ${ab[*]} --emit=plan | sed 's/is private/is atomic/' | tkern 'y(j) = A(i,j)*B(i,j)' ${ab[*]} --plan=- --emit=plan"
t "tkern 'y(i) = A(i,j)*x(j)' -f A:coo -d A:90000,80 -j2 --plan=missing.txt --emit=plan"

# Each kind of special loops: the plan without their line gives the program of without(NAME), which computes the same.
tbench gen uniform:dims=60x40x50,nnz=6000 -o b.tns -q
tbench gen uniform:dims=40x300,nnz=6000 -o a.tns -q
tbench gen uniform:dims=300x40,nnz=900 -o c.tns -q
special() { # NAME LINE EXPR OPTION...
    local name=$1 line=$2
    shift 2
    tkern "$@" -j1 --emit=plan >plan.txt && tkern "$@" -j1 --emit=ir >with.txt && tkern "$@" -j1 --emit=ir -s "without($name)" >without.txt || return
    ! cmp -s with.txt without.txt || echo "without($name) changes nothing"
    tkern "$@" -j1 --emit=plan -s "without($name)" >other.txt
    ! grep -q "$line" other.txt || echo "the plan still has: $line"
    tkern "$@" -j1 --emit=ir --plan=other.txt | cmp - without.txt
    [ "$name" = prefetches ] || tkern "$@" -j1 --plan=other.txt --check -q | grep -o 'interpreter: equal'
}
t "special lanes 'lanes: ' 'y(i) = A(i,j)*x(j)' -i A:a.tns -f A:csr"
t "special slots 'slots: ' 'y(i) = A(i,j)*x(j)' -i A:a.tns -f A:'sell(8,64)'"
t "special runs 'all neighbours' 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -i B:b.tns -f B:coo -d r:8"
t "special windows 'windows: ' 'y(i) = A(i,j)*x(j)' -i A:a.tns -f A:dia -d A:9000,9000"
t "special ways 'measured' 'C(i,j) = A(i,k)*B(k,j)' -i A:a.tns -f A:csr -f B:csr -f C:csr -i B:c.tns"
t "special columns 'few columns' 'C(i,j) = A(i,k)*B(k,j)' -i A:a.tns -f A:csr -f B:csr -f C:csr -i B:c.tns"
t "special unite 'without branches' 'C(i,j) = A(i,j) + B(i,j)' -i A:a.tns -i B:a.tns -f A:csr -f B:csr -f C:csr"
t "special unite 'without branches' 'C(i,j) = A(i,j) * B(i,j)' -i A:a.tns -i B:a.tns -f A:csr -f B:csr -f C:csr"
t "special prefetches 'prefetches: ' 'A(k,r) = B(i,j,k)*C(i,r)*D(j,r)' -f B:csf -d B:100000,60000,2000 -d r:16"
# A plan that its schedule forced is followed without that schedule: prefetches of small rows, lanes of short lists, blocks, pieces, numbers of rows.
forced() { # SCHEDULE EXPR OPTION...
    local schedule=$1
    shift
    tkern "$@" -s "$schedule" --emit=plan >plan.txt && tkern "$@" -s "$schedule" --emit=ir >asked.txt && tkern "$@" --plan=plan.txt --emit=ir | cmp - asked.txt
    tkern "$@" --plan=plan.txt --emit=plan | reasons | cmp - <(reasons <plan.txt)
}
t "for s in 'prefetch(5)' 'block(r,4)' 'without(runs)' 'block(r,4), prefetch(0)'; do forced \"\$s\" 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -i B:b.tns -f B:coo -d r:8 -j2; done"
t "for s in 'lanes(32)' 'lanes(0)' 'only(none)'; do forced \"\$s\" 'y(i) = A(i,j)*x(j)' -i A:c.tns -f A:csr -j2; done"
t "for s in 'stream(16)' 'prefetch(24)' 'without(prefetches)'; do forced \"\$s\" 'y(i) = A(i,j)*x(j)' -f 'A:csb(4096)' -d A:4000000,4000000 -j1; done"
t "for f in coo 'hicoo(4)'; do forced 'piece(500)' 'C(i,j) = A(i,j)*B(i,j)' -i A:a.tns -i B:a.tns -f A:\$f -f B:\$f -f C:\$f -j2; done"
t "for s in 'prefetch(5)' 'marked(3), listed(9)' 'marked(0)' 'listed(0)' 'only(columns)'; do forced \"\$s\" 'C(i,j) = A(i,k)*B(k,j)' -i A:a.tns -i B:c.tns -f A:csr -f B:csr -f C:csr -j2; done"
t "tkern 'y(i) = A(i,j)*x(j)' -i A:a.tns -f A:csr -j1 -s 'only(lane)' --emit=plan; tkern 'y(i) = A(i,j)*x(j)' -i A:a.tns -f A:csr -j1 -s 'stream(0)' --emit=plan"
# A term that walks beside one that merges.
t "for f in 'sell(8,64)' coo dia; do each 'y(i) = A(i,j)*x(j) + B(i,j)*C(i,j)' -f A:\$f -f B:csr -f C:csr -d A:900,50 -j2 <<<serial; done"
# Its order, machine and conversion are edited; the walking term stays as it is. Nothing but the text says what is asked.
mixed="'y(i) = A(i,j)*x(j) + B(i,j)*C(i,j)' -f A:coo -f B:csr -f C:csr -d A:900,50 -j2"
again() { tkern "$@" --plan=other.txt --emit=plan | reasons | cmp - <(reasons <other.txt); }
t "tkern $mixed --emit=plan | tee mixed.txt; sed 's/merged in steps that double/merged/' mixed.txt >other.txt; again $mixed"
t "tkern $mixed -s 'walk(A), reorder(j,i)' --emit=plan | tee other.txt; again $mixed"
t "tkern $mixed -s 'walk(A), convert(B,dcsr)' --emit=plan >other.txt; again $mixed; grep -e convert -e driver other.txt"
t "sed 's/for j in/for i in/; s/for i in \[0/for j in [0/' mixed.txt | tkern $mixed --plan=- --emit=plan"
t "sed 's/level 1 of A are cut.*,/level 2 of A are cut,/' mixed.txt | tkern $mixed --plan=- --emit=plan"
t "tkern $mixed -s 'walk(B)' --emit=plan | grep -c driver; tkern $mixed -s 'walk(A), convert(A,csr)' --emit=plan"
for s in deterministic 'parallelize(j)' 'scalar, unroll(k,4)' 'width(32), without(flags)' plain 'atomic(y), parallelize(i)'; do
    t "for j in 1 2 7; do forced '$s' 'y(i,k) = A(i,j)*X(j,k) + B(i,j)*C(i,j)*X(j,k)' -f A:coo -f B:csr -f C:csr -d A:900,50 -d k:9 -j\$j; done; tkern 'y(i,k) = A(i,j)*X(j,k)' -f A:coo -d A:900,50 -d k:9 -j1 -s '$s' --emit=plan | grep -e program -e threads"
done
# Terms whose loops no single order gives, that walk beside others that read copies of the same operand, or on one thread beside others.
t "each 'R(i,k,i) += !b(k) - B(j,i)*A(k,i)' -f 'b:bvec(3)' -d b:1 -f B:diac -d B:5,3 -f A:jad -d A:1,3 -j3 <<<'reorder(j,k), private(R)'"
t "each 'R(i,j) = M(i,i)*(B(j,j)*c(i) + c(i) + 3)' -f B:srun -d B:5,5 -f 'c:hicoo(2)' -d c:2 -f M:srun -d M:2,2 -f 'R:nz(2,3)' -j2 <<<''"
t "each 'R(i) = M(j,j)*(B(i,i) + !A(j,j)/b(i) + A(j,j) + A(j,j))' -f B:ellc -d B:2,2 -f A:ellc -d A:6,6 -f 'b:bvec(3)' -d b:2 -f M:sd -d M:6,6 -j1 <<<''"
# The threads and the order of one term are edited.
two="'y(j) = A(i,j)*B(i,j) + C(i,j)*D(i,j)' -i A:a.tns -i B:a.tns -i C:a.tns -i D:a.tns -f A:csr -f B:csr -f C:csr -f D:csr -j2"
t "tkern $two -s 'private(y)' --emit=plan >one.txt; sed '/^term 2/,$ s/is private/is atomic/' one.txt >other.txt; again $two; grep threads other.txt"
t "tkern $two -s 'reorder(j,i)' --emit=plan >swapped.txt; { sed -n 1p one.txt; grep 'convert [CD]' swapped.txt; sed -n 2p one.txt; sed -n '/^term 1/,/^term 2/{/^term 2/d; s/of A.*, y/of A and B, y/; p}' one.txt; sed -n '/^term 2/,$ {s/of A.*, y/of C_ji and D_ji, y/; p}' swapped.txt; } >other.txt"
t "tkern $two --plan=other.txt --emit=plan; tkern $two --plan=other.txt --check -q | grep -o 'interpreter: equal'"
# A plan for several threads does not become one for a single thread.
t "tkern ${mixed% *} -j1 --plan=mixed.txt --emit=plan"
# Numbers that no schedule may ask for.
t "tkern 'y(i) = A(i,j)*x(j)' -i A:a.tns -f A:csr -j1 --emit=plan | sed 's/of 64 bytes/of 24 bytes/' | tkern 'y(i) = A(i,j)*x(j)' -i A:a.tns -f A:csr -j1 --plan=- --emit=plan"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' ${product[*]:1} --emit=plan | sed 's/1024 contrib/99999999999 contrib/' | tkern 'C(i,j) = A(i,k)*B(k,j)' ${product[*]:1} --plan=- --emit=plan"
# Textbook loops merge where the operands are stored, too: no part of `plain` names loops.
t "for f in coo 'hicoo(4)' 'bcsr(2,2)' dia bitmap alto 'strips(16)'; do for op in + '*'; do tkern \"C(i,j) = A(i,j)\${op}B(i,j)\" -i A:a.tns -i B:a.tns -f A:\$f -f B:\$f -f C:\$f -s plain --check -q | grep -o 'interpreter: equal'; tkern \"C(i,j) = A(i,j)\${op}B(i,j)\" -i A:a.tns -i B:a.tns -f A:\$f -f B:\$f -f C:\$f -s plain --emit=plan | sed -n 2p; done; done"
# A line is deleted, a number is changed by hand.
t "tkern 'y(i) = A(i,j)*x(j)' -i A:a.tns -f A:csr -j1 --emit=plan | sed /lanes:/d | tkern 'y(i) = A(i,j)*x(j)' -i A:a.tns -f A:csr -j1 --plan=- --emit=plan"
mttkrp="'A(k,r) = B(i,j,k)*C(i,r)*D(j,r)' -f B:csf -d B:100000,60000,2000 -d r:16 -j1"
t "tkern $mttkrp --emit=plan | grep prefetches"
t "tkern $mttkrp --emit=plan | sed 's/[0-9]* positions ahead/24 positions ahead/' | tkern $mttkrp --plan=- --emit=plan | grep prefetches"
t "tkern $mttkrp -s 'without(lane)' --emit=plan"

# The numbers that choose the way of a row: asked for, and changed in the plan; the same entries and values whatever the way.
spgemm="'C(i,j) = A(i,k)*B(k,j)' -i A:a.tns -i B:c.tns -f A:csr -f B:csr -f C:csr -j2"
t "tkern $spgemm --emit=plan | grep measured"
t "tkern $spgemm --emit=plan | sed 's/24 columns/3 columns/; s/1024 contributions/300 contributions/' >numbers.txt; tkern $spgemm --plan=numbers.txt --emit=plan | cmp - numbers.txt"
t "tkern $spgemm --plan=numbers.txt --emit=ir | grep -o 'marked .*'; tkern $spgemm -s 'marked(3), listed(300)' --emit=plan | cmp - numbers.txt"
t "tkern $spgemm -o C:usual.tns -q; for s in 'marked(0)' 'listed(0)' 'marked(0), listed(0)' 'marked(1), listed(1000)' 'marked(1000)' 'without(columns), listed(700), marked(2)'; do tkern $spgemm -s \"\$s\" -o C:other.tns -q && cmp usual.tns other.tns; tkern $spgemm -s \"\$s\" --check -q | grep -c 'interpreter: equal'; done"
t "tkern 'C(i,j) = A(i,j) + B(i,j)' -i A:a.tns -i B:a.tns -f A:csr -f B:csr -f C:csr -s 'without(unite), listed(5)' --emit=plan | grep sorted"
t "tkern 'y(i) = A(i,j)*x(j)' -f A:csr -d A:90,80 -s 'listed(5)' --emit=plan; tkern 'C(i,j) = A(i,j)*B(i,j)' -f C:csr ${ab[*]} -s 'marked(5)' --emit=plan"
# Rows of B are prefetched in a loop that merges: by another distance, or not at all. Few entries are not.
far="'C(i,j) = A(i,k)*B(k,j)' -d A:90,50 -d j:70 -f A:csr -f B:csr -f C:csr -j2"
t "tkern $far --emit=plan | sed 's/64 positions ahead/5 positions ahead/' | tkern $far --plan=- --emit=ir | grep -o 'ahead: .*pA2 + 5.*'"
t "special prefetches 'prefetches: ' $far"
t "tkern $spgemm --emit=plan | grep -c prefetches"
# The schedule that is reported has the names of the statement, and gives the same plan.
three="'D(i,l) = A(i,j)*B(j,k)*C(k,l)' -i A:a.tns -i B:c.tns -i C:a.tns -f A:csr -f B:csr -f C:csr -f D:csr -j2"
t "for s in 'precompute(B,C)' 'serial, precompute(A,B)' 'workspace(l,hash), precompute(A,B)'; do tkern $three -s \"\$s\" | grep -o 'schedule.*' | tee said; tkern $three -s \"\$s\" --emit=plan >plan.txt; tkern $three -s \"\$(cut -c10- said)\" --emit=plan | cmp - plan.txt; done"
# A row of the mask is written into a table once, so the loops over it cost less than an inner product for each entry of it.
t "tkern 'C(i,j) = M(i,j)*A(i,k)*B(k,j)' -f M:csr -f A:csr -f B:csr -f C:csr -d i:5000 -d j:5000 -d k:1100 -j1 --emit=plan | grep -e around -e table"
