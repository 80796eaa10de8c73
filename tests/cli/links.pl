# SPDX-License-Identifier: BSD-3-Clause
# Links of pages that lead to no file or no heading; "ok" or "not ok" for each page, as the suites in shell do.
#   perl links.pl PAGE...
use strict;
use warnings;
use File::Basename;
my %anchors;

sub text_of {
    local $/;
    open my $in, '<', $_[0] or return '';
    return scalar <$in>;
}

# Headings as the part of a link after "#".
sub has_anchor {
    my ($file, $wanted) = @_;
    if (!$anchors{$file}) {
        my %found;
        for (text_of($file) =~ /^#+ (.*)$/mg) {
            tr/A-Z /a-z-/;
            tr/a-z0-9_-//cd;
            $found{$_} = 1;
        }
        $anchors{$file} = \%found;
    }
    return $anchors{$file}{$wanted};
}

my $failed = 0;
for my $page (@ARGV) {
    my ($text, @wrong) = (text_of($page));
    $text =~ s/`[^`\n]*`//g;
    for my $link ($text =~ /\]\(([^) \n]*)\)/g) {
        next if $link =~ /^http/;
        my ($file, $anchor) = $link =~ /^([^#]*)#?(.*)$/;
        my $target = $file eq '' ? $page : dirname($page) . "/$file";
        if (!-e $target) {
            push @wrong, "    $page: $link leads nowhere\n";
        } elsif ($link =~ /#/ && !has_anchor($target, $anchor)) {
            push @wrong, "    $page: $link: no such heading\n";
        }
    }
    push @wrong, "    $page is empty\n" if $text eq '';
    print @wrong, @wrong ? 'not ok' : 'ok', " $page, its links lead somewhere\n";
    $failed ||= @wrong > 0;
}
exit $failed;
