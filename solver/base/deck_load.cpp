// SPDX-License-Identifier: Apache-2.0
// From a file or text and the command line to a validated deck.
#include "solver/base/deck_load.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "solver/base/deck_overlay.hpp"
#include "solver/base/deck_validate.hpp"
#include "solver/base/faults.hpp"
#include "solver/base/yaml_read.hpp"

namespace tailrace {

namespace {

Deck finish(std::optional<DeckNode> tree, const std::vector<std::string>& sets, Faults& faults) {
  if (!tree) faults.throw_if_any();
  TAILRACE_REQUIRE(tree, "a deck that cannot be read has a fault");
  apply_sets(*tree, sets, faults);
  validate_deck(*tree, faults);
  faults.throw_if_any();
  auto root = std::make_shared<const DeckNode>(std::move(*tree));
  return Deck(root, write_yaml(*root));
}

}  // namespace

Deck load_deck(const std::string& path, const std::vector<std::string>& sets) {
  Faults faults;
  auto tree = read_deck_file(path, faults);
  return finish(std::move(tree), sets, faults);
}

Deck load_deck_text(const std::string& text, const std::string& file_name,
                    const std::vector<std::string>& sets) {
  Faults faults;
  auto tree = read_deck_text(text, file_name, faults);
  return finish(std::move(tree), sets, faults);
}

}  // namespace tailrace
