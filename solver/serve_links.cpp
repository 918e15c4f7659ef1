// SPDX-License-Identifier: Apache-2.0
// Launches the work of all links of this rank for one step.
#include "solver/serve_links.hpp"

#include "solver/launch.hpp"
#include "solver/link_server.hpp"

namespace tailrace {

void serve_links(const StateView& state, std::int64_t step) {
  for_each_item("tailrace::serve_links::serve_links", state.link_count,
                LinkServer{state, static_cast<std::int32_t>(step)});
}

}  // namespace tailrace
