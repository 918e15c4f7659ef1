// SPDX-License-Identifier: Apache-2.0
// The phases of a time step, in order; each is the file of its name.
#include "solver/step.hpp"

#include "solver/exchange.hpp"
#include "solver/finish_messages.hpp"
#include "solver/serve_links.hpp"
#include "solver/sum_returns.hpp"

namespace tailrace {

void advance_one_step(State& state, Halo& halo, std::int64_t step) {
  serve_links(state.view(), step);      // arrivals, flow control, shares, departures in order
  sum_returns(state.view());            // what has left each incoming lane's buffer
  finish_messages(state.view(), step);  // messages whose end passes the last switch
  state.grow();                         // histories that are full get room
  state.swap();                         // next becomes now
  exchange(state, halo);                // other ranks' curves and returns, as of now
}

}  // namespace tailrace
