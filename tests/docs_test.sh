# SPDX-License-Identifier: BSD-3-Clause
# The documentation fits the program: a page for each method and model, true option names and stability limits, links that
# lead somewhere, commands that run, figures that can be drawn again.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
set -u
SOURCE_DIR=${SOURCE_DIR:-$PWD}
BUILD_DIR=${BUILD_DIR:-$PWD/build}
GEARTRAIN=${GEARTRAIN:-$BUILD_DIR/geartrain}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$GEARTRAIN" "$scratch/bin/geartrain"
PATH=$scratch/bin:$PATH
XDG_CACHE_HOME=$scratch/cache
export GEARTRAIN PATH XDG_CACHE_HOME
cd "$SOURCE_DIR" || exit 1

check() { # WHAT COMMAND...
    what=$1
    shift
    if "$@" >"$scratch/log" 2>&1; then
        echo "ok $what"
    else
        tail -n 40 "$scratch/log"
        echo "not ok $what"
    fi
}
names() { geartrain list "$1" --json | sed -n 's/^ *"name": "\(.*\)",*$/\1/p'; }

has_pages() { # methods|models
    names "$1" >"$scratch/names"
    [ -s "$scratch/names" ] || return 1
    wrong=0
    while read -r name; do
        [ -s "docs/$1/$name.md" ] || { echo "docs/$1/$name.md is missing"; wrong=1; }
    done <"$scratch/names"
    for page in docs/"$1"/*.md; do
        grep -qx "$(basename "$page" .md)" "$scratch/names" || { echo "$page is about nothing in the list"; wrong=1; }
    done
    return $wrong
}

all_linked() {
    wrong=0
    for page in docs/*.md docs/methods/*.md docs/models/*.md; do
        [ "$page" = docs/README.md ] || grep -qF "(${page#docs/})" docs/README.md ||
            { echo "docs/README.md has no link to $page"; wrong=1; }
    done
    return $wrong
}

# The options in the table of a page are those of the descriptor, and the stability limits are there as `show` prints them.
true_facts() { # METHOD
    geartrain show "$1" --json >"$scratch/facts" || return 1
    awk '/"options": \[/ { inside = 1 } /^  \],*$/ { inside = 0 }
         inside && sub(/^ *"name": "/, "") { sub(/".*/, ""); print }' "$scratch/facts" | sort >"$scratch/stated"
    awk '/^## / { inside = $2 == "Options" } inside && sub(/^\| `/, "") { sub(/`.*/, ""); print }' "docs/methods/$1.md" |
        sort >"$scratch/written"
    diff "$scratch/stated" "$scratch/written" || return 1
    geartrain show "$1" | sed -n 's/.* axis: \(|h lambda| up to \)\{0,1\}//p' >"$scratch/limits"
    # Both limits, or none where a method has no R(z).
    case $(wc -l <"$scratch/limits") in 0 | 2) ;; *) return 1 ;; esac
    while read -r limit; do
        grep -qiF "$limit" "docs/methods/$1.md" || { echo "the stability limit '$limit' is not there"; return 1; }
    done <"$scratch/limits"
}

# Headings as the part of a link after "#".
anchors() { sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'; }

links_lead_somewhere() { # PAGE
    wrong=0
    folder=$(dirname "$1")
    for link in $(sed 's/`[^`]*`//g' "$1" | grep -o '](\([^) ]*\))' | sed 's/^](//; s/)$//'); do
        case $link in http*) continue ;; esac
        file=${link%%#*}
        target=$folder/$file
        [ -n "$file" ] || target=$1
        [ -e "$target" ] || { echo "$1: $link leads nowhere"; wrong=1; continue; }
        case $link in
        *#*) anchors "$target" | grep -qx "${link#*#}" || { echo "$1: $link: no such heading"; wrong=1; } ;;
        esac
    done
    return $wrong
}

# Lines of code that begin with "geartrain", after "$ " perhaps; "# exit N" tells of a status that is not 0.
commands() { sed -n 's/^\(    \)\{0,1\}\(\$ \)\{0,1\}\(geartrain .*\)/\3/p' "$1"; }

commands_run() { # PAGE
    mkdir -p "$scratch/run" && cd "$scratch/run" || return 1
    rm -f ./*
    cp "$SOURCE_DIR"/examples/models/* .
    ln -s "$SOURCE_DIR/cases" cases
    commands "$SOURCE_DIR/$1" >../commands
    wrong=0
    while read -r line; do
        wanted=$(echo "$line" | sed -n 's/.*# exit \([0-9]\).*/\1/p')
        status=0
        timeout 20 sh -c "$line" >../output 2>&1 </dev/null || status=$?
        [ "$status" = "${wanted:-0}" ] || { cat ../output; echo "$1: exit status $status from: $line"; wrong=1; }
    done <../commands
    cd "$SOURCE_DIR" && return $wrong
}

figures_can_be_drawn() {
    mkdir "$scratch/figures" && cd "$scratch/figures" && sh "$SOURCE_DIR/docs/figures/draw.sh" || return 1
    ls ./*.svg >../drawn
    cd "$SOURCE_DIR/docs/figures" && ls ./*.svg | diff - "$scratch/drawn"
    status=$?
    cd "$SOURCE_DIR" && return $status
}

check "docs, every method has a page" has_pages methods
check "docs, every model has a page" has_pages models
check "docs, every page is linked from docs/README.md" all_linked
for method in $(names methods); do
    check "docs, the facts on the page of $method are those of the program" true_facts "$method"
done
for page in *.md docs/*.md docs/*/*.md; do
    check "$page, its links lead somewhere" links_lead_somewhere "$page"
    [ -z "$(commands "$page")" ] || check "$page, its commands run" commands_run "$page"
done
check "docs, every figure can be drawn again" figures_can_be_drawn
