#!/usr/bin/env bash
# The layers that include paths cannot see: no include with a path in it (the include path of a module holds just what it
# may include), file names unique, a library that neither prints nor exits, and no file or storage format named in src.
set -euo pipefail
cd "$(dirname "$0")/../.."
bad=0
complain() { echo "layers: $1" >&2; bad=1; }

if git grep -nE '#include "[^"]*/' -- src formats; then
    complain "an include with a path: doors are included by name"
fi
dup=$(git ls-files 'src/*.[ch]' 'formats/*.[ch]' | xargs -n1 basename | sort | uniq -d)
[ -z "$dup" ] || complain "the same file name twice: $dup"
if git grep -nE '\b(v?printf|v?fprintf|puts|fputs|putchar|perror|exit|_exit|abort)\(' -- 'src/*.c' 'formats/*.c' ':!src/term' ':!src/tools' ':!src/*/gen/*'; then
    complain "the library prints or exits"
fi
names=$(find formats/storage -name '*.fmt' -exec basename -s .fmt {} + | sed -E '/^(dense|linear|scalar)$/d' | paste -sd'|')
if [ -n "$names" ] && git grep -nE "\"($names)\"" -- src ':!src/tools'; then
    complain "a storage format is named in src"
fi
if git grep -nE '"(tns|mtx|binsparse|h5)"' -- 'src/*.c'; then
    complain "a file format is named in src"
fi
# Levels have two doors: packing and reading see tsr_level.h, which shows no IR; the compiler half sees the walks.
if git grep -n 'tsr_ir' -- src/level/tsr_level.h src/level/level_internal.h; then
    complain "tsr_level.h shows the compiler's IR"
fi
if git grep -n '#include "tsr_level_walk.h"' -- src formats ':!src/level' ':!src/plan' ':!src/lower'; then
    complain "tsr_level_walk.h is included outside the compiler"
fi
# A type means one thing: two modules that give one name to two types end up in one caller's include path.
dup=$(git grep -hoE '^\} tsr_[a-z0-9_]+;$' -- 'src/*.h' ':!src/tools' ':!src/term' | sort | uniq -d)
[ -z "$dup" ] || complain "the same type name twice: $dup"
exit $bad
