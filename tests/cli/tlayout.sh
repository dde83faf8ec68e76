# shellcheck shell=bash
# tlayout: facts about layouts, the commands, and errors. The layouts are those of the documents.
f1="'f32[3,5]{1,0:T(2,2)}'"             # XLA, Tiled layout, figure 1
f2="'f32[4,8]{1,0:T(2,4)(2,1)}'"        # figure 2
zn="'((4,2),(4,3)):((4,16),(1,32))'"    # CATLASS, TLA layouts
t tlayout "$f1" 2,3
t tlayout "$f1" '"(2, 3)"'
t tlayout "$f1" --inverse=17
t tlayout "$f1" --inverse=18
t tlayout "$f1"
t tlayout "$f1" --json
t tlayout "$f1" --steps
t tlayout "$f1" --order
t tlayout "$f1" --order --inverse=3 --size --json
t tlayout "$f2" --table
t tlayout "$f2" --table --json
t tlayout "$zn"
t tlayout "$zn" 1,5
t tlayout "$zn" "'((1,0),(1,1))'"
t tlayout "$zn" 50
t tlayout "$zn" --size --type=f16
t tlayout "'(2,4):(12,1)'" --order
t tlayout "'{1,0:T(2,2)}'" --dims=3,5 --size --type=f32
t tlayout "'(i, j) -> (j floordiv 2, i, j mod 2), domain: i in [0, 1], j in [0, 4]'"
t tlayout "'(i, j) -> (i * 3 + j), domain: i in [0, 1], j in [0, 2], i + j in [0, 2]'" --table
t tlayout "'f32[2,2,3]{2,1,0}'" --table --json

# Several points; those of standard input.
t tlayout "$f1" 2,3 1,1
t tlayout "$f1" 2,3 1,1 --json
t tlayout "$f1" 2,3 1,9
t "printf '2,3\\n\\n(1, 1)\\n' | tlayout $f1 - 0,1"
t "printf '2,3\\n1,1\\n' | tlayout $f1 - --json"
t "printf '2,3\\n1,9\\n' | tlayout $f1 -"
t "printf '2,3\\n1;9\\n' | tlayout '(3,5):(5,1)' -"
t tlayout eval "'(a, b)[s] -> (a + b, a - s)'" 3,4,5 1,1,1 --json
t tlayout "'f32[<=3,5]'" --json
t tlayout "'(i) -> (-i), domain: i in [0, 3]'" 1

