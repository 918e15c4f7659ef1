// SPDX-License-Identifier: Apache-2.0
// Second phase of a step: what has left each incoming lane's buffer, which credits and PFC act on.
#pragma once

#include "solver/state.hpp"

namespace tailrace {

/// returned[i] = sum over the queues of in-lane i of what has left them by n+1, in fixed order.
void sum_returns(const StateView& state);

}  // namespace tailrace
