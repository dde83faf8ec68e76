#!/usr/bin/env bash
# Words that CONTRIBUTING.md (section "Words") replaces by others: not in the C files of src, formats, bench and datasets, neither in
# comments nor in messages.
set -euo pipefail
cd "$(dirname "$0")/../.."
bad=0
# refuse PATTERN USE: no file may contain the pattern (extended regular expression, whole words, any case).
refuse() {
    if git grep -nwiE "$1" -- 'src/*.[ch]' 'src/*.def' 'formats/*.[ch]' 'bench/*.[ch]' 'bench/*.def' 'datasets/*.[ch]'; then
        echo "words: instead of $1 write: $2" >&2
        bad=1
    fi
}
refuse 'nobody|everybody|somebody|whoever' 'no caller, all threads, a caller, the code that'
refuse 'contender|entrant|competitor|rivals?' 'candidate'
refuse 'but for' 'except'
refuse 'so many' 'N, that many, the number'
refuse '(that|which) are to be' 'to do it'
refuse 'what stands (behind|below)' 'what follows'
exit $bad
