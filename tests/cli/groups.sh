# file.h5:group.
generate 1 6 4 5 6 >in.tns
t tconv in.tns -o out.h5:a
t tconv out.h5:a -o back.tns -q '&& cmp in.tns back.tns'
t tconv out.h5:b -o back.tns
t 'tinfo out.h5:a | head -1'
t tconv out.h5:a -o out.h5:b
t tconv in.tns -o deep.h5:/a/b
t tconv deep.h5:a/b -o back.tns -q '&& cmp in.tns back.tns'
t tconv in.tns -o nowhere/deep.h5:/a/b
