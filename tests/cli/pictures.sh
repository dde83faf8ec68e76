# shellcheck shell=bash
# --spy and the picture in characters.
size() { # the signature and the width and height of a PNG file
    od -An -tx1 -N8 "$1" | tr -d '\n'
    od -An -tu1 -j16 -N8 "$1" | awk '{ print ":", (($1 * 256 + $2) * 256 + $3) * 256 + $4, "x",
        (($5 * 256 + $6) * 256 + $7) * 256 + $8 }'
}
generate 1 400 1000 1000 >in.tns
t tinfo in.tns --spy=square.png '&& size square.png'
generate 2 30 4 300 5 >wide.tns
t tinfo wide.tns --spy=wide.png '&& size wide.png'
t tinfo wide.tns --spy=other.png --modes=2,0 '&& size other.png'
printf '5 1\n900 1\n' >vector.tns
t tinfo vector.tns --spy=vector.png '&& size vector.png'
echo '9223372036854775807 9223372036854775807 1' >far.tns
t tinfo far.tns --spy=far.png '&& size far.png'
t tconv in.tns --format=csr -o in.h5 -q
t tinfo in.h5 --spy=packed.png '&& test -s packed.png'
t tinfo in.tns --spy=nowhere/x.png
cp in.tns same.png
t tinfo same.png --spy=same.png
rm same.png
# What broke: the bytes of a PNG file were written to a name that ends with .svg.
t tinfo in.tns --spy=in.svg '&& head -n 5 in.svg && tail -n 1 in.svg'
t tinfo in.tns --spy=in.jpg
t tinfo --spy out.h5
t tinfo wide.tns --spy=x.png --modes=0,3
picture() { tinfo "$@" | sed -n '/^mode . down/,$p'; }
awk 'BEGIN { for (i = 1; i <= 100; i++) for (j = i; j <= i + 5 && j <= 100; j++) print i, j, 1; for (j = 1; j <= 25; j++)
    for (i = 76; i <= 100; i++) print i, j, 2 }' >band.tns
t picture band.tns
t picture vector.tns
t picture wide.tns --modes=1,2
t ls
