# shellcheck shell=bash
# --dims, --index-base, --no-values.
printf '1 2 1.5\n3 1 2\n' >in.tns
t tconv in.tns --dims=5,6 -o out.h5
t tconv in.tns --dims=5x6 -o out.h5
t tconv in.tns --dims=2,6 -o out.h5
t tconv in.tns --dims=5,6,7 -o out.h5
printf '0 2 1.5\n3 0 2\n' >zero.tns
t tconv zero.tns -o out.h5
t tconv zero.tns --index-base=0 -o zero.h5
t tconv zero.h5 -o - --to=tns -q
t tconv zero.tns --index-base=0,0 -o - --to=tns -q
t tconv in.tns --index-base=1,0 -o - --to=tns -q
printf '1 2 3\n4 5 6\n' >pattern.tns
t tconv pattern.tns --no-values -o pattern.h5
t tconv pattern.tns -o values.h5
