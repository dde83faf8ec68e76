# shellcheck shell=bash
# Several tensors in one HDF5 file: file.h5:group.
generate 1 6 4 5 6 >in.tns
t tconv in.tns -o out.h5:a
t tconv out.h5:a -o back.tns -q '&& cmp in.tns back.tns'
t tconv out.h5:b -o back.tns
t 'tinfo out.h5:a | head -1'
t tconv out.h5:a -o out.h5:b
t tconv in.tns -o deep.h5:/a/b
t tconv deep.h5:a/b -o back.tns -q '&& cmp in.tns back.tns'
t tconv in.tns -o nowhere/deep.h5:/a/b

# A file of any name may hold groups; a file whose whole name has a colon comes first.
cp out.h5 any.store
t tconv any.store:a -o - --to=tns -q '| cmp - in.tns'
t tconv in.tns -o any.store:c/d -q '&& tinfo any.store:c/d | head -1'
t tconv in.tns -o new.store:a '2>&1 | sed "s/suffixes: .*/suffixes: .../"'
cp in.tns any.store:a
t tconv any.store:a -o - --to=tns '2>&1 >x | head -1'
t tconv in.tns:a -o x.h5
t tconv in.tns -o in.tns:a '2>&1 | sed "s/suffixes: .*/suffixes: .../"'
