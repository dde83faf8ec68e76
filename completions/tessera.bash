# bash completion for the tools of Tessera. Installed under the name of each tool.

# The first words of the lines of a list that the tool prints.
_tessera_list()
{
    "$1" "$2" 2>/dev/null | sed -n 's/^\([a-z0-9_]*\).*/\1/p'
}

# The options that TOOL [COMMAND] --help names: "--index=" takes a value, "--verify" takes none or may do without.
_tessera_options()
{
    "$@" --help 2>/dev/null | sed -nE 's/^ +(-[a-zA-Z], )?(--[a-z-]+=?)(\[=[A-Z,.:]+\])?([A-Z,.:]+)?( .*|$)/\2/p'
}

# The first words of indented lines: commands, kernels. $2...: the lines, by sed's addresses.
_tessera_indented()
{
    sed -nE "$1 s/^  ([a-z][a-z0-9_]*) .*/\\1/p"
}

_tessera()
{
    local tool=$1 word=$2 previous=$3 options commands command=
    COMPREPLY=()
    # "--name=value" arrives as three words: --name, =, value.
    if [[ $word == "=" ]]; then
        word=
    elif [[ $previous == "=" ]]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
    fi
    case ${tool##*/} in
    tlayout) commands=$("$tool" --help 2>/dev/null | _tessera_indented '/^Commands on/,$') ;;
    tbench)
        commands=$("$tool" --help 2>/dev/null | _tessera_indented '/^Commands/,/^Baselines/')
        if [[ $COMP_CWORD -gt 1 ]]; then # an expression has the options of kernels
            command=${COMP_WORDS[1]}
            [[ $command =~ ^[a-z]+$ ]] || command=spmv
        fi
        ;;
    esac
    local takes=yes words= # what the option before takes: these words, or something that nobody can guess
    case $previous in
    --emit) words="c c11 ir graph header" ;;
    --engine) words="auto compiled jit builtin interpreter" ;;
    --formats) words=$(_tessera_list "${tool%tbench}tconv" --list-formats) ;;
    --format | -f) [[ ${tool##*/} == tkern ]] || words=$(_tessera_list "$tool" --list-formats) ;; # tkern: T:FORMAT
    --to | --from)
        if [[ ${tool##*/} == tlayout ]]; then
            words="xla tla map format letters name long mlir ust"
        else
            words=$(_tessera_list "$tool" --list-codecs)
        fi
        ;;
    --index) words="auto narrow 8 16 32 64" ;;
    --duplicates) words="sum first last keep error" ;;
    --order) words="file shuffled sorted" ;;
    --semiring) words="plus-times min-plus max-plus min-times max-times min-max max-min or-and xor-and plus-min plus-max plus-first plus-second plus-pair min-first min-second max-first max-second" ;;
    --baseline) words=$("$tool" --help 2>/dev/null | _tessera_indented '/^Baselines/,$') ;;
    --type) [[ ${tool##*/} == tconv || ${tool##*/} == tkern ]] && words="f64 f32 i8 i16 i32 i64 u8 u16 u32 u64 c64 c128 pattern" ;;
    --inverse | --index-base | --deflate | --threads | -j | --shape | --modes | --reps | --passes | --time-limit | --transpose | --slice | \
        --dims | -d | --schedule | -s | --seed | --reverse | --pad | --reshape | --unfold | --reduce | --map) ;;
    *) takes= ;;
    esac
    if [[ $takes ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        return
    fi
    if [[ $word == -* && $previous != --output && $previous != -o && $previous != --spy &&
        $previous != --svg && $previous != --input && $previous != --permute-by && $previous != --concat ]]; then
        options=$(_tessera_options "$tool" $command)
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
        return
    fi
    if [[ ${tool##*/} == tbench && $word != -* && ( ${COMP_WORDS[1]} == fetch || ${COMP_WORDS[1]} == gen ) && $COMP_CWORD -gt 1 &&
        $previous != --* && $previous != -o ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$tool" fetch --list 2>/dev/null | sed '1d; s/ .*//')" -- "$word")
        return
    fi
    if [[ $commands && $COMP_CWORD -eq 1 ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
        return
    fi
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
}

# What zsh and fish ask, which run this file: bash tessera.bash TOOL [WORD]... prints what may stand for the last word, one a
# line, or ":files".
_tessera_print()
{
    local tool=$1 word=${*: -1} previous=${*: -2:1} prefix= files= i
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    compopt() { [[ $2 != filenames ]] || files=yes; }
    if [[ $word == --*=* ]]; then
        previous=${word%%=*} prefix=${word%%=*}= word=${word#*=}
    fi
    _tessera "$tool" "$word" "$previous"
    if [[ $files ]]; then
        echo :files
        return
    fi
    for i in "${COMPREPLY[@]}"; do
        echo "$prefix$i"
    done
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
    _tessera_print "$@"
else
    complete -F _tessera tconv tinfo tlayout tkern tbench
fi