# Layouts of different notations.
t tlayout equal "'[8,12]{0,1:T(4,4)(4,1)}'" "$zn"
t tlayout equal "'[8,12]{0,1:T(4,4)}'" "$zn"
t tlayout equal "'[8,12]{0,1:T(4,4)}'" "$zn" --json
t tlayout equal "'(2,3):(3,1)'" "'f32[2,3]{1,0:L(8)}'"
t tlayout equal "'(2,3):(3,1)'" "'f32[2,4]'"
t tlayout equal "'(2,3):(3,1)'" "'f32[6]'"
t tlayout equal "$f1" "'(i, j) -> (i floordiv 2, j floordiv 2, i mod 2, j mod 2)'" --dims=3,5
t tlayout convert --to=tla "$f1"
t tlayout convert --to=tla "$f2"
t tlayout convert --to=xla "$zn" --type=f16
t tlayout convert --to=xla "'(2,4):(12,1)'"
t tlayout convert --to=xla "'(2,4):(0,1)'"
t tlayout convert --to=tla "'f32[4,6]{1,0:T(*,8)}'"
t tlayout convert --to=map "$f1" --json
t tlayout convert --to=format "$zn"
t tlayout convert --to=xla "'(i) -> (i)'" --dims=4
t tlayout convert --to=tla "'(i, j) -> (i floordiv 2, j floordiv 2, i mod 2, j mod 2)'" --dims=3,5
t tlayout convert --to=xla "'(i, j) -> (i floordiv 2, j floordiv 2, i mod 2, j mod 2)'" --dims=3,5
t tlayout convert --to=xla "'(i, j) -> (i floordiv 2 : dense, j floordiv 2 : dense, i mod 2 : dense, j mod 2 : dense)'" --dims=3,5
t tlayout dd:1,0 --dims=3,5 2,3
t tlayout csr --dims=3,5 2,3
t tlayout "'(i, j) -> (i : dense, j : compressed)'" --dims=3,5 2,3
t tlayout "'(i, j) -> (i : dense, j : compresed)'" --dims=3,5 2,3
t tlayout convert --to=tla "'(i, j) -> (i * 8 + j)'" --dims=3,5
t tlayout convert --to=tla "'(i, j) -> (i + j, i)'" --dims=3,5
t tlayout convert --to=tla "'(i, j) -> ((i + j) mod 3)'" --dims=3,3
t tlayout convert --to=tla "'(i) -> (6 - i)'" --dims=7
t tlayout convert --to=tla "'(i) -> (i + 1)'" --dims=7
t tlayout convert "$f1"
# Storage formats in the notations of formats.
t tlayout convert --to=mlir csr
t tlayout convert --to=ust coo --dims=3,4,5
t tlayout convert --to=ust "'bcsr(2,3)'"
t tlayout convert --to=long "'[i, j] -> (i: (<LevelFormat.COMPRESSED>, <LevelProperty.NONUNIQUE>), j: <LevelFormat.SINGLETON>)'"
t tlayout convert --to=name "'{0,1:D(D,C)}'"
t tlayout convert --to=xla dcsr
t tlayout convert --to=xla hicoo --dims=300,300
t tlayout convert --to=letters "'bcsr(2,3)'"
t tlayout convert --to=letters "'(3,5):(1,3)'"
t tlayout convert --to=name "$f1"
t tlayout convert --to=tla csr
t tlayout convert --to=ust "'(i, j) -> (i : dense, j : dense(pitch = 8))'"
t tlayout convert --to=name "'[i, j] -> ((j - i): <LevelFormat.COMPRESSED>, i: <LevelFormat.RANGE>)'"
t tlayout convert --to=mlir "'{1,0:T(2,2)}'" --dims=3,5
t tlayout convert --to=mlir "'{1,0:T(2,2)}'"
t tlayout tpu
t tlayout tpu "'bf16[100,300]'"
t tlayout tpu "'f32[2,300]'" --json
t tlayout tpu "'f32[9,300]'" tpu-4x128

# Index maps.
t tlayout simplify "'(d0) -> ((d0 * 4) floordiv 8), domain: d0 in [0, 9]'"
t tlayout compose "'(a) -> (a floordiv 2)'" "'(i, j) -> (i * 4 + j), domain: i in [0, 3], j in [0, 3]'"
t tlayout compose "'(a) -> (a)'" "'(i, j) -> (i, j)'"
t tlayout invert "'(i, j) -> (i floordiv 2, j, i mod 2)'" --dims=5,6
t tlayout invert "'(i) -> (i floordiv 3, i mod 2)'" --dims=10
t tlayout eval "'(a, b)[s] -> (a + b, a - s)'" 3,4,5
t tlayout eval "'(a) -> (a), domain: a in [0, 3]'" 4
t tlayout eval "'(a) -> (a)'" 4,5
t tlayout bounds "'(a)[s] -> (a - s, 3, a mod 4), domain: a in [0, 9], s in [0, 2]'" --json
t tlayout bounds "'(a) -> (a * 2)'"
t tlayout equal "'(a)[s] -> ((a * 4 + s) floordiv 4, s), domain: a in [0, 9], s in [0, 3]'" "'(i)[j] -> (i, j), domain: i in [0, 9], j in [0, 3]'"
t tlayout equal "'(a, b) -> (a + b, a), domain: a in [0, 9], b in [0, 3]'" "'(a, b) -> (a + b, b), domain: a in [0, 9], b in [0, 3]'"
t tlayout equal "'(a) -> (a), domain: a in [0, 9]'" "'(a) -> (a), domain: a in [0, 8]'" --json
t tlayout equal "'(a) -> (a)'" "'(a) -> (a, a)'"
t tlayout emit "'(i, j) -> (i floordiv 2, j), domain: i in [0, 9], j in [0, 3], i + j in [0, 8]'" split
t tlayout emit "'(i) -> (i)'" 3
t tlayout remove_unused "'(a, b)[s] -> (b), domain: a in [0, 3], s in [0, 2]'"
t tlayout rescale "'(a)[s] -> (a + s), domain: a in [0, 3], s in [0, 9], s mod 3 in [1, 1]'"
t tlayout symbols_to_dims "'(a)[s, t]{r} -> (a + s + 2 * t + r), domain: t in [0, 2], r in [0, 5]'" r s
t tlayout symbols_to_dims "'(a)[s] -> (a + s)'" a
t tlayout symbols_to_dims "'(a)[s] -> (a + s)'" s s
# Maps without points.
t tlayout simplify "'(a)[s] -> (a + s), domain: a in [0, 3], s in [0, 4], a + s in [9, 10]'"
t tlayout compose "'(a) -> (a), domain: a in [5, 9]'" "'(a) -> (a), domain: a in [0, 3]'" --json
t tlayout "'f32[0,3]'" --map
# Arrays of no dims.
t tlayout "'u32[]{:T(128)}'" "'()'"
t tlayout "'u32[]{:T(128)}'" --inverse=0
t tlayout "'u32[]{:T(128)}'" "'(1)'"
t tlayout eval "'() -> (3)'" "'()'"
# Sparse XLA layouts have no offsets.
t tlayout "'f32[4,5]{1,0:D(D,C)}'" --map
t tlayout "'f32[4,5]{1,0:D(D,C)}'" 1,1
t tlayout equal "'f32[4,5]{1,0:D(D,C)}'" "'f32[4,5]'"
t tlayout "'f32[4,5]{1,0:D(D,D)P(f32[20])}'" --size

