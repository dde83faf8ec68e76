# shellcheck shell=bash
# Widths of stored indices.
generate 1 60 14 15 16 >in.tns
bits() { tinfo "$1" --json | tr -d '\n ' | grep -oE '"(kind|bits)":("[a-z]*"|[0-9]+)' | sed 's/.*://' | paste -sd' '; }
for width in auto narrow 8 16 32 64; do
    t tconv in.tns --format=dss --index=$width -o $width.h5 -q '&& bits' $width.h5
done
t tconv in.tns --format="'hicoo(4)'" -o hicoo.h5 -q '&& bits hicoo.h5'
# A packed file keeps its widths, unless others are asked for.
t tconv 8.h5 -o copy.h5 -q '&& bits copy.h5'
t tconv 8.h5 -o copy.h5 --index=64 -q '&& bits copy.h5'
# MLIR's encodings ask for widths, too.
enc() { echo "'#sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : dense, d1 : compressed, d2 : compressed)$1 }>'"; }
t tconv in.tns --format="$(enc "")" -o e.h5 -q '&& bits e.h5'
t tconv in.tns --format="$(enc ', posWidth = 64, crdWidth = 64')" -o e.h5 -q '&& bits e.h5'
t tconv e.h5 --format="$(enc ', crdWidth = 8')" -o e8.h5 -q '&& bits e8.h5'
t tconv e.h5 --format="$(enc ', crdWidth = 8')" --index=32 -o e32.h5 -q '&& bits e32.h5'
t tconv in.tns --format="$(enc ', posWidth = 64, crdWidth = 32')" -o e.h5
t tconv in.tns --format="$(enc ', posWidth = 63')" -o e.h5
