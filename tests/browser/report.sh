#!/usr/bin/env bash
# report.sh FRESHET DIRECTORY - the laboratory's page in a browser
#
# Chromium without a window opens it, a script of ours that is put behind the
# page's own clicks titles, and what the page looks like is kept in DIRECTORY.
# Exits with 77 where there is no Chromium.
set -u -o pipefail
freshet=$1
kept=$2
failed=0

if ! command -v chromium >/dev/null; then
    echo "there is no chromium here: make slow installs it"
    exit 77
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir -p "$kept"

complain()
{
    echo "report.sh: $1" >&2
    failed=1
}

# browse WIDTH ARGUMENT...: a window of that width, on the page with the clicks
browse()
{
    local width=$1

    shift
    timeout 120 chromium --headless --no-sandbox --disable-gpu \
        --user-data-dir="$work/profile" --enable-logging=stderr \
        --window-size="$width,1600" "$@" "file://$work/page.html" \
        2>>"$work/log"
}

"$freshet" lab reproduce dutta2 --csv "$work/dutta.csv" >/dev/null || exit 2
"$freshet" lab run --stream uniform:n=200000,distinct=60% -m 16K --curve 20 \
    sbf:k=2,p=4 rlbsbf:k=2 pocket --csv "$work/curve.csv" >/dev/null || exit 2
"$freshet" lab report "$work/dutta.csv" "$work/curve.csv" >"$work/plain.html" ||
    exit 2

# What the clicks find is written into the page, for --dump-dom to show.
sed '/<\/body>/d; /<\/html>/d' "$work/plain.html" >"$work/page.html"
cat >>"$work/page.html" <<'END'
<script>
let found = '';
const table = document.querySelector('#quick table');
const titles = Array.from(table.querySelectorAll('th'));
function column(name) {
  return titles.findIndex(t => t.textContent === name);
}
function click(name) { titles[column(name)].querySelector('button').click(); }
function cells(name) {
  return Array.from(table.tBodies[0].rows,
                    r => r.cells[column(name)].textContent).join(' ');
}
function tell(what) { found += 'TEST ' + what + '\n'; }
click('memory');
tell('up: ' + cells('memory'));
click('memory');
tell('down: ' + cells('memory'));
tell('marked: ' + titles[column('memory')].getAttribute('aria-sort'));
click('filter');
tell('text: ' + cells('filter'));
tell('marked no more: ' + titles[column('memory')].getAttribute('aria-sort'));
click('verdict');
tell('empty last: ' + (cells('verdict').trim() === cells('verdict').trimEnd()));
tell('too wide: ' +
     (document.documentElement.scrollWidth > window.innerWidth));
tell('cut tables: ' +
     Array.from(document.querySelectorAll('.wide'))
       .filter(t => t.scrollWidth > t.clientWidth).length);
console.log('RESULT');
document.body.dataset.found = found;
</script>
</body>
</html>
END

browse 1200 --dump-dom >"$work/dom.html" || complain "it does not open"
grep -oE 'TEST [a-z ]+: [^"]*' "$work/dom.html" | sed 's/^TEST //' >"$work/found"
cat >"$work/wanted" <<'END'
up: 2K 2K 2K 2K 2K 8K 8K 8K 8K 8K 512K 512K 512K 512K 512K
down: 512K 512K 512K 512K 512K 8K 8K 8K 8K 8K 2K 2K 2K 2K 2K
marked: descending
text: rsbf:k=3 rsbf:k=3 rsbf:k=3 rsbf:k=3,sampling=early rsbf:k=3,sampling=early rsbf:k=3,sampling=early rsbf:k=3,sampling=early rsbf:k=3,sampling=early rsbf:k=3,sampling=early sbf:d=1,k=2,p=4 sbf:d=1,k=2,p=4 sbf:d=1,k=2,p=4 sbf:d=1,k=2,p=4 sbf:d=1,k=2,p=4 sbf:d=1,k=2,p=4
marked no more: null
empty last: true
too wide: false
cut tables: 0
END
diff -u "$work/wanted" "$work/found" || complain "clicks do not sort as wanted"

browse 1200 --screenshot="$kept/report-light.png" >/dev/null
browse 1200 --screenshot="$kept/report-dark.png" --force-dark-mode \
    --blink-settings=preferredColorScheme=0 >/dev/null
browse 500 --screenshot="$kept/report-phone.png" >/dev/null
browse 500 --dump-dom >"$work/phone.html"
grep -q 'TEST too wide: false' "$work/phone.html" ||
    complain "wider than a phone"
grep -q 'TEST cut tables: 0' "$work/phone.html" ||
    complain "a table is cut on a phone"
for picture in light dark phone; do
    [ -s "$kept/report-$picture.png" ] || complain "no picture: $picture"
done
cmp -s "$kept/report-light.png" "$kept/report-dark.png" &&
    complain "dark is as light"
grep -q 'CONSOLE.*RESULT' "$work/log" || complain "the log shows no console"
if grep 'CONSOLE' "$work/log" | grep -v RESULT; then
    complain "the console has complaints"
fi
exit $failed