# HLO.
t tlayout op "'p0 = f32[4,8] parameter(0)  ROOT r = f32[32] reshape(p0)'"
t tlayout op "'p0 = f32[4,8] parameter(0)  ROOT r = f32[32] reshape(p0)'" --json
cat >softmax.hlo <<'END'
max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT m = f32[] maximum(a, b) }
p0 = f32[2,65,125] parameter(0)
c = f32[] constant(-inf)
r = f32[2,65] reduce(p0, c), dimensions={2}, to_apply=max
b = f32[2,65,125] broadcast(r), dimensions={0,1}
ROOT s = f32[2,65,125] subtract(p0, b)
END
t 'tlayout op - <softmax.hlo'
t "printf 'ENTRY e { p = f32[4] parameter(0)\\n ROOT r = f32[4] negate(p) }\\0more' | tlayout op -"
t tlayout op "'p0 = f32[4,8] parameter(0)  ROOT r = f32[33] reshape(p0)'"
t tlayout op "'p0 = f32[4,8] parameter('"
t tlayout op "'i = s32[5] iota(), iota_dimension=0'"
t tlayout op "'iota = f32[2,4] iota(), dimensions={1}'"
t tlayout op "'p = f32[0,8] parameter(0) ROOT r = f32[8,0] transpose(p), dimensions={1,0}'" --json

