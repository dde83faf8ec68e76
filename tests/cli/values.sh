# shellcheck shell=bash
# Value types: integers stay integers, and a conversion refuses values that do not fit.
printf '%%%%MatrixMarket matrix coordinate integer general\n2 3 3\n1 1 9007199254740993\n2 2 -7\n2 3 0\n' >int.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 4\n1 1 0.1\n2 2 -0\n2 3 1e-320\n1 2 1.7976931348623157e308\n' >real.mtx
printf '%%%%MatrixMarket matrix coordinate complex general\n2 3 2\n1 1 0.1 -2\n2 2 0 5\n' >complex.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 1\n2 2\n' >pattern.mtx
for name in int real complex pattern; do
    t tconv $name.mtx -o $name.h5
    t tconv $name.h5 -o - --to=mtx -q
done
t tconv int.mtx --type=f64 -o x.h5
t tconv int.mtx --type=i8 -o x.h5
t tconv int.mtx --type=u64 -o x.h5
t tconv int.mtx --type=pattern -o - --to=mtx -q
t tconv real.mtx --type=i64 -o x.h5
t tconv real.mtx --type=f32 -o - --to=mtx -q
t tconv complex.mtx --type=f64 -o x.h5
t tconv pattern.mtx --type=i32 -o - --to=mtx -q
