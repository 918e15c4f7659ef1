// SPDX-License-Identifier: Apache-2.0
// The commands of the program, one function each; every one returns the exit code.
#pragma once

#include <string>
#include <vector>

#include "solver/comm/communicator.hpp"

namespace tailrace {

struct RunArguments {
  std::string deck_path;
  std::string output_path;  ///< "": <deck's name>.h5 in the current folder; "none": no file
  std::vector<std::string> sets;
  bool is_dry_run = false;
  std::string json_path;  ///< "": no JSON; "-": stdout, in place of the text
  bool is_quiet = false;
  std::string command;  ///< the whole command line, for the output file
};

struct TopoArguments {
  std::string deck_path;
  std::vector<std::string> sets;
};

struct DiffArguments {
  std::string first_path, second_path;
  std::string tolerance;  ///< as given; "": 0
};

struct ParamsArguments {
  std::string prefix;
  bool is_markdown = false;
};

/// Simulates a deck, writes its output file, prints its summary. All collective.
int run_command(const RunArguments& arguments, const Communicator& communicator);
/// Prints what the fabric of a deck is.
int topo_command(const TopoArguments& arguments, const Communicator& communicator);
/// Prints where two runs differ; exit_done when they do not, exit_different when they do.
int diff_command(const DiffArguments& arguments, const Communicator& communicator);
/// Prints keys of the parameter table.
int params_command(const ParamsArguments& arguments, const Communicator& communicator);
/// Prints versions of the program and of its libraries.
int version_command(const Communicator& communicator);

}  // namespace tailrace
