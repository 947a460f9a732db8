# bash completion for freshet, by freshet --generate bash
# shellcheck shell=bash
_freshet()
{
    local cur prev options words= commands=
    _get_comp_words_by_ref -n = cur prev 2>/dev/null || {
        cur=${COMP_WORDS[COMP_CWORD]}
        prev=${COMP_WORDS[COMP_CWORD - 1]}
    }
    case $cur in
    --*=*)
        prev=${cur%%=*}
        cur=${cur#*=}
        ;;
    esac
    case $prev in
    --missing) words='pass drop key' ;;
    --malformed) words='pass drop fail' ;;
    --decompress) words='auto none' ;;
    --prefer) words='keep drop' ;;
    --on-error) words='stop pass' ;;
    --generate) words='man bash zsh fish' ;;
    --algorithm) words=$(freshet list 2>/dev/null | cut -d ' ' -f 1) ;;
    esac
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi
    case ${COMP_WORDS[1]} in
    plan)
        options=' --memory= --buffer-size= --error= --expect= --prefer= --last= --within= --gap= --json --sample= --key= --field-separator= --skip-fields= --skip-chars= --check-chars= --ignore-case --csv-key= --json-key= --regex= --exclude= --zero-terminated --null --delimiter= --crlf --max-record= --decompress= --help --version'
        ;;
    list)
        options=' --json --help --version'
        ;;
    info)
        options=' --json --help --version'
        ;;
    gen)
        options=' --records= --seed= --universe= --distinct= --exponent= --step= --lambda= --volume= --bias= --level= --order= --mean= --repeats= --gap= --shape= --least= --calm= --clients= --retries= --against= --bits= --binary --truth --list --help --version'
        ;;
    lab)
        options=' --stream= --input= --memory= --seeds= --error= --expect= --last= --goal= --curve= --file= --jobs= --csv= --json --key= --field-separator= --skip-fields= --skip-chars= --check-chars= --ignore-case --csv-key= --json-key= --regex= --exclude= --zero-terminated --null --delimiter= --crlf --max-record= --decompress= --full --help --version'
        commands='run reproduce report'
        ;;
    bench)
        options=' --memory= --batch= --stream= --gap= --error= --threads= --runs= --seconds= --fill= --seed= --limit --scaling --records= --json --help --version'
        ;;
    help)
        options=' --help --version'
        ;;
    *)
        options=' --key= --field-separator= --skip-fields= --skip-chars= --check-chars= --ignore-case --csv= --json= --regex= --exclude= --missing= --malformed= --zero-terminated --null --delimiter= --crlf --max-record= --decompress= --header --files0-from= --parallel= --all-repeated --repeated --annotate --dup-output= --check --output= --line-buffered --memory= --buffer-size= --error= --expect= --prefer= --last= --within= --time= --max-skew= --refresh --algorithm= --param= --seed= --state= --checkpoint= --read-only --remote= --shards= --on-error= --retry= --explain --stats --metrics= --progress --audit --audit-memory= --generate= --help --version'
        ;;
    esac
    words=
    if [[ $cur == -* ]]; then
        words=$options
    elif [ "$COMP_CWORD" -eq 1 ]; then
        words='plan list info gen lab bench help'
    elif [ "$COMP_CWORD" -eq 2 ]; then
        words=$commands
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
}
complete -o bashdefault -o default -F _freshet freshet