# TLA and CuTe.
t tlayout fractal zN 7 9 4 4
t tlayout fractal zN 7 9 --type=f16
t tlayout fractal zN 7 9
t tlayout fractal zQ 7 9 4 4
t tlayout fractal L0C 20 40 --type=f32
t tlayout fractal L0C 20 40
t tlayout row_major "'(2,3)'"
t tlayout column_major "'(2,(3,4))'"
t tlayout tile "$zn" "'(4,4)'"
t tlayout tile "$zn" "'(4,4)'" "'(4,8)'"
t tlayout mode "$zn" 1,0
t tlayout flatten "$zn"
t tlayout coalesce "'(2,(1,6)):(1,(6,2))'"
t tlayout composition "'(6,2):(8,2)'" "'(4,3):(3,1)'"
t tlayout complement 4:2 24
t tlayout complement 4:2 "'(4,6)'"
t tlayout complement 4:2 24:1
t tlayout complement 4:2 -- -1
t tlayout select "'(2,3,4):(12,4,1)'" 2,0
t tlayout select "'(2,3,4):(12,4,1)'" 3
t tlayout take "'(2,3,4):(12,4,1)'" 1 3
t tlayout take "'(2,3,4):(12,4,1)'" 1 4
t tlayout group "'(2,3,4):(12,4,1)'" 0 2
t tlayout group "'(2,3,4):(12,4,1)'" 2 5
t tlayout shape_div "'(3,6,2,8)'" 9
t tlayout ceil_div "'(3,6,2,8)'" 9 --json
t tlayout ceil_div "'(8,10,6)'" "'(3,4)'"
t tlayout compatible 24 "'(4,6)'"
t tlayout compatible "'(4,6)'" 24
t tlayout compatible "'(4,6)'" 24 --json
t tlayout congruent "'((2,2),3)'" "'((1,6),2)'"
t tlayout congruent "'((2,2),3)'" "'(4,3)'"
t tlayout concat "'(2,3):(12,4)'" 4:1
t tlayout concat 4:1
t tlayout rank "'((2,2),3):((1,6),2)'"
t tlayout size "'((2,2),3):((1,6),2)'"
t tlayout cosize "'((2,2),3):((1,6),2)'" --json
t tlayout right_inverse "'(4,8):(8,1)'"
t tlayout left_inverse "'(4,8):(8,1)'"
t tlayout divide "'(4,2,3):(2,1,8)'" 4:2
t tlayout zipped_divide "'(9,(4,8)):(59,(13,1))'" "'[3:3;(2,4):(1,8)]'"
t tlayout logical_divide "'(9,(4,8)):(59,(13,1))'" "'<3:3,(2,4):(1,8)>'"
t tlayout logical_product "'(2,2):(4,1)'" 6:1
t tlayout tiled_divide "'(8,8):(8,1)'" "'(4,2)'"
t tlayout flat_divide "'(8,8):(8,1)'" "'(4,2)'"
t tlayout product "'(2,2):(4,1)'" 6:1
t tlayout zipped_product "'(2,2):(4,1)'" "'(3,4)'"
t tlayout tiled_product "'(2,2):(4,1)'" "'(3,4)'"
t tlayout flat_product "'(2,2):(4,1)'" "'(3,4)'"
t tlayout blocked_product "'(2,5):(5,1)'" "'(3,4):(1,3)'"
t tlayout raked_product "'(2,5):(5,1)'" "'(3,4):(1,3)'"
t tlayout tile_to_shape "'(2,2):(2,1)'" "'(4,6)'"
t tlayout tile_to_shape "'(2,3):(3,1)'" "'(5,8)'"
t tlayout crd2idx "'(1,(1,2))'" "'(3,(2,3))'"
t tlayout idx2crd 16 "'(3,(2,3))'" --json
t tlayout composition "'(6,2):(8,2)'" 5:3

# Swizzled layouts of CuTe.
t tlayout "'Sw<2,0,3> o 0 o (4,8):(8,1)'"
t tlayout "'Sw<3,4,3> o 0 o (8,8):(8,1)'" --json
t tlayout "'Sw<3,3,3> o 0 o (8,64):(64,1)'" 1,0 "'(7,0)'" 15
t tlayout "'Sw<3,3,3> o 0 o (8,64):(64,1)'" --inverse=504
t tlayout convert --to=cute "'Swizzle<1,0,-1> o _1 o (_2,_2):(_2,_1)'"
t tlayout convert --to=map "'Sw<1,0,1> o 0 o (2,2):(2,1)'"
t tlayout convert --to=tla "'Sw<1,0,1> o 0 o (2,2):(2,1)'"
t tlayout convert --to=format "'Sw<1,0,1> o 0 o (2,2):(2,1)'"
t tlayout equal "'Sw<1,0,1> o 0 o (2,2):(2,1)'" "'(2,2):(2,1)'"
t tlayout divide "'Sw<3,3,3> o 0 o (8,64):(64,1)'" "'<4:1,16:1>'"
t tlayout composition "'Sw<3,4,3> o 0 o (8,8):(8,1)'" "'(4,4)'"
t tlayout right_inverse "'Sw<3,4,3> o 0 o (8,8):(8,1)'"
t "tlayout 'Sw<2,0,3> o 0 o (4,8):(8,1)' --svg=- | grep -c '<rect'"
t tlayout "'Sw<3,4,2> o 0 o (8,8):(8,1)'"
t tlayout "'Sw<3,4,3> o 0 (8,8):(8,1)'"

# A thread-value layout: the accumulators of a product of 16 x 8 on tensor cores (PTX: mma.m16n8k16).
t tlayout thread_values "'((4,8),(2,2)):((32,1),(16,8))'" "'(16,8)'"
t tlayout thread_values "'(2,2):(1,0)'" 3 --json
t tlayout thread_values "'(2,2):(1,4)'" "'(2,2)'"
t tlayout thread_values "'8:1'" "'(2,4)'"
t tlayout thread_values "'(2,2):(1,2)'" "'(100000,100000)'"

