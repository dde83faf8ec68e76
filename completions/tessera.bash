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

# _tessera_argument OPTION TOOL [COMMAND]: the name of the argument that --help gives for the option, "" when it takes none or may
# do without.
_tessera_argument()
{
    local option=$1
    shift
    [[ $option == -* ]] || return
    "$@" --help 2>/dev/null |
        sed -nE -e "s/^ +(-[a-zA-Z], )?${option}=([A-Z,.:]+)( .*|$)/\\2/p" -e "s/^ +${option}, --[a-z-]+=([A-Z,.:]+)( .*|$)/\\1/p" | head -n 1
}

# _tessera_values OPTION ARGUMENT TOOL [COMMAND]: the words that the option takes; nothing where nobody can guess. The tool itself
# lists them when the word is missing: "missing value (known: a, b)".
_tessera_values()
{
    local option=$1 argument=$2
    shift 2
    case $option in
    -f | --format) [[ $argument == T:* ]] || _tessera_list "${1/%tbench/tconv}" --list-formats ;;
    --emit | --engine | --to | --from | --index | --duplicates | --header | --order | --semiring | --type | -t | --baseline)
        "$@" "$option" '' 2>&1 </dev/null | sed -nE 's/.*[(]known: (.*)[)]$/\1/p' | tr -d ,
        ;;
    esac
}

# The first words of indented lines: commands, kernels. $2...: the lines, by sed's addresses.
_tessera_indented()
{
    sed -nE "$1 s/^  ([a-z][a-z0-9_-]*) .*/\\1/p"
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
    local argument # of the option before: "FILE", "" when it takes none
    argument=$(_tessera_argument "$previous" "$tool" $command)
    case $argument in
    '') ;;
    *FILE* | OUT | DIR | FOLDER | CSV) ;; # a file name, below
    *)
        mapfile -t COMPREPLY < <(compgen -W "$(_tessera_values "$previous" "$argument" "$tool" $command)" -- "$word")
        return
        ;;
    esac
    if [[ $word == -* && ! $argument ]]; then
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
