# shellcheck shell=bash
# --help, the man pages and the completions name the same options with the same arguments: all are made from one table.
# tbench has options for each command: all of them.
man=$TSR_DOCUMENTS/docs/man bash_completion=$TSR_DOCUMENTS/completions/tessera.bash
[ -r "$bash_completion" ] && [ -r "$man/tconv.1" ] || skip "this build made no man pages and completions"
# In --help: "  -o, --output=OUT". In the man page: "\fB\-o\fR, \fB\-\-output\fR=\fIOUT\fR". An argument that may be left
# out, --time[=N], is completed without "=".
# offered TOOL WORD [OPTION]: what bash offers for the first word of TOOL, or for that of OPTION, when WORD stands there.
# TOOL may be "tbench spmv": then it is the word after that.
offered() {
    (
        complete() { :; }
        compgen() { [ "$1" = -W ] && echo "$2"; }
        compopt() { :; }
        . "$bash_completion"
        COMP_WORDS=($1 "$2") COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _tessera "${1%% *}" "$2" "${3:-${1##* }}"
        printf '%s\n' "${COMPREPLY[@]}"
    ) | tr -s ' ' '\n' | sed '/^$/d' | sort
}
# The commands and kernels of tbench.
commands_of_tbench() { tbench list | awk '/^Baselines/ { exit } /^ / { print $1 }'; }
for tool in tconv tinfo tlayout tkern tbench; do
    command -v $tool >/dev/null || continue
    {
        $tool --help
        [ $tool = tbench ] && for command in $(commands_of_tbench); do tbench $command --help; done
    } >$tool.said
    sed -nE 's/^ +((-[a-zA-Z]), )?--([a-z-]+)(\[?=([^] ]+\]?))?( .*|$)/\2 --\3 \5/p' $tool.said | sort -u >$tool.help
    sed -n -e '/^\\fB\\-/{s/\\f[BIR]//g;s/\\-/-/g;p}' "$man/$tool.1" |
        sed -nE 's/^((-[a-zA-Z]), )?--([a-z-]+)(\[?=([^] ]+\]?))?$/\2 --\3 \5/p' | sort -u >$tool.man
    {
        offered $tool --
        [ $tool = tbench ] && for command in $(commands_of_tbench); do offered "tbench $command" --; done
    } | sort -u >$tool.completion
    sed -E 's/^(-.)? ?(--[a-z-]+) .*\]$/\2/; s/^(-.)? ?(--[a-z-]+) (.+)$/\2=/; s/^(-.)? ?(--[a-z-]+) $/\2/' $tool.help | sort -u >$tool.words
    [ $(wc -l <$tool.help) -gt 5 ] || echo "$tool --help names too few options"
    diff $tool.help $tool.man || echo "$tool: --help and the man page differ"
    diff $tool.words $tool.completion || echo "$tool: --help and the completion differ"
    # No line of the help is wider than 100 columns, and the man page has no mistakes.
    awk 'length > 100' $tool.said
    command -v groff >/dev/null && groff -man -Tascii -ww "$man/$tool.1" 2>&1 >/dev/null
done
# The commands of tlayout are in the man page and in the completion.
tlayout --help | sed -n '/^Commands on/,$s/^  \([a-z][a-z0-9_]*\) .*/\1/p' | sort >tlayout.commands
[ $(wc -l <tlayout.commands) -gt 5 ] || echo "tlayout --help names too few commands"
offered tlayout e | diff tlayout.commands - || echo "tlayout: --help and the completion differ"
while read -r command; do
    sed -n '/^\.SH COMMANDS/,/^\.SH EXIT/{s/\\f[BIR]//g;p}' "$man/tlayout.1" | grep -qw -- "$command" ||
        echo "tlayout: the man page does not have $command"
done <tlayout.commands
# Completion of tbench: its commands, kernels and baselines, and the options of the command alone.
if command -v tbench >/dev/null; then
    commands_of_tbench | sort | diff - <(offered tbench m) || echo "tbench list and the completion differ"
    bash "$bash_completion" tbench m
    bash "$bash_completion" tbench compare --
    bash "$bash_completion" tbench 'y(i) = A(i,j)*x(j)' --pa
    bash "$bash_completion" tbench spmv --baseline=s
