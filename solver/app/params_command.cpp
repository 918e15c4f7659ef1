// SPDX-License-Identifier: Apache-2.0
// tailrace params: prints keys of the parameter table; tailrace --version: prints versions.
#include "solver/app/commands.hpp"
#include "solver/app/exit_codes.hpp"
#include "solver/app/terminal.hpp"
#include "solver/app/version_text.hpp"
#include "solver/base/errors.hpp"
#include "solver/base/parameters.hpp"

namespace tailrace {

int params_command(const ParamsArguments& arguments, const Communicator& communicator) {
  if (arguments.is_markdown && !arguments.prefix.empty()) {
    throw InputError("params: --markdown prints the whole list; leave the prefix out");
  }
  print_result(arguments.is_markdown ? parameters_markdown() : parameters_text(arguments.prefix),
               communicator);
  return exit_done;
}

int version_command(const Communicator& communicator) {
  print_result(version_text(), communicator);
  return exit_done;
}

}  // namespace tailrace