# Pictures: the same each time, well-formed, whole or not there.
t tlayout "$f1" --svg=f1.svg
t "tlayout 'f32[0,5]{1,0:T(4611686018427387904,4)}' --svg=- | grep -c '<rect'" # tiles of nothing are of any size
t 'tlayout '"$f1"' --svg=- | cmp - f1.svg'
/usr/bin/python3 -c 'import xml.dom.minidom as m, sys; m.parse("f1.svg")' || echo "not XML"
t "grep -c '>17<' f1.svg"
t tlayout "'f32[1000,1000]{1,0}'" --svg=big.svg
# A part of a layout, of any size; a wide picture is scaled.
t "tlayout 'bf16[100000,100000]{1,0:T(8,128)(2,1)}' --cells=8:10,128:131 --svg=- | grep -o '>[0-9,:]*<' | tr '\\n' ' '"
t "tlayout 'f32[16,256]{1,0:T(8,128)}' --svg=- | grep -o '<svg .*'"
t tlayout "$f1" --cells=0:2,0:9 --svg=-
t tlayout "$f1" --cells=0:2 --svg=-
t tlayout "$f1" --cells=2:2,0:1 --svg=-
t tlayout "$f1" --cells=0:2,0:1
t tlayout "$f1" --svg=nowhere/f1.svg
t tlayout "'f32[0,5]'" --svg=empty.svg
t ls

# What is refused.
t tlayout
t tlayout eqaul a b
t tlayout equal a
t tlayout "$f1" 2,3 4,5,6
t tlayout "$f1" 3,0
t tlayout "$f1" 1
t tlayout "$f1" 1,2,3
t tlayout "$f1" 1,x
t tlayout "$f1" --inverse=24
t tlayout "$f1" --inverse=two
t tlayout "$f1" --dims=4,5
t tlayout "'{1,0:T(2,2)}'"
t tlayout "'f32[3,5]{1,0'"
t tlayout "'(3,(2:1)'"
t tlayout "'(i) -> (j)'"
t tlayout "'(i) -> (i)'"
t tlayout "'(2,4):(0,1)'" --inverse=2
t tlayout "$zn" --steps
t tlayout "'f32[100000,100000]'" --table
t tlayout "$f1" --type=f33
t tlayout convert "$f1" --to=cude
t tlayout convert "$f1" --to=cute
t tlayout convert --to=cute "$f2"
t tlayout divide "$zn"

