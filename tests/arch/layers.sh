#!/usr/bin/env bash
# Rules of the layers that include paths cannot enforce: an include has no path in it, file names are unique, the library neither
# prints nor exits, src names neither a file format nor a storage format, and no file is longer than 800 lines.
set -euo pipefail
cd "$(dirname "$0")/../.."
bad=0
complain() { echo "layers: $1" >&2; bad=1; }

if git grep -nE '#include "[^"]*/' -- src formats; then
    complain "an include with a path: include headers by name alone (#include \"tsr_map.h\")"
fi
dup=$(git ls-files 'src/*.[ch]' 'formats/*.[ch]' | xargs -n1 basename | sort | uniq -d)
[ -z "$dup" ] || complain "the same file name twice: $dup"
if git grep -nE '\b(v?printf|v?fprintf|puts|fputs|putchar|perror|exit|_exit|abort)\(' -- 'src/*.c' 'formats/*.c' ':!src/term' ':!src/tools' ':!src/*/gen/*'; then
    complain "the library prints or exits: return an error instead (tsr_fail)"
fi
# Memory that an array may have borrowed: tsr_array.h alone asks who owns it.
if git grep -nE '(tsr_realloc|tsr_free)\([^)]*(crd|pos|values|array|arrays)(\[[a-z]\])?(->|\.)data\b' -- 'src/*.c' 'formats/*.c' ':!src/base'; then
    complain "the block of an array is resized or freed by hand: use tsr_array_resize, tsr_array_clear"
fi
names=$(find formats/storage -name '*.fmt' -exec basename -s .fmt {} + | sed -E '/^(dense|linear|scalar)$/d' | paste -sd'|')
if [ -n "$names" ] && git grep -nE "\"($names)\"" -- src ':!src/tools'; then
    complain "a storage format is named in src: make the format from levels (tsr_format_nested...), or ask for its properties"
fi
if git grep -nE '"(tns|mtx|binsparse|h5)"' -- 'src/*.c'; then
    complain "a file format is named in src: ask the codec table for a property instead"
fi
# What differs between systems stands behind one file, with a fallback (src/rt is pasted into kernels, so it asks for itself).
if git grep -nE '\b(madvise|memfd_create|posix_fallocate|fallocate|posix_fadvise|sync_file_range|prctl|sched_getcpu|mremap|pipe2|dup3|accept4|mallopt|malloc_usable_size|dlinfo|dladdr1?|fstatfs|statfs)\(|O_TMPFILE|O_DIRECT\b|SOCK_CLOEXEC|st_mtim\b|"/(proc|sys)/' -- 'src/*.[ch]' 'formats/*.[ch]' 'datasets/*.[ch]' 'bench/harness/*.[ch]' ':!src/base/system.c' ':!src/rt'; then
    complain "a call or a file that only some systems have: put it into src/base/system.c, with a fallback"
fi
# Levels have two headers: tsr_level.h for packing and reading, without the IR, and tsr_level_walk.h for the compiler.
if git grep -n 'tsr_ir' -- src/level/tsr_level.h src/level/level_internal.h; then
    complain "tsr_level.h uses the IR: move the declaration to tsr_level_walk.h"
fi
if git grep -n '#include "tsr_level_walk.h"' -- src formats ':!src/level' ':!src/plan' ':!src/lower'; then
    complain "tsr_level_walk.h may be included by src/level, src/plan and src/lower only: include tsr_level.h"
fi
# Outside src/level nothing knows a level type: other code loops over its arrays and asks for properties.
types=$(sed -nE 's/^X\((.*)\)$/\1/p' src/level/level_types.def | paste -sd'|')
if git grep -nE "\btsr_level_($types)\b" -- src formats bench ':!src/level'; then
    complain "a level type is named outside src/level: ask for a property (tsr_level_type), or use tsr_level_of_cells, _of_list, _of_tuple"
