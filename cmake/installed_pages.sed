# Of an installed page, keep the links to installed pages (NAME.md, docs/NAME.md, ../NAME.md), to the Web and within the page. Of other
# links and of pictures, keep the text. The characters 1, 2 and 3 stand for [, ]( and ) of a link that stays.
s/\[([^][]*)\]\(((\.\.\/|docs\/)?[A-Za-z_-]+\.md(#[^)]*)?)\)/\x01\1\x02\2\x03/g
s/!\[([^!]*)\]\([A-Za-z0-9_.\/-]+\.(svg|png)\)/\1/g
s/\[([^][]*)\]\([A-Za-z0-9_.\/-]+(\.[a-z]+|\/[A-Za-z0-9_-]*)(#[^)]*)?\)/\1/g
s/\x01/[/g
s/\x02/](/g
s/\x03/)/g