fi
# What zsh and fish ask: words, values behind =, and where a file may stand. The shells themselves, where they are.
bash "$bash_completion" tconv in.tns --dup
bash "$bash_completion" tconv --index=1
bash "$bash_completion" tkern --format=A:cs
bash "$bash_completion" tkern -f A:dcs
bash "$bash_completion" tconv --output=
bash "$bash_completion" tinfo ''
if command -v fish >/dev/null; then
    HOME=$PWD fish --no-config -c "source $TSR_SOURCE/completions/tessera.fish; complete -C 'tconv --index=1'; complete -C 'tlayout comp'" | sort |
        diff - <(printf '%s\n' --index=16 complement compatible compose composition | sort) || echo "completion of fish"
fi
# Without tables, as in the source tree and after a cross build, the completion asks the tool.
for words in 'tbench compare --' 'tbench m' 'tkern x --emit=' 'tlayout tile -'; do
    diff <(bash "$bash_completion" $words) <(bash "$TSR_SOURCE/completions/tessera.bash" $words) || echo "completion without tables: $words"
done
# A man page that leaves out an option, or says something about an option that does not exist, stops the build.
printf '@options tinfo\n@end\n' >page.in
tinfo --describe-options=tinfo >tinfo.options
fill() { awk -f "$TSR_SOURCE/docs/man/fill.awk" tinfo.options page.in 2>said || echo "exit $?"; cat said; }
fill >page.1 && tail -n 2 page.1
printf 'tinfo spy\toption\t-n\t--new-one\tFILE,N\twrite -1 to FILE; see --brief\n' >>tinfo.options
fill >page.1 && tail -n 2 page.1
printf '@list tinfo spy\n@also new-one\nThat is all.\n@end\n' >>page.in
fill >page.1 && tail -n 3 page.1
printf '@list tinfo: quiet\n@about loud\nA shout.\n@end\n' >>page.in
fill >page.1 && tail -n 2 page.1
command -v zsh >/dev/null && { zsh -n "$TSR_SOURCE/completions/_tessera" || echo "completion of zsh"; }
# The words that completion offers for the values of options are those that the tool takes.
generate 1 3 4 4 >in.tns
offered tlayout '' --to | tr '\n' ' ' | diff - <(echo -n 'cute format letters long map mlir name tla ust xla ') || echo "completion of --to"
[ -z "$(offered tkern '' --format)" ] || echo "completion of T:FORMAT"
# Nothing runs while words are looked for: a wrong word follows.
[ -z "$(offered 'tbench spmv' '' --schedule)" ] || echo "completion of --schedule"
offered tconv '' --separator | tr '\n' ' ' | diff - <(echo -n 'blank comma semicolon tab ') || echo "completion of --separator"
offered tconv '' --format | grep -qx csr || echo "completion of --format"
for pair in emit:c,c11,ir,plan,header,graph engine:auto,compiled,jit,builtin,interpreter; do
    option=${pair%%:*} words=${pair#*:}
    echo "${words//,/$'\n'}" | sort | diff - <(offered tkern '' --$option) || echo "completion of --$option"
    tkern 'a = b' --$option=nonsense 2>&1 | grep -q "(known: ${words//,/, })$" || echo "--$option takes other words"
done
for pair in index:auto,narrow,8,16,32,64 duplicates:sum,first,last,keep,error; do
    option=${pair%%:*} words=${pair#*:}
    echo "${words//,/$'\n'}" | sort | diff - <(offered tconv '' --$option) || echo "completion of --$option"
    tconv in.tns -o out.h5 --$option=nonsense 2>&1 | sed -nE 's/.*[(]known: (.*)[)]$/\1/p' | tr -d , | tr ' ' '\n' | sort >said
    echo "${words//,/$'\n'}" | sort |
        diff - said || echo "--$option: the completion offers other words"
done
echo done
