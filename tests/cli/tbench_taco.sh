# shellcheck shell=bash
# tbench --baseline=taco=PATH, with programs of this test's own in the place of taco: they write C as it does.
export XDG_CACHE_HOME=$PWD/cache
command -v tbench >/dev/null || skip "built without tbench"
generate 1 30 12 10 >m.tns
generate 3 300 1500 1300 >wide.tns
bare() { sed -E '/^(format|[a-z]+(:[0-9,]+)?) +([0-9]|-|pack)/s/ .*//; /^~: the fastest run/d; /^>100%/d'; }
unset TACO_CFLAGS OMP_SCHEDULE
quick="--quick --threads=1 --reps=1 --rank=4 --format=csr"

# fake NAME TEXT [EDIT]: a program in the place of taco that writes the text, with sed's EDIT made, and adds what it
# is asked to the file `asked`.
fake() {
    { printf '%s' "$header"; sed "${3:-}" <<<"$2"; } >"$1.c"
    cat >"$1" <<END
#!/bin/sh
[ "\$1" != -version ] || { echo 'TACO version: 0.0 made up'; exit; }
for word; do
    case \$word in
    -write-source=*) cp '$PWD/$1.c' "\${word#*=}" ;;
    *) asked="\$asked \$word" ;;
    esac
done
echo "asked:\$asked" >>asked
END
    chmod +x "$1"
}
header='#include <stdint.h>
#include <stdlib.h>
typedef enum { taco_mode_dense, taco_mode_sparse } taco_mode_t;
typedef struct {
    int32_t order, *dimensions, csize, *mode_ordering;
    taco_mode_t *mode_types;
    uint8_t ***indices, *vals, *fill_value;
    int32_t vals_size;
} taco_tensor_t;
'
spmv='int compute(taco_tensor_t *y, taco_tensor_t *A, taco_tensor_t *x) {
    const int *pos = (int *)A->indices[1][0], *crd = (int *)A->indices[1][1];
    for (int i = 0; i < A->dimensions[0]; i++) {
        double sum = 0;
        for (int p = pos[i]; p < pos[i + 1]; p++)
            sum += ((double *)A->vals)[p] * ((double *)x->vals)[crd[p]];
        ((double *)y->vals)[i] = sum;
    }
    return 0;
}
int assemble(taco_tensor_t *y, taco_tensor_t *A, taco_tensor_t *x) {
    y->vals = malloc(sizeof(double) * y->dimensions[0]);
    return 0;
}'
fake right "$spmv"
t "tbench spmv m.tns $quick --threads=1,2 --json=r.json --baseline=taco=./right | bare"
t "cat asked" # with two threads it is asked in another way too, as there is no parallel loop in what it wrote
t "grep -Eo '\"(candidate|format|version|note)\":\"[^\"]*\"' r.json | sed 's,Tessera [0-9.]*\",Tessera VERSION\",'"
fake parallel "$spmv" 's/.*i < A->dim.*/_Pragma("omp parallel for schedule(runtime)") &/' && rm asked
t "TACO_CFLAGS='-O1 -std=c99' tbench spmv m.tns $quick --threads=2 --baseline=taco=./parallel | bare"
t "cat asked"
# A sparse result, and functions that take the tensors in an order of their own.
sddmm='int compute(taco_tensor_t *A, taco_tensor_t *D, taco_tensor_t *B, taco_tensor_t *C) {
    const int *pos = (int *)B->indices[1][0], *crd = (int *)B->indices[1][1], n = C->dimensions[1];
    for (int i = 0; i < B->dimensions[0]; i++)
        for (int p = pos[i]; p < pos[i + 1]; p++) {
            double sum = 0;
            for (int r = 0; r < n; r++)
                sum += ((double *)C->vals)[i * n + r] * ((double *)D->vals)[crd[p] * n + r];
            ((double *)A->vals)[p] = sum * ((double *)B->vals)[p];
        }
    return 0;
}
int assemble(taco_tensor_t *A, taco_tensor_t *B, taco_tensor_t *C, taco_tensor_t *D) {
    A->indices[1][0] = B->indices[1][0];
    A->indices[1][1] = B->indices[1][1];
    A->vals = malloc(sizeof(double) * ((int *)B->indices[1][0])[B->dimensions[0]]);
    return 0;
}'
fake sparse "$sddmm"
t "tbench sddmm wide.tns $quick --baseline=taco=./sparse | bare"
fake sparse_wrong "$sddmm" 's/= sum/= 1.5 * sum/'
t "tbench sddmm wide.tns $quick --baseline=taco=./sparse_wrong | sed -n 's/group .*/group/; /^taco/p'"
# Two sparse operands: both are sent to the child, and each run assembles the result.
spadd='static void add(taco_tensor_t *C, taco_tensor_t *A, double scale) {
    const int *pos = (int *)A->indices[1][0], *crd = (int *)A->indices[1][1];
    const int rows = C->dimensions[0], columns = C->dimensions[1];
    int *Cpos = (int *)C->indices[1][0], *Ccrd = (int *)C->indices[1][1];
    if (!Cpos) {
        C->indices[1][0] = (uint8_t *)(Cpos = calloc(rows + 1, sizeof(int)));
        C->indices[1][1] = (uint8_t *)(Ccrd = malloc(rows * columns * sizeof(int)));
        C->vals = malloc(rows * columns * sizeof(double));
    }
    double *x = (double *)C->vals;
    for (int i = 0; i < rows; i++)
        for (int p = pos[i]; p < pos[i + 1]; p++) {
            int q = Cpos[i];
            while (q < Cpos[i + 1] && Ccrd[q] < crd[p]) q++;
            if (q == Cpos[i + 1] || Ccrd[q] != crd[p]) {
                for (int k = Cpos[rows]; k > q; k--) Ccrd[k] = Ccrd[k - 1], x[k] = x[k - 1];
                for (int k = i + 1; k <= rows; k++) Cpos[k]++;
                Ccrd[q] = crd[p], x[q] = 0;
            }
            x[q] += scale * ((double *)A->vals)[p];
        }
}
int compute(taco_tensor_t *C, taco_tensor_t *A, taco_tensor_t *B) { abort(); }
int assemble(taco_tensor_t *C, taco_tensor_t *A, taco_tensor_t *B) { add(C, A, 1); return 0; }
int evaluate(taco_tensor_t *C, taco_tensor_t *A, taco_tensor_t *B) { add(C, A, 1); add(C, B, 1); return 0; }'
rm asked
fake adds "$spadd"
t "tbench spadd m.tns $quick --baseline=taco=./adds | bare"
t "cat asked"
fake adds_wrong "$spadd" 's/add(C, B, 1)/add(C, B, 2)/'
t "tbench spadd m.tns $quick --baseline=taco=./adds_wrong | sed -n 's/group .*/group/; /^taco/p'"
# Contributions to a row are summed: taco needs a workspace for them.
fake empty ''
generate 5 30 8 7 6 >t.tns && rm asked
# The result of sparse-ttv is assembled in each run: in parallel below dense rows, by a request.
t "tbench sparse-ttv t.tns --quick --threads=1,2 --reps=1 --format=csf --baseline=taco=./empty >said; cat asked; rm asked"
t "tbench sparse-ttm t.tns --quick --threads=1 --reps=1 --rank=4 --format=csf --baseline=taco=./empty >said; cat asked"
# What is wrong, or not to be had.
fake wrong "$spmv" 's/sum;/sum * 1.001;/'
t "tbench spmv m.tns $quick --baseline=taco=./wrong >said" # the exit code tells
t "sed -n 's/result is .*/result/; /^taco/p' said"
fake broken "$spmv" 's/i < /j < /'
fake crashed "$spmv" 's/double sum = 0;/& abort();/'
fake strange "$spmv" 's/\*x/*z/'
fake empty ''
printf '#!/bin/sh\necho "Error: what is that" >&2\nexit 6\n' >refuses && chmod +x refuses
for taco in broken crashed strange empty refuses nobody; do
    t "tbench spmv m.tns $quick --baseline=taco=./$taco | sed -n 's/\(compile\|ran\): .*/\1/; /^taco/p'"
