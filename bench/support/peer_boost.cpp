/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/peer_boost.hpp"

namespace
{
const variant with_rk2{choose_by_pointer<rk2>, choose_by_pointer<rk2>};
const variant with_rk4{choose_by_pointer<rk4>, choose_by_pointer<rk4>};
const variant with_dopri5{choose_by_pointer<dopri5>, choose_by_pointer<dopri5>};
} // namespace

extern "C" {
const bench_solver bench_boost_rk2 = {
    "Boost.odeint", "rk2",     "explicit_generic_rk, std::array, the same function pointer", &with_rk2, peer_open,
    peer_run,       peer_close};
const bench_solver bench_boost_rk4 = {
    "Boost.odeint", "rk4", "std::array, the same function pointer", &with_rk4, peer_open, peer_run, peer_close};
const bench_solver bench_boost_dopri5 = {
    "Boost.odeint", "dopri5", "std::array, the same function pointer", &with_dopri5, peer_open, peer_run, peer_close};
}
