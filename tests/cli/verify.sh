# shellcheck shell=bash
# --verify reads the output back.
generate 1 60 14 15 16 >in.tns
generate 2 60 14 15 >in2.tns
for format in coo csf dss:2,0,1 'hicoo(4)' ddd; do
    t tconv in.tns --verify --format="'$format'" -o out.h5
done
t tconv in2.tns --verify -o out.mtx
t tconv in.tns --verify -o out.tns
t tconv in.tns --verify -o out.tns.gz
t tconv in2.tns --verify --type=f32 --format=csr -o out.mtx
# What a plain .tns cannot hold: dims beyond the last entry.
t tconv in.tns --verify --dims=99,99,99 -o out.tns
