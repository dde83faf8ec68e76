# fish completion for the tools of Tessera. It runs tessera.bash, which lists what is possible.
set -g __tessera_script (dirname (status filename))/../../bash-completion/completions/tconv
test -r $__tessera_script; or set -g __tessera_script (dirname (status filename))/tessera.bash # in the source tree

function __tessera_complete
    set -l word (commandline -ct)
    set -l found (bash $__tessera_script (commandline -opc) $word 2>/dev/null)
    if test "$found[1]" = :files
        # a file name may follow --option=
        set -l parts (string match -r '^(--[a-z-]+=)(.*)' -- $word)
        if set -q parts[2]
            for file in (__fish_complete_path $parts[3])
                echo $parts[2]$file
            end
        else
            __fish_complete_path $word
        end
    else
        printf '%s\n' $found
    end
end

for tool in tconv tinfo tlayout tkern tbench
    complete -c $tool -f -a '(__tessera_complete)'
end
