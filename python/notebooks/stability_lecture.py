# SPDX-License-Identifier: BSD-3-Clause
# %% [markdown]
# # A lecture on stability
#
# Applied to x' = lambda x with step h, a method multiplies x by R(z), z = h lambda. It is stable where |R(z)| <= 1.

# %%
import numpy as np

import geartrain
from geartrain import method

rk4 = method("rk4")
z = np.linspace(-3, 0, 7)
np.testing.assert_allclose(rk4.stability_function(z), 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24, rtol=1e-12)
print(rk4.tableau.b, rk4.stability)

# %% [markdown]
# The order conditions, one for each rooted tree, and the first ones that fail:

# %%
for condition in rk4.order_conditions(5):
    print(condition)
assert all(c.holds == (c.order <= 4) for c in rk4.order_conditions(5))

# %% [markdown]
# ## How far along the axes?
# An explicit method has a bounded region; an A-stable one has the whole left half plane.

# %%
for name in ["euler", "rk4", "dopri5", "ab4", "gear3", "gear6", "trapezoidal", "beuler", "rodas4"]:
    s = method(name).stability
    print(f"{name:12s} real {s.real_limit:8.4g}  imaginary {s.imag_limit:8.4g}  sector {s.sector_deg:5.1f}"
          f"  A {s.a_stable}  L {s.l_stable}")
assert method("euler").stability.real_limit == 2
assert method("trapezoidal").stability.a_stable and not method("trapezoidal").stability.l_stable
assert method("rodas4").stability.l_stable

# %% [markdown]
# On its boundary |R| = 1:

# %%
for curve in rk4.region():
    np.testing.assert_allclose(rk4.growth(curve), 1, atol=1e-6)

# %% [markdown]
# ## What it means
# x' = -50 (x - cos t) with h = 0.05 has z = -2.5: inside for rk4, outside for euler and on no account for ab4.


# %%
def growth_of(name, h):
    return method(name).growth(-50 * h)


print({name: float(growth_of(name, 0.05)) for name in ["euler", "rk4", "ab4", "trapezoidal"]})
assert growth_of("rk4", 0.05) < 1 < growth_of("euler", 0.05)

# %% [markdown]
# The trapezoidal rule is stable there, but |R| is near 1 where z is large: what is wrong at the start is still there
# much later, with alternating sign. L-stable methods forget it.

# %%
far = -1e4
print(method("trapezoidal").stability_function(far), method("beuler").stability_function(far))
assert method("trapezoidal").growth(far) > 0.99 and method("beuler").growth(far) < 1e-3

# %% [markdown]
# ## Portraits
# `method(name).portrait()` draws the region where matplotlib is there.

# %%
try:
    import matplotlib
except ImportError:
    print("matplotlib is not installed: no portraits")
else:
    matplotlib.use("Agg")
    axes = rk4.portrait()
    print(axes.get_title())
