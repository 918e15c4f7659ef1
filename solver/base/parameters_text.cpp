// SPDX-License-Identifier: Apache-2.0
// The parameter table for people: `tailrace params` and inputs/PARAMETERS.md.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "solver/base/errors.hpp"
#include "solver/base/numbers.hpp"
#include "solver/base/parameters.hpp"

namespace tailrace {

namespace {

std::string condition_text(const Parameter& row) {
  std::string result;
  for (const Condition& condition : row.conditions) {
    if (!result.empty()) result += ", ";
    result += condition.key + ": " + join_or(condition.values);
  }
  return result;
}

// Whether a key must be there, and else what stands for it ("" when nothing does).
std::string default_text(const Parameter& row) {
  return row.is_required ? "required" : row.default_text;
}

// "fabric" and "fabric.sw" begin "fabric.switch.buffer" as "fabric.switch" does.
bool begins(const std::string& path, const std::string& prefix) {
  return path.compare(0, prefix.size(), prefix) == 0;
}

std::vector<std::string> all_paths() {
  std::vector<std::string> paths;
  for (const Parameter& row : parameter_table()) paths.push_back(row.path);
  return paths;
}

std::string row_text(const Parameter& row) {
  std::string result = row.path + "\n    ";
  if (row.type == ValueType::planned) {
    return result + "not available in this version: " + row.help + "\n";
  }
  result += allowed_values(row);
  if (row.is_required) result += "; required";
  if (!row.default_text.empty()) result += "; default: " + row.default_text;
  if (!row.conditions.empty()) result += "; with " + condition_text(row);
  result += "\n    " + row.help + "\n";
  if (!row.later.empty())
    result += "    Not available in this version: " + join_or(row.later) + ".\n";
  return result;
}

// A cell of a table; '|' would end it.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

std::string row_markdown(const Parameter& row) {
  return "| `" + row.path + "` | " + cell(allowed_values(row)) + " | " + cell(default_text(row)) +
         " | " + cell(condition_text(row)) + " | " + cell(row.help) + " |\n";
}

std::string section_markdown(const std::string& name, const std::string& title) {
  std::string result = "\n## `" + name + "`: " + title +
                       "\n\n| key | allowed | default | only with | meaning |\n"
                       "| --- | --- | --- | --- | --- |\n";
  for (const Parameter& row : parameter_table()) {
    if (begins(row.path, name + ".") && row.type != ValueType::planned) result += row_markdown(row);
  }
  return result;
}

std::string later_markdown() {
  std::string result =
      "\n## Known, but not available in this version\n\n"
      "These keys and choices are refused, with this reason.\n\n";
  std::vector<std::string> shown;
  for (const Parameter& row : parameter_table()) {
    if (std::find(shown.begin(), shown.end(), row.path) != shown.end()) continue;
    if (row.type == ValueType::planned) {
      result += "* `" + row.path + "`: " + row.help + "\n";
    } else if (!row.later.empty()) {
      result += "* `" + row.path + "`: the choices " + join_or(row.later) + "\n";
    } else {
      continue;
    }
    shown.push_back(row.path);
  }
  return result;
}

constexpr std::string_view markdown_head = R"(# Parameters of a deck

Printed by `tailrace params --markdown` from the parameter table (solver/base/rows_*.cpp); a unit test checks that
this page is current. `tailrace params [PREFIX]` prints a part of it for the terminal.

* Every quantity carries its unit as text: times `ns us ms s`; sizes `B kB MB GB TB` (decimal; `KB` too) and
  `KiB MiB GiB TiB` (binary), in whole bytes; rates `bps kbps Mbps Gbps Tbps` (bits per second).
* `[]` is an element of a list, `*` a name of your own.
* "only with": the key is an error with another choice of that selector. A deck that includes another (or is overlaid
  by `--set`) and changes a selector drops the keys that the new choice does not have.
* `include: other.yaml` in any mapping puts that file's content there, under the mapping's own keys; a list of files is
  merged in its order. Paths are relative to the deck that names them.
* Each seed has its own default of 1; `run.seed` does not set the others.
)";

}  // namespace

std::string parameters_text(const std::string& prefix) {
  std::string result;
  for (const Parameter& row : parameter_table()) {
    if (begins(row.path, prefix)) result += row_text(row);
  }
  if (result.empty()) {
    const std::string near = nearest_name(prefix, all_paths());
    throw InputError(
        "no parameter begins with " + quoted(prefix) +
        (near.empty() ? "; tailrace params lists all" : "; did you mean " + near + "?"));
  }
  return result;
}

std::string parameters_markdown() {
  return std::string(markdown_head) +
         section_markdown("fabric", "topology, links, switches, classes, routing") +
         section_markdown("endpoint", "the endpoints' network cards") +
         section_markdown("workload", "what is sent") +
         section_markdown("run", "time and randomness") +
         section_markdown("output", "what is kept") + later_markdown();
}

}  // namespace tailrace
