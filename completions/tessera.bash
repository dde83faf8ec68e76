# bash completion for the tools of Tessera. Installed under the name of each tool.

# The first words of the lines of a list that the tool prints.
_tessera_list()
{
    "$1" "$2" 2>/dev/null | sed -n 's/^\([a-z0-9_]*\).*/\1/p'
}

_tessera()
{
    local tool=$1 word=$2 previous=$3 options commands
    COMPREPLY=()
    # "--name=value" arrives as three words: --name, =, value.
    if [[ $word == "=" ]]; then
        word=
    elif [[ $previous == "=" ]]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
    fi
    case ${tool##*/} in
    tconv)
        options="--output= --from= --to= --list-codecs --format= --list-formats --index= --header= --deflate= --keep-symmetry
            --type= --shape= --index-base= --no-values --duplicates= --transpose= --slice= --reverse= --pad= --reshape=
            --unfold= --reduce= --permute-by= --concat= --map= --threads= --verify --quiet --progress= --help --version"
        ;;
    tinfo)
        options="--brief --json --arrays --check --fibers --sizes --picture --exact --spy= --modes= --list-formats --list-codecs --from= --shape=
            --index-base= --no-values --threads= --quiet --progress= --help --version"
        ;;
    tlayout)
        options="--inverse= --table --size --map --order --steps --svg= --shape= --type= --to= --json --help --version"
        commands="equal convert tpu simplify compose remove_unused rescale symbols_to_dims invert eval bounds emit op row_major column_major
            fractal tile mode select take group flatten shape_div ceil_div compatible
            coalesce composition complement right_inverse left_inverse divide zipped_divide tiled_divide flat_divide
            product zipped_product tiled_product flat_product blocked_product raked_product tile_to_shape crd2idx idx2crd"
        ;;
    tkern)
        options="--format= --input= --dims= --output= --emit= --header --vectors --schedule= --semiring= --type= --index= --list --time
            --check --engine= --seed= --threads= --quiet --progress= --help --version"
        ;;
    tbench)
        options="--format= --order= --output= --deflate= --threads= --reps= --time-limit= --cold --quick --json="
        options+=" --list --suite= --data= --retries= --timeout= --min-speed= --like= --stats --seed= --datasets= --list-generators --quiet --progress="
        options+=" --threshold= --all"
        options+=" --formats= --modes= --rank= --type= --schedule= --passes= --baselines --baseline="
        options+=" --help --version"
        commands=$(_tessera_list "$tool" list)
        ;;
    esac
    local takes=yes words= # what the option before takes: these words, or something that nobody can guess
    case $previous in
    --emit) words="c c11 ir graph header" ;;
    --engine) words="auto compiled jit builtin interpreter" ;;
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
    --semiring) words="plus-times min-plus max-plus max-times min-max or-and" ;;
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

complete -F _tessera tconv tinfo tlayout tkern tbench
