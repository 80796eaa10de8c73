# SPDX-License-Identifier: BSD-3-Clause
# awk -f same_numbers.awk FILE FILE: both say the same, numbers compared as numbers. Text and whole numbers are equal; a
# number with a point or an exponent may differ by one in the last digit that either of the two prints, since a value
# that lies between two roundings falls to either side with another BLAS kernel, libm or compiler.
BEGIN { number = "[0-9]+(\\.[0-9]*)?([eE][-+]?[0-9]+)?" }

# The unit of the last digit of a number as it is printed.
function unit(text,   mantissa, exponent) {
    mantissa = text
    exponent = 0
    if (match(text, /[eE]/)) {
        mantissa = substr(text, 1, RSTART - 1)
        exponent = substr(text, RSTART + 1) + 0
    }
    if (match(mantissa, /\./)) exponent -= length(mantissa) - RSTART
    return 10 ^ exponent
}

function near(a, b,   gap, last) {
    if (a == b "") return 1
    if (a ~ /^[0-9]+$/ && b ~ /^[0-9]+$/) return 0
    gap = a - b
    if (gap < 0) gap = -gap
    last = unit(a)
    if (unit(b) < last) last = unit(b)
    return gap <= 1.001 * last
}

function same(a, b,   x, y, before) {
    while (match(a, number)) {
        x = substr(a, RSTART, RLENGTH)
        before = substr(a, 1, RSTART - 1)
        a = substr(a, RSTART + RLENGTH)
        if (!match(b, number)) return 0
        y = substr(b, RSTART, RLENGTH)
        if (before != substr(b, 1, RSTART - 1)) return 0
        b = substr(b, RSTART + RLENGTH)
        if (!near(x, y)) return 0
    }
    return a == b
}

NR == FNR { first[++lines] = $0; next }
{
    more++
    if (!(more in first) || !same(first[more], $0)) {
        print "< " first[more]
        print "> " $0
        wrong = 1
    }
}
END {
    if (lines == 0 || lines != more) {
        print lines + 0 " lines in the one, " more + 0 " in the other"
        wrong = 1
    }
    exit wrong
}
