# shellcheck shell=bash
# What does not fit into memory is refused in words before it is taken: a control group is faked by files below
# TSR_MEMORY_ROOT. Sizes that depend on the machine are replaced.
grep -qE '__asan_init|__ubsan_handle' "$(command -v tconv)" && skip "the sanitizer holds more memory than these limits"
mkdir -p root/proc/self root/sys/fs/cgroup
echo '0::/' >root/proc/self/cgroup
export TSR_MEMORY_ROOT=$PWD/root XDG_CACHE_HOME=$PWD/cache
limit() { echo "$1" >root/sys/fs/cgroup/memory.max; }
# What is left depends on what the process holds.
left() { "$@" 2>&1 | sed -E -e 's/more than the [0-9.]+ ([kMG]B|bytes) left|but nothing is left/more than the SIZE left/' -e 's/grown to .*, more/grown to SIZE, more/'; return "${PIPESTATUS[0]}"; }

# 18 bytes that make a large tensor: the process was killed.
printf '200000000 10 1.5\n' >c.tns
limit 500000000
t "left tconv c.tns -f csr -o o.h5"
t "left tconv c.tns -f dd -o o.h5"
t "left tkern 'y(i) = A(i,j)*x(j)' -f A:coo -i A:c.tns -q"
t "left tkern 'y(i) = A(i,j)*x(j)' -f A:coo -i A:c.tns -d x:10 -q -j1 | grep -c allows"
t ls

# A header's promise, which the text could hold; a symmetric matrix's other half; what --verify holds.
python3 - <<'END'
n = 400000
with open("many.mtx", "w") as f:
    f.write("%%%%MatrixMarket matrix coordinate pattern symmetric\n1000000 1000000 %d\n" % n)
    for i in range(n):
        f.write("%d %d\n" % (2 * i + 2, i + 1))
END
limit 2000000
t "left tconv many.mtx --keep-symmetry -o o.h5"
limit 5000000
t "left tconv many.mtx -o o.h5"
python3 - <<'END'
n = 2000000
with open("more.mtx", "w") as f:
    f.write("%%%%MatrixMarket matrix coordinate pattern symmetric\n5000000 5000000 %d\n" % n)
    f.writelines("%d %d\n" % (2 * i + 2, i + 1) for i in range(n))
END
limit 120000000
t "left tconv more.mtx -o more.h5 -j1 --verify"
rm more.mtx
limit 500000000
t "left tconv many.mtx -o o.h5 --verify -q"

# A file whose arrays together are too large.
limit 5000000
t "left tinfo o.h5 --check"
t "left tconv o.h5 -o again.mtx"
limit 500000000

# Blank lines among the first lines of a .tns were all kept.
python3 -c '
import gzip
with gzip.open("blank.tns.gz", "wb", 1) as f:
    f.write(b"1 1 1.5\n" + b"\n" * 40000000 + b"2 2 1\n")'
limit 60000000
t "tconv blank.tns.gz -o - --to=tns -q"
printf '2 3\n%70000s\n' '' | sed '2s/ /\n/g' >gap.tns
printf '4 5\n1 1 7\n2 2 8\n4 5 9\n' >>gap.tns
t "tconv gap.tns -o - --to=mtx -q"

# What a kernel takes itself: private copies and workspaces before it runs, the arrays of a sparse result once
# its entries are counted, the steps of a function, operands that it needs in another format.
python3 - <<'END'
def matrix(name, m, n, step):
    with open(name, "w") as f:
        places = range(0, max(m, n), step)
        f.write("%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n" % (m, n, len(places)))
        f.writelines("%d %d 1.5\n" % (k % m + 1, k % n + 1) for k in places)
matrix("wide.mtx", 8, 5000000, 1001)
matrix("a.mtx", 6000, 8, 1)
matrix("b.mtx", 8, 6000, 1)
matrix("d.mtx", 6000, 6000, 1)
END
kernel() { left tkern "$@" -q; }
transposed=('y(j) = A(i,j)*x(i)' -f A:csr -i A:wide.mtx)
product=('C(i,k) = A(i,j)*B(j,k)' -f A:csr -f B:csr -f C:csr -i A:a.mtx)
limit 250000000
t 'kernel "${transposed[@]}" --schedule="private(y)" -j8'
t 'kernel "${transposed[@]}" --schedule="private(y)" -j8 --engine=interpreter'
t 'kernel "${transposed[@]}" --schedule="private(y)" -j5'
t 'kernel "${transposed[@]}" --schedule="deterministic,private(y)" -j2'
t 'kernel "${product[@]}" -i B:wide.mtx -j9 --schedule="workspace(k,dense)"'
t 'kernel "${product[@]}" -i B:wide.mtx -j9' # a hash table fits
t 'kernel "${product[@]}" -i B:b.mtx -j2 -o C:c.h5'
t 'tconv c.h5 -f csc -o transposed.h5 -q'
limit 150000000
t 'kernel "y(i) = A(i,j)*B(i,j)*x(j)" -f A:csr -f B:csc -i A:c.h5 -i B:transposed.h5 -j2'
limit 50000000
t 'kernel "${product[@]}" -i B:b.mtx -j2 -o C:no.h5'
t 'test ! -e no.h5'
# What is left is that of the moment of the refusal: the text said "needs 295 kB, more than the 406 MB left".
needs_more() {
    "$@" 2>&1 | awk '{ gsub(/kB/, "e3"); gsub(/MB/, "e6"); gsub(/bytes/, "e0"); gsub(/ e/, "e") }
        match($0, /part needs [^ ]*, more than the [^ ]* left/) { split(substr($0, RSTART), word, /[ ,]+/); if (word[3] + 0 <= word[7] + 0) print }'
}
for j in 1 2 3; do
    t "needs_more tkern \"\${product[@]}\" -i B:b.mtx -q -j$j"
done
t 'kernel "C(i,k) max= A(i,j)*B(j,k) + D(i,k)" -f A:csr -f B:csr -f D:csr -f C:csr -i A:a.mtx -i B:b.mtx -i D:d.mtx -j2'

command -v tbench >/dev/null || { echo "no tbench"; exit 0; }
# One format after another where they do not fit together; one that cannot be had costs its own row.
tbench gen uniform:dims=100000x100000,nnz=500000 -o s.mtx 2>/dev/null
rows() { tbench spmv "$@" --quick -j1 2>&1 | sed -nE 's/^(csr|coo|csc) +[0-9.]+ .*/\1 is measured/p; s/[0-9.]+ MB left/SIZE left/; /: /p'; return "${PIPESTATUS[0]}"; }
limit 80000000
t "rows s.mtx --format='csr,bcsr(8,8),coo,csc' | grep -v -e Best -e ^~ -e ^Least"
t "tbench spmv s.mtx --format='csr,bcsr(8,8)' --quick -j1 >/dev/null 2>&1"
t "tbench spmv s.mtx --format=csr --quick -j1 >/dev/null 2>&1"
limit 5000000000
t "rows s.mtx --format='csr,bdia(1024)' | grep bdia"