fi
if git grep -nE "strcmp\([^)]*type->name" -- src formats bench ':!src/level'; then
    complain "level types are compared by name: ask for a property (tsr_level_type)"
fi
# Files stay small enough to be read in one go; the public header is one file for C and for bindings, whatever it holds.
long=$(git ls-files '*.c' '*.h' '*.def' '*.cpp' '*.py' '*.sh' '*.cmake' ':!tests/golden' ':!include' | xargs wc -l | awk '$2 != "total" && $1 > 800 { print $2 " (" $1 " lines)" }')
[ -z "$long" ] || complain "files of more than 800 lines: $long: split them by what they hold"
# Nor by a text: words that mean something else, too (a unit, a phase), are left out.
texts=$(sed -nE 's/^X\((.*)\)$/\1/p' src/level/level_types.def | grep -vxE 'dense|bytes|bits|run|window' | paste -sd'|')
if git grep -nE "\"($texts)\"|tsr_level_type_by_name\(\"" -- 'src/*.[ch]' 'formats/*.[ch]' 'bench/*.[ch]' ':!src/level'; then
    complain "a level type is named by a text outside src/level: ask for a property (tsr_level_type)"
fi
# A folder of source files has at most 40 files.
full=$(git ls-files src formats ':!formats/storage' | sed 's,/[^/]*$,,' | sort | uniq -c | awk '$1 > 40 { print $2 " (" $1 " files)" }')
[ -z "$full" ] || complain "folders of more than 40 files: $full: make two folders of each"
# Few files of a room of formats know one another.
within=0
for room in common text container dialect foreign; do
    for header in $(git ls-files "formats/$room/*.h"); do
        within=$((within + $(git grep -l "#include \"$(basename "$header")\"" -- "formats/$room" | wc -l)))
    done
done
[ "$within" -le 150 ] || complain "files of formats include $within headers of their own rooms, more than 150"
within=0
for header in $(git ls-files 'src/pack/*.h'); do
    within=$((within + $(git grep -l "#include \"$(basename "$header")\"" -- src/pack | wc -l)))
done
[ "$within" -le 50 ] || complain "files of src/pack include $within headers of src/pack, more than 50"
# Type names are unique, because a caller may include the headers of several modules.
dup=$(git grep -hoE '^\} tsr_[a-z0-9_]+;$' -- 'src/*.h' ':!src/tools' ':!src/term' | sort | uniq -d)
[ -z "$dup" ] || complain "the same type name twice: $dup"
# The table of CONTRIBUTING.md is what the build enforces: the rows of modules, each with the modules that it may include.
enforced=$(sed -nE 's/^set\(TSR_MAY_INCLUDE_([a-z_]+) "?([a-z_ ]*)"?\).*/\1: \2/p' cmake/TsrModule.cmake |
    sed 's/^format_notation:/notation of formats:/' | sort)
rows=$(sed -nE 's/^\| `(src|formats)\/([a-z_]+)` \|.*\| ([a-z_ ]*) ?\|$/\1 \2: \3/p' CONTRIBUTING.md |
    sed -E 's/^formats notation:/notation of formats:/; s/^(src|formats) //; s/ +$//; /^tools:/d')
if ! diff <(sed 's/ *$//' <<<"$enforced") <(sort <<<"$rows" | sed 's/ *$//') >&2; then
    complain "cmake/TsrModule.cmake (<) and the table of CONTRIBUTING.md (>) differ: change the table"
fi
# A row includes rows above it only, so the folders form no circle.
if ! awk -F': *' '{ n = split($2, may, " "); for (i = 1; i <= n; i++) if (!(may[i] in above)) { print $1 " includes " may[i] ", which is not above it"; bad = 1 }
                    above[$1] } END { exit bad }' <<<"$rows" >&2; then
    complain "a folder of the table of CONTRIBUTING.md includes a folder that is not above it: move what both need down"
fi
exit $bad
