# shellcheck shell=bash
# Texts that can be two things were read as one of them without a word: a size line became an entry, edges a vector, a
# CHOLMOD file a tensor. Only tns's own name or --from=tns does that now.
printf '9 9 2\n1 2 1\n2 1 1\n' >size.txt
printf '9 9 2\n1 2\n2 1\n' >pattern.txt
printf '3 3 2\n0 2 1.5\n2 1 1\n' >spooles.txt
printf '2 2 3 1\n1 1 1.5 1\n1 2 1 2\n2 2 2 3\n' >cholmod.tri
printf '4 4\n2 4\n1 3\n2 4\n1 3\n' >ring.graph
printf '1 2\n3 4\n' >pairs.txt
for file in size.txt pattern.txt spooles.txt cholmod.tri ring.graph pairs.txt; do
    t tconv $file -o x.h5
    t "tinfo - <$file"
done
[ -e x.h5 ] || echo "no output"

# What to say instead.
t tconv size.txt --from=tns -o - --to=tns
t tconv size.txt --from=mtx -o - --to=mtx
t tconv pattern.txt --from=mtx -o - --to=mtx
t tconv spooles.txt --from=mtx --index-base=0 -o - --to=mtx
t tconv pairs.txt --from=tns -o - --to=tns -q
t tconv pairs.txt --dims=3 -o - --to=tns -q
t tconv pairs.txt --no-values -o - --to=tns -q
t tconv pairs.txt --from=edges -o - --to=mtx
t tconv pairs.txt --from=edges --index-base=1 -o - --to=mtx
cp size.txt size.tns && cp pairs.txt pairs.tns && cp size.txt size.mtx
t tconv size.tns -o - --to=tns
t tconv pairs.tns -o - --to=tns
t tconv size.mtx -o - --to=tns
printf "2 2\n1\n2\n3\n4\n" >array.txt
t tconv array.txt --from=mtx -o - --to=mtx

# Lists of edges that say so.
printf '%% sym unweighted\n%% 2 4 4\n1 2\n4 3\n' >konect.txt
printf '# Undirected graph: x\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n' >snap.txt
t tconv konect.txt -o - --to=mtx
t tconv konect.txt --keep-symmetry -o - --to=mtx -q
t tconv snap.txt -o - --to=mtx
t tconv snap.txt -o out.edges

# GraphBLAS's types.
printf '%%%%MatrixMarket matrix coordinate integer general\n%%%%GraphBLAS type double\n2 2 2\n1 1 -inf\n2 2 4\n' >double.mtx
t tconv double.mtx -o - --to=mtx
t tconv double.mtx --type=i8 -o - --to=mtx

# --header: the dims of trailing empty slices, which a plain text does not tell.
printf '%%%%MatrixMarket matrix coordinate real general\n5 4 2\n1 2 1.5\n3 4 1\n' >tail.mtx
for header in auto none extended parti; do
    t tconv tail.mtx -o tail.tns --header=$header --verify
    t cat tail.tns
    t 'tinfo tail.tns | head -1'
done
t tconv tail.mtx -o x.h5 --header=parti
t tconv tail.mtx -o x.tns --header=maybe

# gzip only under a name that says so.
t tconv tail.mtx -o x.mtx --deflate=3
t tconv tail.mtx -o x.mtx.gz --deflate=3 --verify -q
t 'tconv tail.mtx -o - --to=mtx --deflate=3 -q | gzip -dc'

# Scalars.
echo 2.5 >scalar.tns
t 'tinfo scalar.tns | head -1'
t tconv scalar.tns -o scalar.h5 --verify
t tconv scalar.h5 -o - --to=tns -q
t tconv scalar.h5 -o scalar.mtx
printf '1 1.5\n' >one.tns
t tconv one.tns --reduce=sum -o - --to=tns
