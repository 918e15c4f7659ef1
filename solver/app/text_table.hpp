// SPDX-License-Identifier: Apache-2.0
// A table with aligned columns, no wider than a page.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tailrace {

/// Widest line of a summary, in characters.
inline constexpr std::size_t page_columns = 100;

/// Rows of cells. The first column is aligned to the left, the others as told; the columns named
/// as elastic (names, which can be long) are cut in their middle with "..." until a line fits.
class TextTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::string heading;
    Align align = Align::right;
    bool is_elastic = false;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// One cell per column.
  void add_row(std::vector<std::string> cells);
  /// Removes a column.
  void drop(const std::string& heading);
  /// Removes a column in which every cell is one of `blanks` ("-", "0"): it says nothing here.
  void drop_if_blank(const std::string& heading, const std::vector<std::string>& blanks);
  bool empty() const { return rows_.empty(); }
  /// Heading and rows, each line indented and ended with a newline; no trailing blanks.
  std::string text(std::size_t indent = 2) const;

 private:
  std::size_t column_of(const std::string& heading) const;
  std::vector<std::size_t> widths(std::size_t indent) const;
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// `text` in at most `columns` characters (of UTF-8), cut in its middle with "...".
std::string shortened(const std::string& text, std::size_t columns);

/// Number of characters of UTF-8 text.
std::size_t character_count(const std::string& text);

/// `text` on lines of at most `page_columns`, broken at blanks; `first` opens the first line and
/// as many blanks the others. A word longer than a line keeps a line of its own.
std::string wrapped(const std::string& first, const std::string& text);

/// "  Fabric      text", wrapped: one named fact of a list whose texts stand below each other.
std::string fact_text(const std::string& name, const std::string& text);

}  // namespace tailrace
