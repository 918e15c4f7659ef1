// SPDX-License-Identifier: Apache-2.0
// tailrace diff: prints where two runs differ.
#include "solver/app/commands.hpp"
#include "solver/app/exit_codes.hpp"
#include "solver/app/terminal.hpp"
#include "solver/base/errors.hpp"
#include "solver/base/numbers.hpp"
#include "solver/io/diff.hpp"

namespace tailrace {

namespace {

double read_tolerance(const std::string& text) {
  if (text.empty()) return 0;
  const auto tolerance = read_number(text);
  if (tolerance && *tolerance >= 0) return *tolerance;
  throw InputError("diff: --tolerance: " + tailrace::quoted(text) +
                   " is not a number of 0 or more");
}

}  // namespace

int diff_command(const DiffArguments& arguments, const Communicator& communicator) {
  // On every rank, so that all see the same fault; the files are only read.
  const DiffResult result =
      diff_runs(arguments.first_path, arguments.second_path, read_tolerance(arguments.tolerance));
  print_result(result.text, communicator);
  return result.equal ? exit_done : exit_different;
}

}  // namespace tailrace
