set linetype 1 lc rgb "#3f90da" lw 1.5 pt 7 ps 0.9
set linetype 2 lc rgb "#ffa90e" lw 1.5 pt 5 ps 0.9
set linetype 3 lc rgb "#bd1f01" lw 1.5 pt 9 ps 0.9
set linetype 4 lc rgb "#94a4a2" lw 1.5 pt 11 ps 0.9
set linetype 5 lc rgb "#832db6" lw 1.5 pt 13 ps 0.9
set linetype 6 lc rgb "#a96b59" lw 1.5 pt 15 ps 0.9
set linetype 7 lc rgb "#e76300" lw 1.5 pt 6 ps 0.9
set linetype 8 lc rgb "#b9ac70" lw 1.5 pt 4 ps 0.9
set linetype 9 lc rgb "#717581" lw 1.5 pt 8 ps 0.9
set linetype 10 lc rgb "#92dadd" lw 1.5 pt 10 ps 0.9
set linetype 11 lc rgb "#3f90da" lw 1.5 pt 11 ps 0.9
set linetype 12 lc rgb "#ffa90e" lw 1.5 pt 13 ps 0.9
set linetype 13 lc rgb "#bd1f01" lw 1.5 pt 15 ps 0.9
set linetype 14 lc rgb "#94a4a2" lw 1.5 pt 6 ps 0.9
set linetype 15 lc rgb "#832db6" lw 1.5 pt 4 ps 0.9
set linetype 16 lc rgb "#a96b59" lw 1.5 pt 8 ps 0.9
set linetype 17 lc rgb "#e76300" lw 1.5 pt 10 ps 0.9
set linetype 18 lc rgb "#b9ac70" lw 1.5 pt 7 ps 0.9
set linetype 19 lc rgb "#717581" lw 1.5 pt 5 ps 0.9
set linetype 20 lc rgb "#92dadd" lw 1.5 pt 9 ps 0.9
set encoding utf8
set datafile missing "NaN"
set key at screen 0.5, screen 0.015 center bottom maxrows 8 Left reverse samplen 1.5
set bmargin 14
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Storage of matrices"
set ylabel "bytes per entry"
set yrange [0:*]
set xrange [0:227]
unset xtics
set label "banded\n500k\nwidth 7" at first 7.5, graph 0 center offset 0, -1 font ",12"
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 22.5, graph 0 center offset 0, -1 font ",12"
set label "uniform\n500k\n4M" at first 37.5, graph 0 center offset 0, -1 font ",12"
set label "power-law\n1M\n8M" at first 52, graph 0 center offset 0, -1 font ",12"
set label "rmat\nscale 17" at first 66.5, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 1000x1000" at first 83, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 100x100x100" at first 98.5, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 30x30x30\npoints 27\nunknowns 3, cut 1" at first 113, graph 0 center offset 0, -1 font ",12"
set label "arrow\n200k\nwidth 7" at first 127.5, graph 0 center offset 0, -1 font ",12"
set label "block\n200k\nblock 4" at first 141.5, graph 0 center offset 0, -1 font ",12"
set label "banded\n200k\nwidth 5" at first 155.5, graph 0 center offset 0, -1 font ",12"
set label "power-law\n200k\n1M" at first 169.5, graph 0 center offset 0, -1 font ",12"
set label "uniform\n200k\n1M" at first 183, graph 0 center offset 0, -1 font ",12"
set label "power-law\n100k\n600k" at first 192.5, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 12x12x12\npoints 27\nunknowns 3, cut 1" at first 198.5, graph 0 center offset 0, -1 font ",12"
set label "rmat\nscale 13" at first 204.5, graph 0 center offset 0, -1 font ",12"
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.6" at first 212.5, graph 0 center offset 0, -1 font ",12"
set label "banded\n500k\nwidth 9" at first 222.5, graph 0 center offset 0, -1 font ",12"
$s0 << EOD
1 0 16
17 0 16
31 0 16
47 0 16
60 0 16
76 0 16
93 0 16
107 0 16
122 0 16
136 0 16
150 0 16
164 0 16
178 0 16
209 0 12.5
219 0 12.44
EOD
$s1 << EOD
2 0 12.57
18 0 12.5
32 0 12.5
48 0 12.5
61 0 12.25
77 0 12.8
94 0 12.58
108 0 12.05
123 0 12.44
137 0 12.2
151 0 12.8
165 0 12.8
179 0 12.8
191 0 12.67
197 0 12.06
203 0 12.33
210 0 12.5
220 0 12.44
EOD
$s2 << EOD
3 0 8.02
78 0 8.022
95 0 8.064
109 0 10.27
EOD
$s3 << EOD
4 0 11.05
EOD
$s4 << EOD
5 0 11.05
33 0 12.5
62 0 12.25
79 0 12.8
110 0 12.05
124 0 14.22
211 0 12.5
221 0 12.44
EOD
$s5 << EOD
6 0 12.64
34 0 12.56
49 0 16.98
80 0 12.9
96 0 12.65
138 0 12.23
152 0 12.9
EOD
$s6 << EOD
7 0 13.14
19 0 13
35 0 13
50 0 13
63 0 12.3
81 0 13.6
97 0 13.15
111 0 12.11
125 0 12.89
139 0 12.4
153 0 13.6
166 0 13.6
180 0 13.6
EOD
$s7 << EOD
20 0 13.57
EOD
$s8 << EOD
21 0 12.01
36 0 12.01
140 0 12
167 0 12
181 0 12
EOD
$s9 << EOD
8 0 13.14
22 0 12.94
37 0 13
51 0 12.94
64 0 12.31
82 0 13.6
112 0 12.11
126 0 12.89
141 0 12.4
168 0 13.37
182 0 13.59
EOD
$s10 << EOD
38 0 12
65 0 12
EOD
$s11 << EOD
9 0 12.57
23 0 12.5
39 0 12.5
66 0 12.25
83 0 12.8
113 0 12.05
127 0 12.44
142 0 12.2
154 0 12.8
169 0 12.8
183 0 12.8
212 0 12.5
222 0 12.44
EOD
$s12 << EOD
52 0 12
84 0 12
155 0 12
170 0 12
EOD
$s13 << EOD
67 0 13.01
EOD
$s14 << EOD
68 0 12
EOD
$s15 << EOD
85 0 10.09
98 0 10.06
EOD
$s16 << EOD
99 0 12
EOD
$s17 << EOD
114 0 12.06
EOD
$s18 << EOD
128 0 14.22
156 0 11.2
EOD
$s19 << EOD
10 0 17.14
24 0 17
40 0 17
53 0 17
69 0 16.5
86 0 17.6
100 0 17.15
115 0 16.11
129 0 16.89
143 0 16.4
157 0 17.6
171 0 17.6
184 0 17.6
192 0 17.33
198 0 16.19
204 0 17.34
213 0 17
223 0 16.89
EOD
$s20 << EOD
11 0 12.57
25 0 13
41 0 12.5
54 0 12.5
70 0 12.25
87 0 12.8
101 0 12.58
116 0 12.05
130 0 12.89
144 0 12.2
158 0 10.8
172 0 12.8
185 0 12.8
EOD
$s21 << EOD
12 0 12.57
26 0 12.5
42 0 12.5
55 0 12.5
71 0 12.25
88 0 12.8
102 0 12.58
117 0 12.05
131 0 12.44
145 0 12.2
159 0 12.8
173 0 12.8
186 0 12.8
193 0 12.67
199 0 12.06
205 0 12.33
214 0 12.5
224 0 12.44
EOD
$s22 << EOD
13 0 12.57
27 0 12.5
43 0 12.5
56 0 12.5
72 0 12.25
89 0 12.8
103 0 12.58
118 0 12.05
132 0 12.44
146 0 12.2
160 0 12.8
174 0 12.8
187 0 12.8
194 0 12.67
200 0 12.06
206 0 12.33
215 0 12.5
225 0 12.44
EOD
$s23 << EOD
14 0 12.57
28 0 12.5
44 0 12.5
57 0 12.5
73 0 12.25
90 0 12.8
104 0 12.58
119 0 12.05
133 0 12.44
147 0 12.2
161 0 12.8
175 0 12.8
188 0 12.8
216 0 25
226 0 24.89
EOD
$intervals << EOD
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "storage-matrices.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(8192,32768)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "csbc(16384,32768)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "hicoo(128)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csbc(32768,32768)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "sell(8,80999)", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsrc(2,2)", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s22 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s23 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "storage-matrices.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(8192,32768)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "csbc(16384,32768)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "hicoo(128)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csbc(32768,32768)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "sell(8,80999)", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsrc(2,2)", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s22 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s23 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
unset output
