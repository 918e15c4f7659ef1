// SPDX-License-Identifier: Apache-2.0
// Trees of DeckNode as YAML text. (yaml-cpp's emitter takes longer than all the rest of reading a
// deck.)
#include <algorithm>
#include <string>

#include "solver/base/yaml_read.hpp"

namespace tailrace {

namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Texts that YAML reads back as they are; all others are put into quotes.
bool is_plain(const std::string& text) {
  if (text.empty() || text.back() == ' ') return false;
  if (text == "null" || text == "Null" || text == "NULL") return false;
  const bool is_negative = text.front() == '-' && text.size() > 1 && is_letter_or_digit(text[1]);
  if (!is_negative && !is_letter_or_digit(text.front())) return false;
  return std::all_of(text.begin() + 1, text.end(), [](char c) {
    return is_letter_or_digit(c) || c == ' ' || c == '.' || c == '-' || c == '+' || c == '/' ||
           c == '>';
  });
}

void write_scalar(std::string& out, const std::string& text, bool in_quotes) {
  if (!in_quotes && is_plain(text)) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
      case '\\':
        out += '\\';
        out += c;
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += c;
    }
  }
  out += '"';
}

bool is_nested(const DeckNode& node) {
  return node.kind == DeckNode::Kind::mapping || node.kind == DeckNode::Kind::sequence;
}

// Collections without collections inside stand on one line.
bool fits_one_line(const DeckNode& node) {
  return std::none_of(node.items.begin(), node.items.end(), is_nested) &&
         std::none_of(node.members.begin(), node.members.end(),
                      [](const auto& member) { return is_nested(member.second); });
}

void write_on_line(std::string& out, const DeckNode& node) {
  const char* separator = "";
  switch (node.kind) {
    case DeckNode::Kind::null:
      out += '~';
      return;
    case DeckNode::Kind::scalar:
      write_scalar(out, node.scalar, node.quoted);
      return;
    case DeckNode::Kind::sequence:
      out += '[';
      for (const DeckNode& item : node.items) {
        out += separator;
        write_on_line(out, item);
        separator = ", ";
      }
      out += ']';
      return;
    case DeckNode::Kind::mapping:
      out += '{';
      for (const auto& [key, value] : node.members) {
        out += separator;
        write_scalar(out, key, false);
        out += ": ";
        write_on_line(out, value);
        separator = ", ";
      }
      out += '}';
      return;
  }
}

// The lines of a mapping or list, each begun with `indent` spaces.
void write_lines(std::string& out, const DeckNode& node, std::size_t indent) {
  for (const DeckNode& item : node.items) {
    out.append(indent, ' ') += "- ";
    write_on_line(out, item);
    out += '\n';
  }
  for (const auto& [key, value] : node.members) {
    out.append(indent, ' ');
    write_scalar(out, key, false);
    out += ':';
    if (fits_one_line(value)) {
      out += ' ';
      write_on_line(out, value);
      out += '\n';
    } else {
      out += '\n';
      write_lines(out, value, indent + 2);
    }
  }
}

}  // namespace

std::string write_yaml(const DeckNode& root) {
  std::string out;
  if (is_nested(root) && !fits_one_line(root)) {
    write_lines(out, root, 0);
  } else {
    write_on_line(out, root);
    out += '\n';
  }
  return out;
}

}  // namespace tailrace