done
t "tbench spmv m.tns $quick --baseline=taco | grep ^taco"
t "tbench 'y(i) = 1e2 * A(i,j) * x(j)' m.tns $quick --baseline=taco=./right | grep ^taco"
# Hardly a row with entries: no csr.
generate 4 20 1000 10 >tall.tns && rm asked
t "tbench spmv tall.tns $quick --baseline=taco=./empty >said; cat asked"
# A conversion is an assignment: entries that are sorted, to rows that have entries.
rows='static int convert(taco_tensor_t *Y, taco_tensor_t *A) {
    const int n = ((int *)A->indices[0][0])[1], *i = (int *)A->indices[0][1], *j = (int *)A->indices[1][1];
    int *pos1 = calloc(2, sizeof(int)), *crd1 = malloc(n * sizeof(int)), *pos2 = calloc(n + 1, sizeof(int)), *crd2 = malloc(n * sizeof(int));
    double *x = malloc(n * sizeof(double));
    for (int k = 0; k < n; k++) {
        if (k == 0 || i[k] != i[k - 1])
            crd1[pos1[0 + 1]++] = i[k];
        pos2[pos1[1]] = k + 1;
        crd2[k] = j[k];
        x[k] = ((double *)A->vals)[k];
    }
    Y->indices[0][0] = (uint8_t *)pos1, Y->indices[0][1] = (uint8_t *)crd1;
    Y->indices[1][0] = (uint8_t *)pos2, Y->indices[1][1] = (uint8_t *)crd2;
    Y->vals = (uint8_t *)x;
    return 0;
}
int compute(taco_tensor_t *Y, taco_tensor_t *A) { abort(); }
int assemble(taco_tensor_t *Y, taco_tensor_t *A) { return convert(Y, A); }
int evaluate(taco_tensor_t *Y, taco_tensor_t *A) { return convert(Y, A); }'
pairs() { awk '$1 == "convert" || $1 == "tessera" || $1 == "taco" { print $1, $2 } /:.*taco/'; }
rm asked
fake converts "$rows"
fake converts_wrong "$rows" 's/crd2\[k\] = j\[k\]/crd2[k] = j[k] ^ 1/'
t "tbench convert m.tns --pairs=coo:dcsr,csr:ell --baseline=taco=./converts --quick --threads=1 --reps=1 | pairs; cat asked"
t "tbench convert m.tns --pairs=coo:dcsr --baseline=taco=./converts_wrong --quick --threads=1 --reps=1 2>&1 | sed -n 's/is wrong.*/is wrong/p'"
t "tbench convert m.tns --baseline=taco=./converts --quick"
t "tbench convert m.tns --pairs=coo:dcsr --baseline=eigen=./converts --quick"
