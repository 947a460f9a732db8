#!/bin/sh
# Results as a page: whole, well formed, and in need of nothing from elsewhere.
"$FRESHET" lab reproduce dutta2 --csv dutta.csv >out
"$FRESHET" lab run --stream "uniform:n=20000,distinct=15%" -m 4K --curve 4 \
    bloom "sbf:k=2,p=4" --csv 'a&b<c>.csv' >out
"$FRESHET" lab report dutta.csv 'a&b<c>.csv' >page.html
echo "status $?"
echo "--- its parts"
grep -oE '<(h1|h2|title)>[^<]*|id="[a-z]*"' page.html
grep -oE '<li class="(holds|variant|fails)">.*' page.html |
    sed 's/<[^>]*>/ /g'
grep -c '<svg' page.html
echo "--- what is opened is closed"
for tag in html head body style script section table thead tbody tr th td \
    button figure figcaption svg text g ul li div p b h1 h2; do
    opened=$(grep -oE "<${tag}[ >]" page.html | wc -l)
    closed=$(grep -o "</$tag>" page.html | wc -l)
    [ "$opened" = "$closed" ] || echo "$tag: $opened and $closed"
done
echo "--- every row has as many cells as there are titles"
grep -E '<table|<tr>' page.html |
    awk '/<table/ { n = gsub(/<th /, "") } /^<tr>/ { print n - gsub(/<td/, "") }' |
    sort | uniq -c
echo "--- what a file is called is text, not HTML"
grep -c 'a&amp;b&lt;c&gt;.csv' page.html
echo "--- nothing comes from anywhere else"
grep -nE '(src|href)="[^"]*:[^,]|@import|url\(|https?:' page.html
echo "--- nothing that is no number"
grep -nE '[" >](nan|inf|-nan)' page.html
echo "--- files that cannot be read from"
try() {
    "$FRESHET" lab report "$@" >page.html
    echo "status $?"
    wc -c <page.html
}
{
    try
    try none.csv
    echo a,b >foreign.csv
    try dutta.csv foreign.csv
    : >empty.csv
    try empty.csv
    head -c -9 dutta.csv >cut.csv
    try cut.csv
} 2>&1
