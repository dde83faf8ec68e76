#!/usr/bin/env bash
# run.sh NAME: run one test of the tools. NAME.sh is sourced in an empty folder, and its output must equal NAME.out.
# TSR_UPDATE=1 writes NAME.out anew; read the difference before you commit it.
#
# From the environment: PATH with the tools; TSR_SOURCE, the source tree; TSR_TMP, a scratch folder.
# A case may use:
#   t COMMAND        print "$ COMMAND", run the command, print its output (standard error too) and "[exit code]" unless it is 0
#   ugly_name        names that control a terminal: see below
#   plain COMMAND    run the command, print its exit code and whether its output is fit for a terminal: see below
#   skip REASON      end the case as skipped
#   needs_terminal   skip the case unless Python can make a terminal (terminal.py)
#   generate ...     print a tensor: see below
#   check_page NAME  run the commands of a page of docs/: see below
#   case_runs NUMBER whether this case of many runs: see below
set -u
name=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "$TSR_TMP/$name.XXXXXX") || exit 1
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
export LC_ALL=C OMP_WAIT_POLICY=passive TSR_TUNING=none PYTHONPATH=$here${PYTHONPATH:+:$PYTHONPATH}
cd "$work" || exit 1
mkdir run && cd run || exit 1

# Times, rates and the sizes of HDF5 and gzip files differ from run to run and from library to library.
steady() {
    sed -E -e 's/(read|transform|advice|pack|write|verify) [0-9.]+ s( \([^)]*\/s\))?/\1 TIME/g' \
           -e 's/(\.(h5|gz)[^ ]* \([^>]*\), [^>]*-> )[0-9.]+ ([kKMG]B|bytes)/\1SIZE/' \
           -e '/^run /s/[0-9.e+-]+ ms/TIME/g' \
           -e 's/(: |[^ ]\.h5[^ ]* \(.*\), )[0-9.]+ ([kKMG]B|bytes) ->/\1SIZE ->/'
}

t() {
    echo "\$ $*"
    local code
    eval "$*" >"$work/said" 2>&1
    code=$?
    steady <"$work/said"
    [ $code -eq 0 ] || echo "[exit $code]"
}

# ugly_name: set $ugly, a name with all characters that must not reach a terminal, and variables with the single ones.
ugly_name() {
    esc=$'\e]0;owned\a\e[31m' csi=$'\x9b31m' csi8=$'\xc2\x9b31m' rlo=$'\xe2\x80\xae' bad=$'\xff\xc0\x80' nl=$'two\nlines\rback\ttab'
    ugly="a$esc$csi$csi8$rlo$bad$nl"
}

# plain COMMAND...: print the exit code of the command, and those parts of its output (both streams) that are not printable ASCII.
plain() {
    local code
    "$@" >"$work/said" 2>&1 </dev/null
    code=$?
    printf '%s' "$code"
    if [ -n "$(LC_ALL=C tr -d '\12\40-\176' <"$work/said")" ]; then
        printf ' NOT PLAIN: '
        LC_ALL=C cat -v "$work/said"
    fi
    grep -q owned "$work/said" && printf ' named'
    printf '\n'
}

needs_terminal() {
    command -v python3 >/dev/null || skip "needs python3"
    python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip "no pseudo-terminals here"
}

skip() {
    echo "skipped: $1" >&2
    exit 77
}

# generate SEED N DIM...: print N entries in different random cells, sorted, 1-based, with short values that are not integers.
generate() {
    awk -v seed="$1" -v n="$2" -v dims="${*:3}" '
    function random() { state = (state * 16807) % 2147483647; return state / 2147483647 } # the same in every awk
    BEGIN {
        state = seed * 1000003
        order = split(dims, dim, " ")
        while (got < n) {
            line = ""
            for (m = 1; m <= order; m++) line = line (1 + int(random() * dim[m])) " "
            if (!(line in seen)) { seen[line] = 1; got++; print line int(random() * 1000 - 500) + 0.125 }
        }
    }' | sort -n -k1,1 -k2,2 -k3,3 -k4,4
}

# run_program LANGUAGE TEXT: run a program of a page; fails if the interpreter (or a package of R) is not installed.
run_program() {
    case $1 in
    python) [ -n "${python:-}" ] && $python -c "$2" ;;
    octave) # without what Octave says about the terminal and its history, unless it fails
        command -v octave-cli >/dev/null || return 1
        octave-cli -q --eval "$2" 2>"$work/octave.err" || { cat "$work/octave.err"; return 1; }
        ;;
    r) Rscript -e 'library(rhdf5); library(Matrix)' >/dev/null 2>&1 && Rscript -e "$2" ;;
    esac 2>&1 </dev/null
}

# run_page <PAGE: the page with the output of its commands made anew. In a console block, "$ COMMAND" is followed by the output
# of the command. An output block holds the output of the program (python, octave, r) before it; without the interpreter it
# stays as it is. A block "```c FILE" is written into that file.
run_page() {
    local line inside= program= output= ran= file=
    while IFS= read -r line; do
        case $line in
        '```console' | '```output') inside=${line#'```'} ;;
        '```python' | '```octave' | '```r') inside=${line#'```'}; program= ;;
        '```c '*) inside=c file=${line#'```c '}; : >"$file" ;;
        '```'*)
            case $inside in
            output) if [ -n "$ran" ]; then printf '%s\n' "$output"; fi ;;
            python | octave | r) if output=$(run_program "$inside" "$program"); then ran=yes; else ran=${output:+failed}; fi ;;
            esac
            inside=
            ;;
        *)
            case $inside in
            python | octave | r) program+=$line$'\n' ;;
            output) if [ -n "$ran" ]; then continue; fi ;;
            c) printf '%s\n' "$line" >>"$file" ;;
            esac
            ;;
        esac
        if [[ $inside = console && $line == '$ '* ]]; then
            printf '%s\n' "$line"
            eval "${line#'$ '}" 2>&1 </dev/null | sed 's/ *$//'
        elif [[ $inside != console || $line == '```console' ]]; then
            printf '%s\n' "$line"
        fi
    done
}

# check_page NAME: run the commands of docs/NAME.md, write the page as NAME.md here, and print the difference.
check_page() {
    run_page <"$TSR_SOURCE/docs/$1.md" >"$1.md"
    [ -z "${TSR_UPDATE:-}" ] || cp "$1.md" "$TSR_SOURCE/docs/$1.md"
    diff "$TSR_SOURCE/docs/$1.md" "$1.md"
}

# case_runs NUMBER: whether this one of many cases that are alike runs: as tsr_case_runs (tests/support/tsr_test.h).
case_runs() {
    local step=${TSR_CASES_STEP:-1}
    [ $(($1 % step)) = $(($(date +%s) / 86400 % step)) ]
}

# Editors and shellcheck learn from this line which shell it is.
[ "$(head -n 1 "$here/$name.sh")" = '# shellcheck shell=bash' ] || { echo "run.sh: $name.sh must begin with '# shellcheck shell=bash'" >&2; exit 1; }
(. "$here/$name.sh") >"$work/out" 2>"$work/err"
code=$?
cat "$work/err" >&2
[ $code -eq 77 ] && exit 77
if [ $code -ne 0 ]; then
    cat "$work/out"
    echo "the case ended with exit code $code"
    exit 1
fi
if [ -n "${TSR_UPDATE:-}" ]; then
    cp "$work/out" "$here/$name.out"
fi
diff -u "$here/$name.out" "$work/out"
