// SPDX-License-Identifier: Apache-2.0
// A table with aligned columns, no wider than a page.
#include "solver/app/text_table.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "solver/base/errors.hpp"

namespace tailrace {

namespace {

constexpr std::size_t gap = 2;            // blanks between columns
constexpr std::size_t least_elastic = 8;  // a name is never cut below this

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Byte offset of character `index`, or the end.
std::size_t byte_of(const std::string& text, std::size_t index) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (is_continuation(text[at])) continue;
    if (index-- == 0) break;
  }
  return at;
}

void append_cell(std::string& line, const std::string& cell, std::size_t width,
                 TextTable::Align align) {
  const std::string padding(width - std::min(width, character_count(cell)), ' ');
  line += align == TextTable::Align::left ? cell + padding : padding + cell;
}

}  // namespace

std::size_t character_count(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string shortened(const std::string& text, std::size_t columns) {
  const std::size_t length = character_count(text);
  if (length <= columns) return text;
  if (columns <= 3) return text.substr(0, byte_of(text, columns));
  const std::size_t head = (columns - 3 + 1) / 2;
  const std::size_t tail = columns - 3 - head;
  return text.substr(0, byte_of(text, head)) + "..." + text.substr(byte_of(text, length - tail));
}

std::string wrapped(const std::string& first, const std::string& text) {
  std::string result, line = first;
  bool is_blank = true;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t length = character_count(line) + (is_blank ? 0 : 1) + character_count(word);
    if (!is_blank && length > page_columns) {
      result += line + "\n";
      line = std::string(character_count(first), ' ');
      is_blank = true;
    }
    line += (is_blank ? "" : " ") + word;
    is_blank = false;
  }
  return result + line + "\n";
}

std::string fact_text(const std::string& name, const std::string& text) {
  constexpr std::size_t name_columns = 11;
  const std::size_t length = std::min(name_columns, character_count(name));
  return wrapped("  " + name + std::string(name_columns - length + 1, ' '), text);
}

void TextTable::add_row(std::vector<std::string> cells) {
  TAILRACE_REQUIRE(cells.size() == columns_.size(), "a row needs one cell per column");
  rows_.push_back(std::move(cells));
}

std::size_t TextTable::column_of(const std::string& heading) const {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const Column& column) { return column.heading == heading; });
  TAILRACE_REQUIRE(found != columns_.end(), "no column " + heading);
  return static_cast<std::size_t>(found - columns_.begin());
}

void TextTable::drop(const std::string& heading) {
  const auto at = static_cast<std::ptrdiff_t>(column_of(heading));
  columns_.erase(columns_.begin() + at);
  for (auto& row : rows_) row.erase(row.begin() + at);
}

void TextTable::drop_if_blank(const std::string& heading, const std::vector<std::string>& blanks) {
  const std::size_t at = column_of(heading);
  const bool is_blank = std::all_of(rows_.begin(), rows_.end(), [&](const auto& row) {
    return std::find(blanks.begin(), blanks.end(), row[at]) != blanks.end();
  });
  if (is_blank) drop(heading);
}

std::vector<std::size_t> TextTable::widths(std::size_t indent) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = character_count(columns_[i].heading);
    for (const auto& row : rows_) width = std::max(width, character_count(row[i]));
    widths.push_back(width);
  }
  std::size_t total =
      std::accumulate(widths.begin(), widths.end(), indent + gap * (columns_.size() - 1));
  // The widest elastic column gives way first.
  while (total > page_columns) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].is_elastic && (!widest || widths[i] > *widest)) widest = &widths[i];
    }
    if (!widest || *widest <= least_elastic) break;
    --*widest;
    --total;
  }
  return widths;
}

std::string TextTable::text(std::size_t indent) const {
  const std::vector<std::size_t> width = widths(indent);
  std::string result;
  const auto append_line = [&](const auto& cell_of) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) line += std::string(gap, ' ');
      append_cell(line, shortened(cell_of(i), width[i]), width[i], columns_[i].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  };
  append_line([&](std::size_t i) { return columns_[i].heading; });
  for (const auto& row : rows_) append_line([&](std::size_t i) { return row[i]; });
  return result;
}

}  // namespace tailrace
