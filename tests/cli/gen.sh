# shellcheck shell=bash
# tbench gen: the tensors, the messages, the errors.
command -v tbench >/dev/null || skip "needs tbench"
unset TSR_DATASETS
t tbench gen matmul_2-2-2
t cat matmul_2-2-2.tns
t tbench gen nell-2@0.0001 -o a.tns
t tbench gen nell-2@0.0001 -o b.tns.gz --threads=2 -q
t 'gzip -dc b.tns.gz | cmp - a.tns'
t tbench gen nell-2@0.0001 -o c.tns --seed=1 -q
t 'cmp -s a.tns c.tns'
t tinfo a.tns '| head -3'
t tbench gen cant@0.0005
t 'head -3 cant@0.0005.mtx'
t tbench gen banded:n=4,width=3 -o -
t tbench gen power-law:dims=30x40x50,nnz=1000
t tbench gen --like=a.tns --stats
t tbench gen --like=a.tns @0.5 -o half.tns
t tbench gen --like=a.tns --stats '| cut -d, -f1-4 >one'
t tbench gen --list-generators

# Another table.
printf '%s\n' name,suite,order,dims,nnz,values,skew,fiber,run,band,statistics,url,sha256,licence,note \
    mine,s,2,50x60,400,count,1\;0.5,,,,measured,http://localhost/mine.mtx,,none, >my.csv
t tbench gen mine --datasets=my.csv -o mine.mtx
t TSR_DATASETS=my.csv tbench gen mine@0.1 -o - -q '| wc -l'
t TSR_DATASETS=my.csv tbench gen nell-2
t TSR_DATASETS=my.csv TSR_DATA=data tbench spmv mine --format=csr --quick --threads=1 --reps=1 '| head -1'

# Refused.
t tbench gen
t tbench gen nell
t tbench gen nell-2@
t tbench gen nell-2@10000
t tbench gen reddit-2015@10
t tbench gen matmul_2-2-2@0.5
t tbench gen uniform:dims=3x4
t tbench gen uniform:dims=3x4,nnz=13
t tbench gen nell-2@0.0001 -o a.mtx
t tbench gen conf5_4-8x8-05@0.001 -o a.tns
t tbench gen nell-2@0.0001 -o a.h5
t tbench gen nell-2@0.0001 -o nowhere/a.tns
t tbench gen nell-2@0.0001 -o /dev/full
t tbench gen --like=a.tns --stats ">/dev/full"
t tbench --help ">/dev/full"
t tbench gen --like=nothing.tns
t tbench gen --like=a.tns 0.5
t tbench gen nell-2@0.0001 --stats
t tbench gen a b
t tbench gen nell-2@0.0001 --seed=x
t ls