# Layouts as storage formats: the same entries come back, and the values lie as the layout says.
printf '%s\n' '1 1 1' '1 5 5' '2 3 8' '3 4 14' >m.tns
t tconv m.tns --dims=3,5 "--format='{1,0:T(2,2)}'" -o m.h5 -q
t tinfo m.h5 --json --arrays
t tconv m.h5 -o back.tns -q
t 'sort back.tns | cmp - m.tns'
t tconv m.tns --dims=3,5 "--format='((2,2),(2,3)):((2,12),(1,4))@(3,5)'" -o n.h5 -q
t 'tinfo n.h5 --json --arrays >n.json; tinfo m.h5 --json --arrays | cmp - n.json'
t tconv m.tns --dims=3,5 "--format='s64[3,5]{0,1:T(2,2)(2,1)}'" -o n.h5 -q --verify
t tconv m.tns --dims=3,5 "--format='f32[3,5]{0,1:T(2,2)(2,1)}'" -o n.h5 -q
t tconv m.tns --dims=3,5 "--format='f32[3,5]{0,1:T(2,2)(2,1)}'" --type=f32 -o n.h5 -q --verify
t tconv m.tns --dims=3,5 "--format='bf16[3,5]{1,0}'" -o n.h5
t tconv m.tns --dims=3,5 "--format='{1,0:E(4)}'" -o n.h5
t tconv m.tns --dims=3,5 "--format='s8[3,5]{1,0:E(8)}'" --type=i8 -o n.h5 -q --verify
t tconv m.tns --dims=3,5 "--format='pred[3,5]{1,0}'" --type=pattern -o n.h5 -q --verify
t tconv m.tns --dims=3,5 "--format='{1,0:D(D,C)}'" -o n.h5
t tconv m.tns --dims=4,5 "--format='[3,5]{1,0:T(2,2)}'" -o n.h5
t tconv m.tns --dims=4,5 "--format='(3,5):(5,1)'" -o n.h5
t tconv m.tns --dims=3,5 "--format='(3,5):(8,1)'" -o n.h5 -q --verify
t tinfo n.h5 --json --arrays
t "tinfo n.h5 | sed -n '3p;/^level/,/^values/p'"
t tconv n.h5 --format="'{0,1:T(8,2)}'" -o p.h5 -q
t tinfo p.h5 --json --arrays
t tconv p.h5 -o back.tns -q
t 'sort back.tns | cmp - m.tns'
t tconv m.tns --dims=3,5 "--format='(3,5):(0,1)'" -o n.h5
t tconv m.tns --dims=3,5 "--format='(3,5):(2,7)'" -o n.h5 -q --verify
t tinfo n.h5 --json --arrays
t tconv m.tns --dims=3,5 "--format='{1,0:L(16)}'" -o n.h5 -q --verify
t tinfo n.h5 --json --arrays
t tconv m.tns --dims=3,5 "--format='(i, j) -> (i : dense, j : dense(pitch = 4))'" -o n.h5
t tconv m.tns --dims=3,5 "--format='(i, j) -> (i : dense, j : compressed(pitch = 8))'" -o n.h5
t tconv m.tns --dims=3,5 "--format='(i, j) -> (i floordiv 2 : compressed, j : dense, i mod 2 : dense(pitch = 3))'" -o n.h5 -q --verify
t tinfo n.h5 --json --arrays
t tlayout convert --to=format "'(3,5):(8,1)'"
t tlayout equal "'(i, j) -> (i : dense, j : dense(pitch = 8))'" "'(3,5):(8,1)'" --dims=3,5
t tlayout equal "'(i, j) -> (i : dense, j : dense(pitch = 8))'" "'(3,5):(5,1)'" --dims=3,5
t tlayout "'(i, j) -> (i : dense, j : dense(pitch = 8))'"
t tconv m.tns --dims=3,5 "--format='{2,1,0}'" -o n.h5
t tconv m.tns --dims=3,5 "--format='{1,0:T(2,2}'" -o n.h5
t tconv m.tns "--format='((2,2):1'" -o n.h5

# Shapes of the same bytes, Mosaic's tiles, and CuTe's functions of shapes and coordinates.
t tlayout physical "'f32[3,5]{1,0:T(2,2)}'"
t tlayout combine "'f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}'"
t tlayout combine "'(2,3):(1,2)'"
t tlayout tpu_tiled "'#tpu.tiled<(8,128),[2,1]>'" --dims=16,256
t tlayout tpu_tiled "'#tpu.tiled<(8,128),[?,1]>'" --json
t tlayout tpu_tiled "'#tpu.tiled<(8,128'"
t tlayout offsets "'((2,2),3):((1,6),2)'"
t tlayout depth "'((2,2),3):((1,6),2)'"
t tlayout increment "'(1,1)'" "'(2,3)'"
t tlayout tile_start "'(4,8)'" "'(1,2)'"
t tlayout shape_mod "'(3,6,2,8)'" 9
t tlayout product_each "'((2,3),4)'"
t tlayout op "'p = f32[4,8] parameter(0); t = f32[8,4] transpose(p), dimensions={1,0}; ROOT r = f32[32] reshape(t)'" t
t tlayout op "'p = f32[4,8] parameter(0)'" x
t tlayout bounds "'(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 in [1, 2]'"

# Pictures of thread-value layouts; options that ask a fact of a layout do not go with commands.
t "tlayout thread_values '((2,2),2):((4,1),2)' '(2,4)' --svg=- | grep -c '<rect x'"
t "tlayout thread_values '((2,2),2):((4,1),2)' '(2,9)' --svg=- | grep -c '#ffffff'"
t "tlayout thread_values '(200,1):(1,1)' '(200,200)' --svg=-"
t tlayout coalesce 4:1 --svg=none.svg
t tlayout coalesce 4:1 --size
# A wide picture: the memory is below the array, only some lines have numbers, and texts keep their size.
t "tlayout 'bf16[16,256]{1,0:T(8,128)(2,1)}' --svg=- | grep -o '[ah]{font-size:[0-9.]*px\|>[0-9:]*</text>\|above.*</text>' | tr '\n' ' '"
