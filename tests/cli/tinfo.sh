# shellcheck shell=bash
# tinfo: words and JSON.
printf '1 1 2 1\n1 1 3 2\n1 4 1 3\n3 2 2 4\n3 2 3 5\n3 4 4 6\n' >in.tns
# Of the list of formats only some are looked at, so that others may be added.
facts() {
    tinfo "$@" | sed -E -e 's/^(file .*, )[0-9.]+ [kKMG]?B.*/\1SIZE/' \
        -e '/^memory in named/,/^$/{/^(memory|coo |csr |csc |csf |dense |linear |$)/!d; s/ +/ /}'
}
t facts in.tns --dims=4,5,6
t tconv in.tns --dims=4,5,6 --format=sss:2,0,1 -o csf.h5 -q '&& facts csf.h5'
t 'tinfo csf.h5 --json | sed -E "s/(\"file_bytes\": )[0-9]+/\1SIZE/" | grep -v "{\"format\""'
printf '%%%%MatrixMarket matrix coordinate integer general\n6 4 8\n2 1 1\n1 1 2\n1 2 2\n1 3 4\n6 4 5\n5 4 2\n1 3 9\n3 3 1\n' >dup.mtx
t facts dup.mtx
t tconv dup.mtx --format="'bcsr(2,3)'" -o b.h5 -q '&& facts b.h5'
printf '5 1.5\n2 1\n' >vector.tns
t facts vector.tns
t tinfo csf.h5 --check
t tinfo in.tns --check
t tinfo nothing.h5
