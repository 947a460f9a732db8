# bash completion for freshet, by freshet --generate bash
# shellcheck shell=bash
_freshet()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local command='' options='' operands='' words=- equals='' fallback=''

    COMPREPLY=()
    # Bash makes words of their own of "=" and ":".
    if [ "$cur" = = ]; then
        cur='' equals=yes
    elif [ "$prev" = = ]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]} equals=yes
    elif [ "$cur" = : ] || [ "$prev" = : ]; then
        return
    fi
    if [ "$COMP_CWORD" -gt 1 ]; then
        case "$command${COMP_WORDS[1]}" in
        'plan' | 'list' | 'info' | 'gen' | 'kafka' | 'lab' | 'bench' | 'help')
            command+="${COMP_WORDS[1]} " ;;
        esac
    fi
    if [ "$COMP_CWORD" -gt 2 ]; then
        case "$command${COMP_WORDS[2]}" in
        'lab run' | 'lab reproduce' | 'lab check' | 'lab report')
            command+="${COMP_WORDS[2]} " ;;
        esac
    fi
    case $command in
    '')
        options=' --key --field-separator --skip-fields --skip-chars --check-chars --ignore-case --csv --json --regex --exclude --missing --malformed --zero-terminated --null --delimiter --crlf --max-record --decompress --header --files0-from --parallel --all-repeated --repeated --annotate --dup-output --check --output --line-buffered --memory --buffer-size --error --expect --prefer --last --within --time --time-format --max-skew --refresh --algorithm --param --seed --hash --state --checkpoint --read-only --remote --shards --on-error --retry --at-least-once --explain --stats --stats-output --metrics --listen --progress --audit --audit-memory --generate --help --version'
        operands='FILES'
        case $prev in
        -k | --key) words='' ;;
        -t | --field-separator) words='' ;;
        -f | --skip-fields) words='' ;;
        -s | --skip-chars) words='' ;;
        -w | --check-chars) words='' ;;
        --csv) words='' ;;
        --json) words='' ;;
        --regex) words='' ;;
        --exclude) words='' ;;
        --missing) words='pass drop key' ;;
        --malformed) words='pass drop fail' ;;
        --delimiter) words='' ;;
        --max-record) words='' ;;
        --decompress) words='auto none' ;;
        --files0-from) words='FILES' ;;
        --parallel) words='' ;;
        --dup-output) words='FILES' ;;
        -o | --output) words='FILES' ;;
        -m | --memory) words='' ;;
        -S | --buffer-size) words='' ;;
        -e | --error) words='' ;;
        --expect) words='' ;;
        --prefer) words='keep drop' ;;
        --last) words='' ;;
        --within) words='' ;;
        --time) words='' ;;
        --time-format) words='' ;;
        --max-skew) words='' ;;
        --algorithm) words='auto pocket set bloom counting sbf rsbf bsbf bsbfsd rlbsbf sqf isqf fpsbf buffer fpbuffer landmark jumping sliding double a2 apbf qht shf' ;;
        --param) words='' ;;
        --seed) words='' ;;
        --hash) words='xxh3-128 siphash' ;;
        --state) words='FILES' ;;
        --checkpoint) words='' ;;
        --remote) words='' ;;
        --shards) words='' ;;
        --on-error) words='stop pass' ;;
        --retry) words='' ;;
        --stats) [ -z "$equals" ] || words='text json' ;;
        --stats-output) words='FILES' ;;
        --metrics) words='FILES' ;;
        --listen) words='' ;;
        --audit-memory) words='' ;;
        --generate) words='man bash zsh fish' ;;
        esac
        ;;
    'plan ')
        options=' --memory --buffer-size --error --expect --prefer --last --within --gap --json --sample --key --field-separator --skip-fields --skip-chars --check-chars --ignore-case --csv-key --json-key --regex --exclude --zero-terminated --null --delimiter --crlf --max-record --decompress --help --version'
        operands=''
        case $prev in
        -m | --memory) words='' ;;
        -S | --buffer-size) words='' ;;
        -e | --error) words='' ;;
        --expect) words='' ;;
        --prefer) words='keep drop' ;;
        --last) words='' ;;
        --within) words='' ;;
        --gap) words='' ;;
        --sample) words='FILES' ;;
        -k | --key) words='' ;;
        -t | --field-separator) words='' ;;
        -f | --skip-fields) words='' ;;
        -s | --skip-chars) words='' ;;
        -w | --check-chars) words='' ;;
        --csv-key) words='' ;;
        --json-key) words='' ;;
        --regex) words='' ;;
        --exclude) words='' ;;
        --delimiter) words='' ;;
        --max-record) words='' ;;
        --decompress) words='auto none' ;;
        esac
        ;;
    'list ')
        options=' --json --help --version'
        operands='pocket set bloom counting sbf rsbf bsbf bsbfsd rlbsbf sqf isqf fpsbf buffer fpbuffer landmark jumping sliding double a2 apbf qht shf'
        case $prev in
        esac
        ;;
    'info ')
        options=' --json --help --version'
        operands='FILES'
        case $prev in
        esac
        ;;
    'gen ')
        options=' --records --seed --universe --distinct --exponent --step --lambda --volume --bias --level --order --mean --repeats --gap --shape --least --calm --clients --retries --against --bits --binary --truth --list --help --version'
        operands='uniform shuffled poisson bmodel zipf endless drift burst attack log csv jsonl'
        case $prev in
        -n | --records) words='' ;;
        --seed) words='' ;;
        --universe) words='' ;;
        --distinct) words='' ;;
        -s | --exponent) words='' ;;
        --step) words='' ;;
        --lambda) words='' ;;
        -v | --volume) words='' ;;
        -b | --bias) words='' ;;
        -l | --level) words='' ;;
        --order) words='first random' ;;
        -u | --mean) words='' ;;
        -r | --repeats) words='' ;;
        -g | --gap) words='' ;;
        --shape) words='fixed uniform loguniform exponential' ;;
        --least) words='' ;;
        --calm) words='' ;;
        --clients) words='' ;;
        --retries) words='' ;;
        --against) words='' ;;
        --bits) words='' ;;
        esac
        ;;
    'kafka ')
        options=' --brokers --from --to --dup-topic --group --property --until-end --rebuild --retry --by --key --field-separator --skip-fields --skip-chars --check-chars --ignore-case --csv --json --regex --exclude --crlf --missing --malformed --memory --buffer-size --error --expect --prefer --last --within --time --time-format --max-skew --refresh --algorithm --param --seed --hash --state --checkpoint --remote --shards --on-error --stats --stats-output --metrics --listen --progress --help --version'
        operands=''
        case $prev in
        --brokers) words='' ;;
        --from) words='' ;;
        --to) words='' ;;
        --dup-topic) words='' ;;
        --group) words='' ;;
        -X | --property) words='' ;;
        --rebuild) words='auto never' ;;
        --retry) words='' ;;
        --by) words='' ;;
        -k | --key) words='' ;;
        -t | --field-separator) words='' ;;
        -f | --skip-fields) words='' ;;
        -s | --skip-chars) words='' ;;
        -w | --check-chars) words='' ;;
        --csv) words='' ;;
        --json) words='' ;;
        --regex) words='' ;;
        --exclude) words='' ;;
        --missing) words='pass drop key' ;;
        --malformed) words='pass drop fail' ;;
        -m | --memory) words='' ;;
        -S | --buffer-size) words='' ;;
        -e | --error) words='' ;;
        --expect) words='' ;;
        --prefer) words='keep drop' ;;
        --last) words='' ;;
        --within) words='' ;;
        --time) words='' ;;
        --time-format) words='' ;;
        --max-skew) words='' ;;
        --algorithm) words='auto pocket set bloom counting sbf rsbf bsbf bsbfsd rlbsbf sqf isqf fpsbf buffer fpbuffer landmark jumping sliding double a2 apbf qht shf' ;;
        --param) words='' ;;
        --seed) words='' ;;
        --hash) words='xxh3-128 siphash' ;;
        --state) words='' ;;
        --checkpoint) words='' ;;
        --remote) words='' ;;
        --shards) words='' ;;
        --on-error) words='stop pass' ;;
        --stats) [ -z "$equals" ] || words='text json' ;;
        --stats-output) words='FILES' ;;
        --metrics) words='FILES' ;;
        --listen) words='' ;;
        esac
        ;;
    'lab ')
        options=' --help --version'
        operands='run reproduce check report'
        case $prev in
        esac
        ;;
    'lab run ')
        options=' --stream --input --memory --seeds --error --expect --last --goal --curve --file --jobs --csv --json --key --field-separator --skip-fields --skip-chars --check-chars --ignore-case --csv-key --json-key --regex --exclude --zero-terminated --null --delimiter --crlf --max-record --decompress --help --version'
        operands='pocket set bloom counting sbf rsbf bsbf bsbfsd rlbsbf sqf isqf fpsbf buffer fpbuffer landmark jumping sliding double a2 apbf qht shf'
        case $prev in
        --stream) words='uniform shuffled poisson bmodel zipf endless drift burst attack log csv jsonl' ;;
        --input) words='FILES' ;;
        -m | --memory) words='' ;;
        --seeds) words='' ;;
        -e | --error) words='' ;;
        --expect) words='' ;;
        --last) words='' ;;
        --goal) words='drops fewest' ;;
        --curve) words='' ;;
        --file) words='FILES' ;;
        --jobs) words='' ;;
        --csv) words='FILES' ;;
        -k | --key) words='' ;;
        -t | --field-separator) words='' ;;
        -f | --skip-fields) words='' ;;
        -s | --skip-chars) words='' ;;
        -w | --check-chars) words='' ;;
        --csv-key) words='' ;;
        --json-key) words='' ;;
        --regex) words='' ;;
        --exclude) words='' ;;
        --delimiter) words='' ;;
        --max-record) words='' ;;
        --decompress) words='auto none' ;;
        esac
        ;;
    'lab reproduce ')
        options=' --full --csv --jobs --json --help --version'
        operands=''
        case $prev in
        --csv) words='FILES' ;;
        --jobs) words='' ;;
        esac
        ;;
    'lab check ')
        options=' --csv --jobs --json --help --version'
        operands=''
        case $prev in
        --csv) words='FILES' ;;
        --jobs) words='' ;;
        esac
        ;;
    'lab report ')
        options=' --help --version'
        operands='FILES'
        case $prev in
        esac
        ;;
    'bench ')
        options=' --memory --batch --stream --gap --error --threads --runs --seconds --fill --seed --limit --scaling --records --json --help --version'
        operands='pocket set bloom counting sbf rsbf bsbf bsbfsd rlbsbf sqf isqf fpsbf buffer fpbuffer landmark jumping sliding double a2 apbf qht shf'
        case $prev in
        -m | --memory) words='' ;;
        --batch) words='' ;;
        --stream) words='new half' ;;
        --gap) words='' ;;
        -e | --error) words='' ;;
        --threads) words='' ;;
        --runs) words='' ;;
        --seconds) words='' ;;
        --fill) words='' ;;
        --seed) words='' ;;
        --records) words='' ;;
        esac
        ;;
    'help ')
        options=' --help --version'
        operands='plan list info gen kafka lab bench help'
        case $prev in
        esac
        ;;
    esac
    case $COMP_CWORD:$cur in
    1:-*) ;;
    1:*)
        fallback=yes
        operands='plan list info gen kafka lab bench help'
        ;;
    esac
    if [ "$words" = - ]; then
        case $cur in
        -*) words=$options ;;
        *) words=$operands ;;
        esac
    fi
    if [ "$words" != FILES ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    fi
    # No candidates, then files.
    if [ "$words" = FILES ] || [ -n "$fallback" ]; then
        compopt -o default
    fi
}
complete -F _freshet freshet
