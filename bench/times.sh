# times.sh - sourced by the benchmarks of whole commands: runs in turns, medians
#
# The script that sources it has set an array "names", and "command" with the
# command of each name.  With BEFORE, the program of an older commit, commands
# are also run with that one, right before ours.
# shellcheck shell=bash
# shellcheck disable=SC2154 # names and command are set by the script

# add_before FRESHET NAME...: with BEFORE, adds a name "before-NAME" for each
# of these commands, which run FRESHET
add_before()
{
    local freshet=$1 all=() name

    [ -n "${BEFORE:-}" ] || return 0
    shift
    for name in "${names[@]}"; do
        if [[ " $* " == *" $name "* ]]; then
            all+=("before-$name")
            command["before-$name"]=${command[$name]//"$freshet"/"$BEFORE"}
        fi
        all+=("$name")
    done
    names=("${all[@]}")
}

# seconds NAME: the time of one run, or the message of the command that failed
seconds()
{
    local TIMEFORMAT=%R

    { time bash -c "${command[$1]}" >/dev/null; } 2>&1
}

# once NAME: a line "NAME SECONDS"; ends the script if the command fails
once()
{
    local taken

    taken=$(seconds "$1") || {
        echo "$1: $taken" >&2
        exit 2
    }
    echo "$1 $taken"
}

# median_times: reads lines "NAME SECONDS" from standard input; writes lines
# "NAME MEDIAN QUARTILE QUARTILE"
median_times()
{
    sort -k 1,1 -k 2,2g | awk '
        function at(share,  i) {
            i = 1 + share * (n - 1)
            return t[int(i)] + (i - int(i)) * (t[int(i) + 1] - t[int(i)])
        }
        function row() {
            t[n + 1] = t[n]
            print name, at(0.5), at(0.25), at(0.75)
        }
        $1 != name { if (n) row(); name = $1; n = 0 }
        { t[++n] = $2 }
        END { row() }'
}

# show FRESHET: reads lines "NAME MEDIAN QUARTILE QUARTILE BYTES" and prints
# the table of the commands of this commit
show()
{
    local name median low high bytes

    printf '%-8s %9s  %-15s %5s   %s\n' '' median quartiles MB/s command
    while read -r name median low high bytes; do
        [[ $name == before-* ]] && continue
        printf '%-8s %7.3f s  %6.3f to %6.3f %5.0f   %s\n' "$name" "$median" \
            "$low" "$high" "$(awk "BEGIN { print $bytes / $median / 1e6 }")" \
            "${command[$name]//"$1"/freshet}"
    done
}

# Functions in awk for what the benchmarks judge: awk "$judging"'{ ... }'
# shellcheck disable=SC2034 # used by the script
judging=$(cat <<'END'
# Prints a value beside its target and counts the targets that are missed.
# kind is "at most" or "at least".
function judge(what, value, kind, target,  good)
{
    good = kind == "at most" ? value <= target : value >= target
    printf "%-44s %8.2f   %s %-5g %s\n", what, value, kind, target,
        good ? "met" : "MISSED"
    missed += !good
}

# Judges the medians of every command against those of the older commit:
# most[NAME] is the largest ratio that is allowed.
function judge_before(s, most,  name)
{
    for (name in most)
        if (("before-" name) in s)
            judge(name ", times the commit before", s[name] / s["before-" name],
                "at most", most[name])
}
END
)
