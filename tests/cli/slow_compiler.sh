# shellcheck shell=bash
# A compiler that takes over a minute: gcc needed that for a product of two sparse tensors of order 16 on a busy machine, and tkern failed.
export XDG_CACHE_HOME=$PWD/cache
printf '1 2 1.5\n3 1 2\n' >m.tns
printf '#!/bin/sh\n[ "$1" = --version ] && exec cc --version\nexec sleep 100\n' >slowcc && chmod +x slowcc
t "TSR_CC=./slowcc tkern -j2 'y(i) = 7*A(i,j)*x(j)' -i A:m.tns 2>&1 | grep -e ^sum -e ^run -e warning -e ^tkern"
