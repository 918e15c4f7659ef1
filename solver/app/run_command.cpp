// SPDX-License-Identifier: Apache-2.0
// tailrace run: simulates a deck, writes its output file, prints its summary.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "solver/app/commands.hpp"
#include "solver/app/estimate_text.hpp"
#include "solver/app/exit_codes.hpp"
#include "solver/app/progress.hpp"
#include "solver/app/summary_json.hpp"
#include "solver/app/summary_text.hpp"
#include "solver/app/terminal.hpp"
#include "solver/app/version_text.hpp"
#include "solver/base/deck_load.hpp"
#include "solver/base/errors.hpp"
#include "solver/simulation.hpp"

namespace tailrace {

namespace {

namespace fs = std::filesystem;

// Set by SIGTERM and SIGINT; the run then stops at its next check, with its file in order. A second
// signal ends the process at once.
volatile std::sig_atomic_t stop_signal = 0;

extern "C" void request_stop(int number) {
  stop_signal = number;
  std::signal(number, SIG_DFL);
}

// Where the run's file goes; "" for nowhere.
std::string output_path(const RunArguments& arguments, const Deck& deck) {
  if (arguments.output_path == "none") return "";
  if (!arguments.output_path.empty()) return arguments.output_path;
  if (deck.text("output.interval") == "none") return "";
  return fs::path(arguments.deck_path).stem().string() + ".h5";
}

// One file must not be written over another of the same run, nor over the deck.
void refuse_same_file(const std::string& path, const std::string& what, const std::string& other,
                      const std::string& other_what) {
  std::error_code ignored;
  if (path.empty() || other.empty()) return;
  const bool is_same = fs::weakly_canonical(path, ignored) == fs::weakly_canonical(other, ignored);
  if (is_same) throw InputError(fmt::format("{}: {} is {}", what, path, other_what));
}

void check_paths(const RunArguments& arguments, const std::string& output,
                 const Communicator& communicator) {
  const std::string json = arguments.json_path == "-" ? "" : arguments.json_path;
  refuse_same_file(output, "-o", arguments.deck_path, "the deck itself");
  refuse_same_file(json, "--json", arguments.deck_path, "the deck itself");
  refuse_same_file(json, "--json", output, "the output file as well");
  if (!output.empty()) require_writable(output, "-o", communicator);
  if (!json.empty()) require_writable(json, "--json", communicator);
}

RunSummary simulate(Simulation& simulation, const RunArguments& arguments,
                    const std::string& output, const Communicator& communicator) {
  SimulationOptions options;
  options.output_path = output;
  options.command = arguments.command;
  std::signal(SIGTERM, request_stop);
  std::signal(SIGINT, request_stop);
  options.stop_requested = [] { return stop_signal != 0; };
  ProgressReporter reporter(stderr, stderr_is_terminal());
  if (communicator.is_root() && !arguments.is_quiet) {
    options.on_progress = [&](const Progress& progress) {
      reporter.report(progress, std::time(nullptr));
    };
  }
  return simulation.run(options);
}

void print_summary(const RunSummary& summary, const RunArguments& arguments,
                   const std::string& output, const Communicator& communicator) {
  const bool is_json_on_stdout = arguments.json_path == "-";
  if (is_json_on_stdout) {
    print_result(summary_json(summary, arguments.command), communicator);
  } else if (!arguments.json_path.empty()) {
    write_file(arguments.json_path, summary_json(summary, arguments.command), communicator);
  }
  if (!is_json_on_stdout && !arguments.is_quiet) {
    print_result(summary_text(summary, {arguments.deck_path, output, program_version()}),
                 communicator);
  } else if (communicator.is_root()) {
    std::fputs(warnings_text(summary.warnings).c_str(), stderr);
  }
}

}  // namespace

int run_command(const RunArguments& arguments, const Communicator& communicator) {
  const Deck deck = load_deck(arguments.deck_path, arguments.sets);
  const std::string output = output_path(arguments, deck);
  if (!arguments.is_dry_run) check_paths(arguments, output, communicator);
  Simulation simulation(deck, communicator);
  if (arguments.is_dry_run) {
    print_result(
        estimate_text(simulation.estimate(), {arguments.deck_path, output, program_version()}),
        communicator);
    return exit_done;
  }
  const RunSummary summary = simulate(simulation, arguments, output, communicator);
  print_summary(summary, arguments, output, communicator);
  return summary.stopped ? exit_stopped : exit_done;
}

}  // namespace tailrace
