// SPDX-License-Identifier: Apache-2.0
// tailrace topo: prints what the fabric of a deck is.
#include "solver/app/commands.hpp"
#include "solver/app/exit_codes.hpp"
#include "solver/app/terminal.hpp"
#include "solver/base/deck_load.hpp"
#include "topology/fabric.hpp"

namespace tailrace {

int topo_command(const TopoArguments& arguments, const Communicator& communicator) {
  const Deck deck = load_deck(arguments.deck_path, arguments.sets);
  print_result(describe_fabric(build_fabric(deck)), communicator);
  return exit_done;
}

}  // namespace tailrace
