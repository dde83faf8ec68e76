# Doxygen reads comments that begin with two stars.
s|^/\* Tessera: |/** \\file\n * |
s|^/\* |/** |
s|([;,]) +/\* |\1 /**< |
s|#if TSR|\\#if TSR|
