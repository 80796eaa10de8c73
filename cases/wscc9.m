function mpc = wscc9
%WSCC9  The three-machine, nine-bus system of Crow, chapter 5 (Example 5.10, Figure 5.21).
%   Buses are numbered as in the chapter. Machine data are in wscc9.csv beside this file.
%
%   Anderson and Fouad, and Sauer and Pai, number the buses 4 to 9 differently: their 4 5 6 7 8 9 are 4 9 5 8 7 6 here.

mpc.version = '2';
mpc.baseMVA = 100;

%	bus	type	Pd	Qd	Gs	Bs	area	Vm	Va	baseKV	zone	Vmax	Vmin
mpc.bus = [
	1	3	0	0	0	0	1	1.04	0	16.5	1	1.1	0.9;
	2	2	0	0	0	0	1	1.025	0	18	1	1.1	0.9;
	3	2	0	0	0	0	1	1.025	0	13.8	1	1.1	0.9;
	4	1	0	0	0	0	1	1	0	230	1	1.1	0.9;
	5	1	90	30	0	0	1	1	0	230	1	1.1	0.9;
	6	1	0	0	0	0	1	1	0	230	1	1.1	0.9;
	7	1	100	35	0	0	1	1	0	230	1	1.1	0.9;
	8	1	0	0	0	0	1	1	0	230	1	1.1	0.9;
	9	1	125	50	0	0	1	1	0	230	1	1.1	0.9;
];

%	bus	Pg	Qg	Qmax	Qmin	Vg	mBase	status	Pmax	Pmin
mpc.gen = [
	1	71.6	0	300	-300	1.04	100	1	250	10;
	2	163	0	300	-300	1.025	100	1	300	10;
	3	85	0	300	-300	1.025	100	1	270	10;
];

%	from	to	r	x	b	rateA	rateB	rateC	ratio	angle	status	angmin	angmax
mpc.branch = [
	1	4	0	0.0576	0	0	0	0	0	0	1	-360	360;
	4	5	0.017	0.092	0.158	0	0	0	0	0	1	-360	360;
	5	6	0.039	0.17	0.358	0	0	0	0	0	1	-360	360;
	3	6	0	0.0586	0	0	0	0	0	0	1	-360	360;
	6	7	0.0119	0.1008	0.209	0	0	0	0	0	1	-360	360;
	7	8	0.0085	0.072	0.149	0	0	0	0	0	1	-360	360;
	8	2	0	0.0625	0	0	0	0	0	0	1	-360	360;
	8	9	0.032	0.161	0.306	0	0	0	0	0	1	-360	360;
	9	4	0.01	0.085	0.176	0	0	0	0	0	1	-360	360;
];
