# SPDX-License-Identifier: BSD-3-Clause
# %% [markdown]
# # Stiff and fast/slow in ten minutes
#
# A problem is *stiff* when fast motion that has long died out still forbids an explicit method to take long steps.
# Robertson's reaction is the classical one: three species, rates from 0.04 to 3e7.

# %%
import numpy as np

import geartrain
from geartrain import Model, Run, compare, ensemble, solve_ivp


def robertson(t, y):
    a = -0.04 * y[0] + 1e4 * y[1] * y[2]
    b = 3e7 * y[1] ** 2
    return [a, -a - b, b]


sol = solve_ivp(robertson, [0, 1e5], [1, 0, 0], rtol=1e-6, atol=1e-10)
print(sol.method, sol.nsteps, "steps,", sol.nfev, "calls:", sol.why)
assert geartrain.method(sol.method).kind == "implicit" and abs(sol.y[:, -1].sum() - 1) < 1e-6

# %% [markdown]
# `auto` began with explicit steps and noticed that they were short for so smooth a solution. The same with an explicit method to the end is
# possible, but not for long:

# %%
short = solve_ivp(robertson, [0, 1], [1, 0, 0], method="dopri5", rtol=1e-6, atol=1e-10)
print("dopri5 needs", short.nsteps, "steps for t = 1 alone")
assert short.nsteps > sol.nsteps

# %% [markdown]
# ## In C
# The same equations as a model run without the interpreter; parameters are arguments.

# %%
model = Model("robertson")
print(model, model.params)
fast = solve_ivp(model, [0, 1e5], rtol=1e-6, atol=1e-10)
np.testing.assert_allclose(fast.y[:, -1], sol.y[:, -1], rtol=1e-3)

# %% [markdown]
# Ten van der Pol oscillators, from round to jumping, in two threads:

# %%
many = ensemble(Model("vanderpol"), {"mu": np.geomspace(0.1, 100, 10)}, [0, 50], t_eval=np.linspace(0, 50, 201),
                threads=2)
print(many.y.shape, many.nsteps)
assert many.success.all()

# %% [markdown]
# ## Fast and slow
# Where a few states are fast and cheap while the others are slow and expensive, a method of two rates takes small
# steps for the fast ones only.


# %%
def fun(t, y):  # y[0] turns 50 times as fast as y[1] moves
    return np.array([-50 * (y[0] - np.cos(y[1])), 0.5 - 0.1 * y[0]])


slow_calls = 0


def slow_part(t, y):
    global slow_calls
    slow_calls += 1
    return fun(t, y)[1:]


two = solve_ivp(fun, [0, 20], [1, 0], method="mri4", fast=[0], fun_slow=slow_part, fun_fast=lambda t, y: fun(t, y)[:1],
                rtol=1e-6)
one = solve_ivp(fun, [0, 20], [1, 0], method="dopri5", rtol=1e-6)
print("slow block:", slow_calls, "calls by mri4,", one.nfev, "by dopri5")
assert slow_calls < one.nfev and abs(two.y[1, -1] - one.y[1, -1]) < 1e-4

# %% [markdown]
# ## A run that is watched: a live plot in twelve lines


# %%
def spring(t, y):
    return [y[1], -stiffness * y[0]]


stiffness = 1.0
run = Run(spring, [0, np.inf], [1.0, 0.0], rtol=1e-8)
for picture in range(1, 41):
    run.advance(0.25 * picture)
    print(f"{run.t:6.2f} |" + " " * round(20 + 15 * run.y[0]) + "o")
    if picture == 20:
        stiffness = 4.0
        run.changed()
assert run.report["steps"] < 100

# %% [markdown]
# ## Which method?

# %%
table = compare(robertson, [0, 100], [1, 0, 0], methods=["gear", "rodas4", "auto"], rtol=[1e-4, 1e-6])
print(table)
print(model.advise().methods[0])
