# SPDX-License-Identifier: BSD-3-Clause
# Manual pages and completion for shells: made from the tables of the program, readable by what reads them.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"

check "geartrain doc --share writes all of it" "$geartrain" doc --share share
every_command_has_a_page() {
    "$geartrain" help | sed -n '/^Commands:/,/^$/s/^    \([a-z]*\) .*/\1/p' >commands
    [ "$(wc -l <commands)" -ge 15 ] || return 1
    for command in $(cat commands); do
        [ -s "share/man/man1/geartrain-$command.1" ] || { echo "no page for $command"; return 1; }
        grep -q "geartrain.-$command" share/man/man1/geartrain.1 || { echo "geartrain.1 lacks $command"; return 1; }
    done
}
every_flag_is_in_its_page() {
    for command in $(cat commands); do
        for flag in $("$geartrain" help $command | sed -n 's/^    --\([a-z0-9-]*\).*/\1/p'); do
            grep -q "^.fB.-.-$(echo "$flag" | sed 's/-/\\\\-/g').fR" "share/man/man1/geartrain-$command.1" ||
                { echo "geartrain-$command.1 lacks --$flag"; return 1; }
        done
    done
}
check "every command has a manual page" every_command_has_a_page
check "every flag is in the page of its command" every_flag_is_in_its_page
if command -v man >/dev/null && command -v groff >/dev/null; then
    for page in run compare power-flow; do
        formats() { LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l "share/man/man1/geartrain-$page.1" 2>warned >shown && [ ! -s warned ] && grep -q 'SYNOPSIS' shown; }
        check "man formats geartrain-$page without a warning" formats
    done
else
    skip "man formats the pages" "man or groff is not installed"
fi

# What bash offers, in a shell of its own.
offers() { # WANTED WORD...: the last word is the one to be completed
    wanted=$1
    shift
    PATH=$(dirname "$geartrain"):$PATH bash -c '
        . share/bash-completion/completions/geartrain
        COMP_WORDS=(geartrain "$@")
        COMP_CWORD=$#
        _geartrain
        printf "%s\n" "${COMPREPLY[@]}"' bash "$@" >offered && grep -qx -e "$wanted" offered
}
if command -v bash >/dev/null; then
    check "bash offers commands" offers compare comp
    check "bash offers flags" offers --method run lorenz --me
    check "bash offers methods" offers dopri5 run lorenz --method do
    check "bash offers the next method of a list" offers gear,dopri5 compare lorenz --methods gear,do
    check "bash offers models" offers vanderpol run van
    check "bash offers what follows a command" offers flow power fl
    check "bash offers flags of what follows a command" offers --fault-bus power cct case.m --fa
    touch here.ode
    check "bash offers files" offers here.ode run her
    check "bash offers the words of a value" offers coi power run case.m --relative co
else
    skip "bash completion" "bash is not installed"
fi
for shell in zsh fish; do
    file=share/zsh/site-functions/_geartrain
    [ $shell = zsh ] || file=share/fish/vendor_completions.d/geartrain.fish
    check "there is completion for $shell" [ -s $file ]
    if command -v $shell >/dev/null; then check "$shell reads it" $shell -n $file; else skip "$shell reads its completion" "$shell is not installed"; fi
done
if command -v fish >/dev/null; then
    fish_offers() { PATH=$(dirname "$geartrain"):$PATH fish -c "source share/fish/vendor_completions.d/geartrain.fish; complete -C '$2'" >offered && cut -f 1 offered | grep -qx -e "$1"; }
    check "fish offers methods" fish_offers dopri5 "geartrain run lorenz --method do"
    check "fish offers the next method of a list" fish_offers gear,dopri5 "geartrain compare lorenz --methods gear,do"
fi
expect "another shell" 2 'the shells are bash, zsh and fish' doc completion tcsh
expect "a page of its own" 0 '^.TH GEARTRAIN-RUN 1' doc man run
