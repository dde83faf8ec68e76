# shellcheck shell=bash
# Standard input and output.
generate 1 6 4 5 6 >in.tns
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1.5\n2 3 2\n' >in.mtx
t 'tconv - --to=tns -o - <in.tns >out.tns' '&& cmp in.tns out.tns'
t 'cat in.mtx | tconv - -o out.h5'
t 'tconv out.h5 --to=mtx -o - -q'
t 'gzip -c in.mtx | tconv - -o out2.h5'
t 'tconv in.tns --to=tns -o - -q | tconv - -o out3.h5 --format=csf'
t tconv in.tns -o out.tns.gz
t 'gzip -dc out.tns.gz | cmp - in.tns'
t 'tinfo - <in.mtx | head -1'
t 'tconv - -o out4.h5 </dev/null'
t 'tconv in.tns --to=binsparse -o -'
t 'tconv in.tns --to=tns -o - -q >/dev/full'
