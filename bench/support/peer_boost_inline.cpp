/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/peer_boost.hpp"

namespace
{
const variant with_rk4{choose_inlined<rk4>, choose_by_pointer<rk4>};
const variant with_dopri5{choose_inlined<dopri5>, choose_by_pointer<dopri5>};
} // namespace

extern "C" {
const bench_solver bench_boost_rk4_inline = {
    "Boost inlined", "rk4",     "Boost.odeint, std::array, right-hand side inlined", &with_rk4, peer_open,
    peer_run,        peer_close};
const bench_solver bench_boost_dopri5_inline = {
    "Boost inlined", "dopri5",  "Boost.odeint, std::array, right-hand side inlined", &with_dopri5, peer_open,
    peer_run,        peer_close};
}
