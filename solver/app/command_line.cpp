// SPDX-License-Identifier: Apache-2.0
// The command line: its commands, their options and help, and which function each runs.
#include "solver/app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>

#include "solver/app/commands.hpp"
#include "solver/app/exit_codes.hpp"
#include "solver/app/terminal.hpp"
#include "solver/base/errors.hpp"
#include "solver/base/numbers.hpp"
#include "solver/base/parameters.hpp"

namespace tailrace {

namespace {

// All that a command line can say. Whether something is missing is checked here and not by CLI11,
// so that the message can show the way out, and help is an option like the others.
struct Arguments {
  bool wants_help = false;
  bool wants_version = false;
  RunArguments run;
  TopoArguments topo;
  DiffArguments diff;
  ParamsArguments params;
};

CLI::App* add_command(CLI::App& app, Arguments& arguments, const std::string& name,
                      const std::string& what, const std::string& examples) {
  CLI::App* command = app.add_subcommand(name, what);
  command->set_help_flag();
  command->add_flag("-h,--help", arguments.wants_help, "Print this help and stop");
  command->allow_extras();
  command->footer(examples);
  return command;
}

void add_sets(CLI::App& command, std::vector<std::string>& sets) {
  command
      .add_option("--set", sets,
                  "Override one key of the deck with any YAML value; may be\ngiven many times")
      ->type_name("KEY=VALUE")
      ->type_size(1)
      ->allow_extra_args(false);
}

void add_run(CLI::App& app, Arguments& arguments) {
  CLI::App* command = add_command(
      app, arguments, "run", "Simulate a deck, write its output file, print its summary",
      "Examples:\n"
      "  mpirun -n 2 tailrace run allreduce.yaml -o results/allreduce.h5\n"
      "  tailrace run allreduce.yaml --set workload.bytes='64 MiB' --set run.seed=7\n"
      "  tailrace run allreduce.yaml --dry-run      what it would take\n"
      "\nExit code: 0 done, 1 the run failed, 2 the input is wrong, 3 stopped by a signal.");
  RunArguments& run = arguments.run;
  command->add_option("DECK", run.deck_path, "The deck, a YAML file")->type_name("");
  command
      ->add_option("-o,--output", run.output_path,
                   "Output file; none: write none. Without it: the deck's name\n"
                   "with .h5, in the current folder (none if output.interval is none)")
      ->type_name("OUT.h5");
  add_sets(*command, run.sets);
  command->add_flag("--dry-run", run.is_dry_run,
                    "Say what would run (counts, step, memory, size of the output),\nand stop");
  command
      ->add_option("--json", run.json_path,
                   "Write the summary for machines as well; -: to standard output,\n"
                   "in place of the text")
      ->type_name("SUMMARY.json");
  command->add_flag("-q,--quiet", run.is_quiet,
                    "Print neither progress nor summary; warnings go to standard\nerror");
}

void add_topo(CLI::App& app, Arguments& arguments) {
  CLI::App* command = add_command(
      app, arguments, "topo", "Say what the fabric of a deck is: tiers, counts, oversubscription",
      "Example:\n"
      "  tailrace topo allreduce.yaml --set fabric.topology.radix=64");
  command->add_option("DECK", arguments.topo.deck_path, "The deck, a YAML file")->type_name("");
  add_sets(*command, arguments.topo.sets);
}

void add_diff(CLI::App& app, Arguments& arguments) {
  CLI::App* command = add_command(app, arguments, "diff", "Do two runs say the same, and where not",
                                  "Example:\n"
                                  "  tailrace diff a.h5 b.h5 --tolerance 1e-9\n"
                                  "\nExit code: 0 the same, 1 different, 2 trouble.");
  DiffArguments& diff = arguments.diff;
  command->add_option("A", diff.first_path, "Output file of a run")->type_name("");
  command->add_option("B", diff.second_path, "Output file of another run")->type_name("");
  command
      ->add_option(
          "--tolerance", diff.tolerance,
          "Differences up to X * max(1, |a|, |b|) count as the same\n(default 0: bit for bit)")
      ->type_name("X");
}

void add_params(CLI::App& app, Arguments& arguments) {
  CLI::App* command = add_command(app, arguments, "params",
                                  "List the keys of a deck with unit, default, range and meaning",
                                  "Examples:\n"
                                  "  tailrace params fabric.switch\n"
                                  "  tailrace params --markdown > PARAMETERS.md");
  command->add_option("PREFIX", arguments.params.prefix, "Only keys that begin so")->type_name("");
  command->add_flag("--markdown", arguments.params.is_markdown, "The whole list as Markdown");
}

std::string help_of(CLI::App& command) {
  // Only here, for the text: whether they are given is checked in require_given.
  for (CLI::Option* option : command.get_options()) {
    if (option->get_positional() && option->get_name() != "PREFIX") option->required();
  }
  return command.help("tailrace");
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(name, names);
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

[[noreturn]] void throw_no_command(const CLI::App& app) {
  const std::vector<std::string> names = command_names(app);
  for (const std::string& word : app.remaining()) {
    if (word.starts_with("-")) {
      throw InputError(fmt::format("unknown option {}{} (see tailrace --help)",
                                   tailrace::quoted(word), suggestion(word, option_names(app))));
    }
    throw InputError(fmt::format("unknown command {}{} Commands: {} (see tailrace --help)",
                                 tailrace::quoted(word), suggestion(word, names) + ";",
                                 join_or(names)));
  }
  throw InputError(
      fmt::format("no command given; give one of {} (see tailrace --help)", join_or(names)));
}

// What CLI11 could not place.
void refuse_extras(const CLI::App& command) {
  std::string faults;
  for (const std::string& word : command.remaining()) {
    const bool is_option = word.size() > 1 && word.starts_with("-");
    if (!faults.empty()) faults += "\n";
    faults += fmt::format(
        "{}: {} {}{} (see tailrace {} --help)", command.get_name(),
        is_option ? "unknown option" : "one argument too many:", tailrace::quoted(word),
        is_option ? suggestion(word, option_names(command)) : std::string(), command.get_name());
  }
  if (!faults.empty()) throw InputError(faults);
}

void require_given(const CLI::App& command, const std::string& name, const std::string& value) {
  if (!value.empty()) return;
  throw InputError(
      fmt::format("{0}: {1} is missing (see tailrace {0} --help)", command.get_name(), name));
}

// The command line as a shell would take it again.
std::string quoted_command(int argc, char** argv) {
  const std::string plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  std::string text;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    if (i > 0) text += " ";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      text += word;
      continue;
    }
    text += "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += "'";
  }
  return text;
}

int run_parsed(const CLI::App& command, const Arguments& arguments,
               const Communicator& communicator) {
  const std::string name = command.get_name();
  refuse_extras(command);
  if (name == "run") {
    require_given(command, "the deck", arguments.run.deck_path);
    return run_command(arguments.run, communicator);
  }
  if (name == "topo") {
    require_given(command, "the deck", arguments.topo.deck_path);
    return topo_command(arguments.topo, communicator);
  }
  if (name == "diff") {
    require_given(command, "the first file", arguments.diff.first_path);
    require_given(command, "the second file", arguments.diff.second_path);
    return diff_command(arguments.diff, communicator);
  }
  return params_command(arguments.params, communicator);
}

}  // namespace

