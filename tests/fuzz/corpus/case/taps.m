% a transformer, a line out of service, comments and commas
function mpc = taps
mpc.version='2'; mpc.baseMVA=1e2;
mpc.bus=[7,3,0,0,0,0,1,1.02,0,20,1,1.1,.9
8,2,1e1,0,0,0,1,1,0,20,1,1.1,.9 % load
9,1,20,5,0,0,1,1,0,20,1,1.1,.9];
mpc.gen=[7 0 0 99 -99 1.02 50 1 9 0;8 10 0 99 -99 1 50 1 9 0;8 0 0 9 -9 1 50 0 9 0];
mpc.branch=[7 8 0 .1 0 0 0 0 .98 2 1 -360 360;8 9 .01 .1 .02 0 0 0 0 0 1 -360 360;
7 9 .01 .1 .02 0 0 0 0 0 0 -360 360];
mpc.gencost = [2 0 0 3 1 1 0];
