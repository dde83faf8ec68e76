# shellcheck shell=bash
# The commands of docs/layouts.md print what the page says, and its figures are those that tlayout draws. TSR_UPDATE=1 writes
# them anew.
while read -r name layout; do
    words=("$layout")
    [[ $layout != thread_values* ]] || read -ra words <<<"$layout"
    tlayout "${words[@]}" --svg=$name.svg
    [ -z "${TSR_UPDATE:-}" ] || cp $name.svg "$TSR_SOURCE/docs/figures/$name.svg"
    cmp $name.svg "$TSR_SOURCE/docs/figures/$name.svg"
    grep -q "figures/$name.svg" "$TSR_SOURCE/docs/layouts.md" || echo "$name.svg is not in the page"
done <<'END'
xla_figure1 f32[3,5]{1,0:T(2,2)}
xla_figure2 f32[4,8]{1,0:T(2,4)(2,1)}
tla_zn ((4,2),(4,3)):((4,16),(1,32))
zz [4,6]{1,0:T(2,3)}
nn [4,6]{0,1:T(3,2)}
zn [4,6]{0,1:T(3,2)(3,1)}
nz [4,6]{1,0:T(2,3)(2,1)}
swizzle Sw<2,0,3> o 0 o (8,8):(8,1)
mma_c thread_values ((4,8),(2,2)):((32,1),(16,8)) (16,8)
END

check_page layouts
[ $(grep -c '^\$ tlayout' layouts.md) -gt 20 ] && echo done
