# shellcheck shell=bash
# What broke: text of files and arguments reached the terminal unchanged: C1 controls in messages, and everything in file names,
# unknown options and the words of tbench. Whatever the tools print about these names must be plain.
ugly_name
generate 1 6 4 5 >in.tns
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1.5\n2 3 2.5\n' >in.mtx
cp in.tns "$ugly.tns"
cp in.mtx "$ugly.mtx"
tconv -q in.mtx -o "in.h5:$ugly"
tconv -q in.mtx -o "$ugly.h5"

echo "# the words of a message"
t 'tconv "no$esc$csi$csi8$rlo$bad.mtx" -o x.h5'
t 'tconv "--no$esc$csi8" -o x.h5'

echo "# tconv"
plain tconv "$ugly" -o x.h5
plain tconv "$ugly.none" -o x.h5
plain tconv "$ugly.tns" -o x.h5
plain tconv "$ugly.mtx" -o "$ugly.2.h5"
plain tconv in.mtx -o "$ugly/x.h5"
plain tconv in.mtx -o "x.$ugly"
plain tconv in.h5 -o x.mtx
plain tconv "in.h5:no$ugly" -o x.mtx
plain tconv "in.h5:$ugly" -o x.mtx
for option in from to format type shape index-base duplicates deflate transpose slice pad reshape unfold reduce permute-by \
    concat map threads index; do
    echo "$option $(plain tconv in.mtx -o y.h5 "--$option=$ugly")"
done
plain tconv in.mtx -o x.h5 "--$ugly"
plain tconv in.mtx -o x.h5 $'-\x9b'
plain tconv in.mtx "$ugly" -o x.h5
plain tconv in.mtx -o x.h5 --format="(i, j) -> (i : dense, j : $ugly)"

echo "# what files hold"
for text in "$ugly" "1 1 $ugly" "%%MatrixMarket $ugly" "%%MatrixMarket matrix coordinate real general
1 1 $ugly" "%%MatrixMarket matrix coordinate real general
1 1 1
1 $ugly 1" "# $ugly
1 $ugly 1" "sptensor
$ugly"; do
    for codec in tns mtx; do
        printf '%s\n' "$text" >hostile.txt
        echo "$(plain tconv hostile.txt --from=$codec -o x.h5) $(plain tinfo hostile.txt)"
    done
done

echo "# tinfo"
plain tinfo "$ugly.tns"
plain tinfo "$ugly.h5" --json
plain tinfo "$ugly.h5" --check
plain tinfo "in.h5:$ugly"
plain tinfo in.mtx --spy="$ugly.png"
plain tinfo "$ugly.mtx" --spy=x.png
plain tinfo "--$ugly" in.mtx
plain tinfo in.mtx --modes="$ugly"

echo "# tkern"
plain tkern "y(i) = A(i,j) * x(j)" -i "A:$ugly.mtx" -o "y:$ugly.y.mtx"
plain tkern "y(i) = A(i,j) * x(j)" -i "A:no$ugly"
plain tkern "y(i) = A(i,j) * $ugly"
plain tkern "y(i) = A(i,j) * x(j)" -f "A:$ugly"
plain tkern "y(i) = A(i,j) * x(j)" -d "$ugly"
plain tkern "y(i) = A(i,j) * x(j)" "$ugly"
plain tkern "y(i) = A(i,j) * x(j)" "--$ugly"

echo "# tlayout"
plain tlayout "$ugly"
plain tlayout "f32[3,5]{1,0:T(2,2)$ugly}" 1,1
plain tlayout 'f32[3,5]' "$ugly"
plain tlayout op "$ugly"
plain tlayout "--$ugly"

echo "# a long text is cut, around the fault"
long=$(printf 'A%.0s' {1..40000})
t 'tkern "y(i) = $long(i,j) * @ $long(j)"'
t 'tconv in.mtx -o x.h5 --type=$long'
t 'tconv in.mtx $long'
t 'tconv $long -o x.h5'
