function mpc = two_bus
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
	1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;
	2 1 50 10 0 5 1 1 0 230 1 1.1 0.9;
];
mpc.gen = [1 50 0 100 -100 1 100 1 200 0];
mpc.branch = [1 2 0.01 0.1 0.02 0 0 0 0 0 1 -360 360];
