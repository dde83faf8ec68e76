# awk -f fill.awk TOOL.options... tessera.bash: print tessera.bash with the tables of options in place of @TABLES@.
BEGIN { FS = "\t" }
FILENAME ~ /\.options$/ {
    if ($2 == "option") tables = tables $1 FS $2 FS $3 FS $4 FS $5 "\n"
    if ($2 == "command" || $2 == "kernel") tables = tables $1 FS $2 FS $3 "\n"
    next
}
index($0, "@TABLES@") { printf "%s\n%s%s\n", substr($0, 1, index($0, "@TABLES@") - 1), tables, substr($0, index($0, "@TABLES@") + 8); next }
{ print }
