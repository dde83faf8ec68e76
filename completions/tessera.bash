# bash completion for the tools of Tessera. Installed under the name of each tool.

# The first words of the lines of a list that the tool prints.
_tessera_list()
{
    "$1" "$2" 2>/dev/null | sed -n 's/^\([a-z0-9_]*\).*/\1/p'
}

# The tables of options, from what each tool prints for --describe-options (docs/man/README.md), without the descriptions. The build
# puts them here; where they are missing, as in the source tree, the tool is asked.
_tessera_tables='@TABLES@'

# _tessera_rows TOOL [COMMAND]: the lines of the table without the first word: "option", "-o" or nothing, "--output", "OUT" or nothing.
_tessera_rows()
{
    local name=${1##*/}${2:+ $2}
    if [[ $_tessera_tables == *"${1##*/}"* ]]; then
        printf '%s\n' "$_tessera_tables"
    else
        "$1" --describe-options="${1##*/}" 2>/dev/null
    fi | name=$name awk -F '\t' '$1 == ENVIRON["name"] { print substr($0, length($1) + 2) }'
}

# The options of TOOL [COMMAND]: "--index=" takes a value, "--verify" takes none or may do without.
_tessera_options()
{
    _tessera_rows "$@" | awk -F '\t' '$1 == "option" { print $3 ($4 == "" || $4 ~ /^\[/ ? "" : "=") }'
}

# _tessera_argument OPTION TOOL [COMMAND]: the name of the argument of the option, "" when it takes none or may do without.
_tessera_argument()
{
    local option=$1
    shift
    [[ $option == -* ]] || return
    _tessera_rows "$@" | awk -F '\t' -v option="$option" '$1 == "option" && ($2 == option || $3 == option) && $4 !~ /^\[/ { print $4 }'
}

# _tessera_values OPTION ARGUMENT TOOL [COMMAND]: the words that the option takes; nothing where the words are not known. The tool itself
# lists them when the word is missing: "missing value (known: a, b)". The last word is wrong, so that nothing is run.
_tessera_values()
{
    local option=$1 argument=$2
    shift 2
    case $option in
    -f | --format) _tessera_list "${1/%tbench/tconv}" --list-formats ;;
    *) "$@" "$option" '' --not-an-option 2>&1 </dev/null | sed -nE 's/.*[(]known: (.*)[)]$/\1/p' | tr -d , ;;
    esac
}

# The commands and the kernels that TOOL has.
_tessera_commands()
{
    _tessera_rows "$1" | awk -F '\t' '$1 == "command" || $1 == "kernel" { print $2 }'
}

_tessera()
{
    local tool=$1 word=$2 previous=$3 options commands command= table=
    COMPREPLY=()
    # "--name=value" arrives as three words: --name, =, value.
    if [[ $word == "=" ]]; then
        word=
    elif [[ $previous == "=" ]]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
    fi
    # So does "-f T:csr": T, :, csr. The option stands before these.
    local colon=
    if [[ $word == ":" && $COMP_CWORD -gt 2 ]]; then
        word= colon=yes previous=${COMP_WORDS[COMP_CWORD-2]}
    elif [[ $previous == ":" && $COMP_CWORD -gt 3 ]]; then
        colon=yes previous=${COMP_WORDS[COMP_CWORD-3]}
    fi
    commands=$(_tessera_commands "$tool")
    if [[ ${tool##*/} == tbench && $COMP_CWORD -gt 1 ]]; then # kernels and expressions have one table
        command=${COMP_WORDS[1]} table=${COMP_WORDS[1]}
        [[ $command =~ ^[a-z]+$ ]] || command=spmv
        [[ $(_tessera_rows "$tool" "$table") ]] || table=KERNEL
    fi
    local argument # of the option before: "FILE", "" when it takes none
    argument=$(_tessera_argument "$previous" "$tool" $table)
    case $argument in
    '') ;;
    *FILE* | OUT | DIR | FOLDER | CSV) ;; # a file name, below
    T:FORMAT) # the format of the tensor T, which a colon ends: bash makes three words of T:csr, other shells one
        local tensor=
        [[ $word == *:* || $colon ]] || return
        [[ $word != *:* ]] || tensor=${word%%:*}: word=${word#*:}
        mapfile -t COMPREPLY < <(compgen -W "$(_tessera_values "$previous" "$argument" "$tool")" -P "$tensor" -- "$word")
        return
        ;;
    *)
        mapfile -t COMPREPLY < <(compgen -W "$(_tessera_values "$previous" "$argument" "$tool" $command)" -- "$word")
        return
        ;;
    esac
    if [[ $word == -* && ! $argument ]]; then
        options=$(_tessera_options "$tool" $table)
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
