# shellcheck shell=bash
# Every named format, for every order that it takes: text to HDF5 to text gives back the same entries, and so does
# text to text through the format.
generate 2 5 9 >order1.tns
generate 3 20 7 10 >order2.tns
generate 4 30 5 4 9 >order3.tns
generate 5 40 4 3 5 4 >order4.tns
# The largest index of each mode: dims beyond would be written as a header, and that is not the matter here.
shape() {
    awk '{ for (m = 1; m < NF; m++) if ($m > max[m]) max[m] = $m }
         END { for (m = 1; m < NF; m++) printf "%s%d", (m > 1 ? "," : ""), max[m] }' "$1"
}
ran=0
for usage in $(tconv --list-formats | sed -nE 's/^([a-z0-9_]+(\([a-z0-9=,]*\))?)( .*|$)/\1/p'); do
    # Give the parameters values: the k-th is k + 1.
    name=${usage%%(*} format=$name
    if [[ $usage == *\(* ]]; then
        count=$(tr -cd , <<<"$usage" | wc -c)
        format="$name($(seq -s, 2 $((count + 2))))"
    fi
    orders=
    for order in 1 2 3 4; do
        in=order$order.tns shape=$(shape order$order.tns)
        tconv $in --format="$format" -o x.h5 -q 2>err
        code=$?
        [ $code -eq 2 ] && ! grep -q 'possible\|one triangle' err && continue # not of this order
        # a format that holds only some patterns refuses other ones
        grep -q 'at most .* are possible\|stores one triangle' err && { orders+=$order; continue; }
        [ $code -eq 0 ] || { echo "$format, order $order: exit $code"; cat err; continue; }
        tconv x.h5 --to=tns -o - -q | sort -n -k1,1 -k2,2 -k3,3 -k4,4 | cmp - $in ||
            echo "$format, order $order: HDF5 does not give back the same"
        tconv $in --format="$format" --to=tns -o - -q | sort -n -k1,1 -k2,2 -k3,3 -k4,4 |
            cmp - $in || echo "$format, order $order: text does not give back the same"
        tinfo x.h5 --check -q >/dev/null || echo "$format, order $order: --check finds fault"
        tinfo x.h5 --json -q | grep -q "\"dims\": \[${shape//,/, }\]" || echo "$format, order $order: other dims"
        orders+=$order ran=$((ran + 1))
    done
    [ -n "$orders" ] || [ $name = scalar ] || echo "$format is for no order from 1 to 4"
done
[ $ran -gt 40 ] && echo done || echo "only $ran ran"
# Blocks around scattered entries: what they take is told.
awk 'BEGIN { for (i = 0; i < 10000; i++) print i + 1, (i * 7919) % 10000 + 1, 1.5 }' >scattered.tns
t "tconv scattered.tns -f 'bcsr(4,4)' -o s.h5 2>&1 | grep warning"
t "tconv scattered.tns -f csr -o s.h5 2>&1 | grep warning"
