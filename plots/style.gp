# How every figure looks. The colours can be told apart by colour-blind readers (Okabe and Ito), the dashes in grey print.
set encoding utf8
set linetype 1 linewidth 1.8 pointsize 0.7 linecolor rgb "#0072B2" pointtype 7 dashtype solid
set linetype 2 linewidth 1.8 pointsize 0.7 linecolor rgb "#D55E00" pointtype 5 dashtype (14,4)
set linetype 3 linewidth 1.8 pointsize 0.8 linecolor rgb "#009E73" pointtype 9 dashtype (14,3,3,3)
set linetype 4 linewidth 1.8 pointsize 0.8 linecolor rgb "#CC79A7" pointtype 13 dashtype (6,3)
set linetype 5 linewidth 1.8 pointsize 0.8 linecolor rgb "#B37A00" pointtype 11 dashtype (20,3,3,3,3,3)
set linetype 6 linewidth 1.8 pointsize 0.7 linecolor rgb "#56B4E9" pointtype 6 dashtype solid
set linetype 7 linewidth 1.8 pointsize 0.7 linecolor rgb "#000000" pointtype 4 dashtype (3,3)
set linetype 8 linewidth 1.8 pointsize 0.8 linecolor rgb "#777777" pointtype 8 dashtype (10,5)
set linetype cycle 8
set style line 100 linetype 1 linewidth 0.6 linecolor rgb "#DDDDDD" dashtype solid
set style line 101 linetype 1 linewidth 5 linecolor rgb "#C8C8C8" dashtype solid
set grid back linestyle 100
set border 3 linewidth 1 linecolor rgb "#444444"
set tics nomirror scale 0.6 textcolor rgb "#222222"
set key at graph 1.02,1 left top Left reverse samplen 3 spacing 1.25
set datafile missing "NaN"
set ylabel offset -0.3,0
set zlabel offset 2,0
