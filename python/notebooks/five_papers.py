# SPDX-License-Identifier: BSD-3-Clause
# %% [markdown]
# # The five papers
#
# One thing from each of the papers that the methods here come from. All tables and figures: `geartrain papers`.

# %%
import numpy as np

import geartrain
from geartrain import Model, method, solve_ivp

# %% [markdown]
# ## Crow: backinterpolation
# Half a step forward from the old point meets half a step backward from the new one. With the same explicit method in
# both halves R(z) = P(z/2) / P(-z/2), so |R(iy)| = 1: the order of the half, and A-stability.

# %%
bi44 = method("bi44")
y = np.linspace(0, 5, 21)
np.testing.assert_allclose(np.abs(bi44.stability_function(1j * y)), 1, atol=1e-12)
assert bi44.stability.a_stable and bi44.order == 4

# %% [markdown]
# ## Xie: damping and frequency
# What a method makes of a lightly damped oscillation: -ln |R| is its damping, arg R its frequency.

# %%
theta = np.radians(85)
z = 0.5 * (-np.cos(theta) + 1j * np.sin(theta))
for name in ["trapezoidal", "rk4", "bi45"]:
    R = method(name).stability_function(z)
    print(f"{name:12s} damping {-np.log(abs(R)):.5f} (exact {-z.real:.5f})  frequency {np.angle(R):.5f} (exact {z.imag:.5f})")
assert abs(-np.log(abs(method("rk4").stability_function(z))) + z.real) < 1e-3

# %% [markdown]
# ## Shi and Rojas: stabilized multirate steps
# Small steps between large ones damp the fast modes: the stable part of the negative axis has a second piece, far out.

# %%
smfe = method("smfe")
x = -np.geomspace(0.1, 1e6, 400)
stable = smfe.growth(x) <= 1
pieces = np.flatnonzero(np.diff(stable.astype(int)))
print("stable and unstable change at z =", x[pieces])
assert stable[0] and len(pieces) >= 2

# %% [markdown]
# ## Gil, Sanfelice, Nikravesh: singular perturbation
# The fast block is followed exactly about its slow manifold; the step is that of the slow one.

# %%
model = Model("linear2")
print(model.equations, model.params)
reference = solve_ivp(model, rtol=1e-11, atol=1e-13, method="dop853").y[:, -1]
run = solve_ivp(model, method="spm", rtol=1e-6, atol=1e-9)
print(run.nsteps, run.y[:, -1], reference)
np.testing.assert_allclose(run.y[:, -1], reference, rtol=1e-3, atol=1e-6)

# %% [markdown]
# ## Shome: dual-rate Runge-Kutta methods
# Two tableaux with the same stages; the slow block is evaluated at few of them. All conditions for trees with slow and
# fast vertices hold:

# %%
pair = method("prk36")
conditions = pair.order_conditions()
print(len(conditions), "conditions of order up to", pair.order)
assert all(c.holds for c in conditions)
slow_columns = [any(row[j] for row in pair.tableau.slow.a) or bool(pair.tableau.slow.b[j]) for j in range(len(pair.tableau.slow.b))]
print("slow evaluations:", sum(slow_columns), "of", len(slow_columns), "stages")
assert sum(slow_columns) < len(slow_columns)