int run_command_line(int argc, char** argv, const Communicator& communicator) {
  Arguments arguments;
  arguments.run.command = quoted_command(argc, argv);
  CLI::App app(
      "Tailrace simulates the network of a GPU cluster as a fluid: what a collective costs "
      "on a\ngiven fabric, and where and when its queues fill.",
      "tailrace");
  app.set_help_flag();
  app.add_flag("-h,--help", arguments.wants_help, "Print this help and stop");
  app.add_flag("--version", arguments.wants_version,
               "Print the versions of the program and of its libraries, and stop");
  app.allow_extras();
  app.footer(
      "Examples:\n"
      "  mpirun -n 2 tailrace run allreduce.yaml    simulate a deck on two ranks\n"
      "  tailrace topo allreduce.yaml               what its fabric is\n"
      "  tailrace params fabric                     which keys a deck can have\n"
      "  tailrace COMMAND --help                    options of a command");
  add_run(app, arguments);
  add_topo(app, arguments);
  add_diff(app, arguments);
  add_params(app, arguments);
  app.parse(argc, argv);

  const std::vector<CLI::App*> given = app.get_subcommands();
  if (arguments.wants_help) {
    print_result(given.empty() ? app.help() : help_of(*given.front()), communicator);
    return exit_done;
  }
  if (arguments.wants_version) return version_command(communicator);
  if (given.empty()) throw_no_command(app);
  return run_parsed(*given.front(), arguments, communicator);
}

}  // namespace tailrace
