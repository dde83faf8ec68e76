# awk -f fill.awk TOOL.options TOOL.1.in: print the man page. TOOL.options is what TOOL --describe-options=TOOL prints; README.md
# explains the lines of TOOL.1.in that begin with @. -v partial=1: texts about rows that the tables lack are left out, as in a build
# without some parts.
BEGIN { FS = "\t" }
FNR == 1 { nfiles++ }
nfiles == 1 {
    kind[++nrows] = $2
    table[nrows] = $1
    if ($2 == "option") { letter[nrows] = $3; name[nrows] = substr($4, 3); arg[nrows] = $5; help[nrows] = $6 }
    if ($2 == "heading") split_heading($3)
    if ($2 == "item") { name[nrows] = $3; sub(/[(].*/, "", name[nrows]); arg[nrows] = $3; help[nrows] = $4 }
    if ($2 == "command" && $6 != "") { name[nrows] = $3; help[nrows] = $4; arg[nrows] = $5; group[nrows] = $6 }
    next
}
/^@(options|list|items|commands) / {
    if (list) fail("a list inside a list")
    begin_list()
    next
}
/^@(about|also) / {
    if (!list) fail("@about outside a list")
    about = substr($0, index($0, " ") + 1)
    if (about in said) fail("two texts about " about)
    also[about] = /^@also/
    said[about] = ""
    next
}
/^@end$/ { end_list(); next }
/^@/ { fail("unknown: " $0) }
list && about == "" { fail("a text in a list needs @about NAME") }
list { said[about] = said[about] $0 "\n"; next }
{ print }
END {
    if (failed) exit 1
    if (list) fail("@end is missing")
    for (i = 1; i <= nrows; i++)
        if ((kind[i] ~ /option|item/ || group[i] != "") && !((kind[i], name[i], arg[i]) in shown))
            fail("the page does not show the " kind[i] " " name[i] " of " table[i])
}

function fail(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text >"/dev/stderr"
    failed = 1
    exit 1
}

# "Files, each by its name" is the heading "Files" and a sentence.
function split_heading(text) {
    name[nrows] = text
    sub(/[,;].*/, "", name[nrows])
    help[nrows] = substr(text, length(name[nrows]) + 3)
}

# "@list TABLE/HEADING: NAME -NAME": the rows of the table below the heading, these alone or without these.
function begin_list(    text, words, n, i) {
    list = substr($0, 2, index($0, " ") - 2)
    text = substr($0, index($0, " ") + 1)
    split("", only); split("", without); split("", said); split("", also)
    about = heading = ""
    nonly = 0
    if (index(text, ": ")) {
        n = split(substr(text, index(text, ": ") + 2), words, " ")
        text = substr(text, 1, index(text, ": ") - 1)
        for (i = 1; i <= n; i++)
            if (words[i] ~ /^-/) without[substr(words[i], 2)]
            else { only[words[i]]; nonly++ }
    }
    if (index(text, "/")) {
        heading = substr(text, index(text, "/") + 1)
        text = substr(text, 1, index(text, "/") - 1)
    }
    of = text
}

function end_list(    i, below, n, of_kind, last) {
    if (!list) fail("@end without a list")
    below = heading == ""
    of_kind = list == "items" ? "item" : list == "commands" ? "command" : "option"
    for (i = 1; i <= nrows; i++) {
        if (table[i] != of) continue
        if (kind[i] == "heading") {
            if (heading != "") below = name[i] == heading
            if (list != "options") continue
            print ".SS " name[i]
            put_text(i)
        } else if (kind[i] == of_kind && below && !(name[i] in without) && (!nonly || name[i] in only)) {
            if (group[i] != last) put_group(group[i])
            last = group[i]
            print ".TP"
            print head(i)
            put_text(i)
            shown[kind[i], name[i], arg[i]]
        }
        n++
    }
    if (!n && !partial) fail("no table has the name " of)
    if (!partial) for (i in said) fail("the list of " of " does not have " i)
    list = ""
}

# The commands that follow are of one group.
function put_group(title) {
    print ".SS " title
    if (title in said) printf "%s", said[title]
    delete said[title]
}

# \fB\-o\fR, \fB\-\-output\fR=\fIOUT\fR; of an item, which has its argument in its name, and of a command: the name and what follows it
function head(i,    text) {
    if (kind[i] == "item") return "\\fB" roff(arg[i], "") "\\fR"
    if (kind[i] == "command") return "\\fB" escape(name[i]) "\\fR " roff(arg[i], arg[i])
    text = "\\fB\\-\\-" escape(name[i]) "\\fR"
    if (letter[i] != "") text = "\\fB" escape(letter[i]) "\\fR, " text
    if (arg[i] ~ /^\[/) return text "[=\\fI" substr(arg[i], 2, length(arg[i]) - 2) "\\fR]"
    return arg[i] == "" ? text : text "=\\fI" arg[i] "\\fR"
}

# What the template says about the row, or the sentence of the table, or both.
function put_text(i,    n) {
    n = name[i]
    if (!(n in said) || also[n])
        if (help[i] != "") print sentence(roff(help[i], kind[i] == "item" ? "" : arg[i]))
    if (n in said) printf "%s", said[n]
    delete said[n]
}

function escape(text) { gsub(/-/, "\\-", text); return text }

# The text of a table in roff: options are bold, words of the argument italic.
function roff(text, arg,    words, is_word, n, i, out, last, word) {
    n = split(arg, words, /[^A-Z]+/)
    for (i = 1; i <= n; i++) if (words[i] != "") is_word[words[i]]
    last = " "
    while (text != "") {
        if (last !~ /[A-Za-z0-9_-]/ && match(text, /^--?[a-zA-Z][a-z-]*/)) {
            word = substr(text, 1, RLENGTH)
            out = out "\\fB" escape(word) "\\fR"
        } else if (match(text, /^[A-Za-z0-9_]+/)) {
            word = substr(text, 1, RLENGTH)
            out = out (word in is_word ? "\\fI" word "\\fR" : word)
        } else {
            word = substr(text, 1, 1)
            if (word == "\\") out = out "\\e"
            else if (word == "-" && !(last ~ /[A-Za-z0-9]/ && text ~ /^-[A-Za-z0-9]/)) out = out "\\-"
            else out = out word
        }
        last = substr(word, length(word))
        text = substr(text, length(word) + 1)
    }
    return out
}

function sentence(text) {
    if (text ~ /^[a-z]+[ ,]/) text = toupper(substr(text, 1, 1)) substr(text, 2)
    if (text ~ /^[.']/) text = "\\&" text
    return text ~ /[.!?]$/ ? text : text "."
}
