# Mends doxygen's man pages: a line of text that begins with ' would be a request of roff and vanish, and whatis needs a name, a dash and
# a description.
s/^'/\\\&'/
/^\.TH /s|"include/tessera/|"|
/^\.SH NAME/{
n
s|^include/tessera/||
s|^tessera\.h$|& \\- functions and types of libtessera|
s|^tessera_[a-z0-9_]*$|& \\- structure of libtessera|
}
