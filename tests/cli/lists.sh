# shellcheck shell=bash
# --list-formats and --list-codecs list all formats and codecs.
tconv --list-formats | sed -nE 's/^([a-z0-9_]+)(\(.*)?( .*|$)/\1/p' | sort >said
(cd "$TSR_SOURCE/formats/storage" && ls *.fmt) | sed 's/\.fmt$//' | sort >files
t diff files said
tinfo --list-formats | cmp - <(tconv --list-formats) && echo same formats
tinfo --list-codecs | cmp - <(tconv --list-codecs) && echo same codecs
t 'tconv --list-codecs | grep -E "^[a-z]" | sort'
t 'tconv --list-formats >/dev/full'
