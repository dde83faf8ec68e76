#!/usr/bin/env bash
# kernels.sh TKERN TMP: what `tkern -o NAME.c` writes for the kernels below is the golden NAME.c beside this file.
# TSR_UPDATE=1 in the environment writes the golden files anew: look at them, they are what a reviewer would sign.
set -uo pipefail
export TSR_TUNING=none # the same on all machines
tkern=$1 tmp=$2
cd "$(dirname "$0")" || exit 1
mkdir -p "$tmp"
bad=0

# golden NAME EXPRESSION ARGUMENT...
golden() {
    local name=$1
    shift
    "$tkern" "$@" --threads=2 --quiet -o "$tmp/$name.c" || { bad=1; return; }
    [ -z "${TSR_UPDATE:-}" ] || cp "$tmp/$name.c" "$name.c"
    diff -u "$name.c" "$tmp/$name.c" || { echo "kernels: $name.c is not what tkern writes (is it better? TSR_UPDATE=1 takes it)"; bad=1; }
}

golden spmv 'y(i) = A(i,j)*x(j)' -f A:csr -d A:1000003,500009
golden spmv_blocked 'y(i) = A(i,j)*x(j)' -f 'A:bcsr(2,3)' -d A:1000003,500009
golden spmv_transposed 'y(j) = A(i,j)*x(i)' -f A:csr -d A:1000003,500009 -s 'atomic(y)'
golden mttkrp 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:csf -d B:100003,60013,2003 -d r:16 --vectors
golden mttkrp_c11 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:csf -d B:100003,60013,2003 -d r:16
golden sddmm 'A(i,j) = B(i,j)*C(i,k)*D(j,k)' -f A:csr -f B:csr -d A:1000003,500009 -d k:16 --vectors
golden ttv 'A(i,j) = B(i,j,k)*c(k)' -f A:dcsr -f B:csf -d B:100003,60013,2003
# the loops of a textbook
csr=(-f A:csr -f B:csr -f C:csr -d A:1000003,500009 -s plain)
golden plain_product 'C(i,j) = A(i,j)*B(i,j)' "${csr[@]}" -d B:1000003,500009
golden plain_sum 'C(i,j) = A(i,j) + B(i,j)' "${csr[@]}" -d B:1000003,500009
golden plain_spgemm 'C(i,j) = A(i,k)*B(k,j)' "${csr[@]}" -d B:500009,700001
golden plain_spmv 'y(i) = A(i,j)*x(j)' -f A:csr -d A:1000003,500009 -s plain
golden plain_mttkrp 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:csf -d B:100003,60013,2003 -s plain

# short NAME MOST EXPRESSION ARGUMENT...: the kernel itself, without what it calls, has at most MOST lines, and a text that asked for
# no vectors has no word of AVX-512
short() {
    local name=$1 most=$2 n
    shift 2
    "$tkern" "$@" --quiet -o "$tmp/$name.c" || { bad=1; return; }
    n=$(sed -n "/^int $name(/,/^}/p" "$tmp/$name.c" | wc -l)
    [ "$n" -gt 0 ] && [ "$n" -le "$most" ] || { echo "kernels: $name has $n lines, at most $most are wanted"; bad=1; }
    case " $* " in *" scalar "*) ! grep -n 'AVX\|wide_\|_mm' "$tmp/$name.c" || { echo "kernels: $name is for AVX-512"; bad=1; } ;; esac
}

csr=(-f A:csr -f B:csr -f C:csr)
for schedule in '' scalar; do
    of=(${schedule:+-s "$schedule"})
    short elmul 95 'C(i,j) = A(i,j)*B(i,j)' "${csr[@]}" "${of[@]}"
    short spadd 90 'C(i,j) = A(i,j) + B(i,j)' "${csr[@]}" "${of[@]}"
    short spgemm 150 'C(i,j) = A(i,k)*B(k,j)' "${csr[@]}" "${of[@]}"
    short mttkrp 150 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:csf "${of[@]}" # any rank: blocks of 16, 8, 4, 2 and 1
done
exit $bad
