// SPDX-License-Identifier: Apache-2.0
// Reads deck files and puts included ones in their places.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "solver/base/deck_overlay.hpp"
#include "solver/base/yaml_read.hpp"

namespace tailrace {

namespace {

namespace fs = std::filesystem;

constexpr int most_included_files = 1000;

// Why a path cannot be a deck; empty when it can.
std::string refusal(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return "no such file";
  if (error) return "cannot be read: " + error.message();
  if (fs::is_directory(status)) return "is a folder; a deck is a file";
  if (!fs::is_regular_file(status)) return "is not a regular file";
  const auto bytes = fs::file_size(path, error);
  if (!error && bytes > most_deck_bytes) {
    return fmt::format("has {:.1f} MiB; a deck has at most {} MiB",
                       static_cast<double>(bytes) / 1048576.0, most_deck_bytes >> 20);
  }
  return "";
}

// The text of a file, or why there is none in `reason`.
std::optional<std::string> read_file(const std::string& path, std::string& reason) {
  reason = refusal(path);
  if (!reason.empty()) return std::nullopt;
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (stream) {
    std::string text(std::istreambuf_iterator<char>(stream), {});
    if (!stream.bad()) return text;
  }
  reason = std::string("cannot be read: ") + std::strerror(errno != 0 ? errno : EIO);
  return std::nullopt;
}

class Includer {
 public:
  explicit Includer(Faults& faults) : faults_(faults) {}

  // Marks that a file or text is being read, so that it cannot include itself.
  std::optional<DeckNode> read(const std::string& text, const std::string& file,
                               const std::string& path) {
    auto tree = read_yaml(text, file, faults_);
    if (!tree) return std::nullopt;
    open_files_.push_back(unique_name(file));
    resolve(*tree, fs::path(file).parent_path(), path);
    open_files_.pop_back();
    if (is_incomplete_) return std::nullopt;
    return tree;
  }

 private:
  static fs::path unique_name(const fs::path& file) {
    std::error_code error;
    const fs::path unique = fs::weakly_canonical(file, error);
    return error ? file : unique;
  }

  // Replaces each mapping's `include` by what the file holds, under the mapping's own keys.
  void resolve(DeckNode& node, const fs::path& folder, const std::string& path) {
    for (DeckNode& item : node.items) resolve(item, folder, path + "[]");
    for (auto& [key, value] : node.members) {
      if (key != "include") resolve(value, folder, path.empty() ? key : path + "." + key);
    }
    const auto at = std::find_if(node.members.begin(), node.members.end(),
                                 [](const auto& member) { return member.first == "include"; });
    if (at == node.members.end()) return;
    const DeckNode names = std::move(at->second);
    node.member_marks.erase(node.member_marks.begin() + (at - node.members.begin()));
    node.members.erase(at);
    auto content = included(names, folder, path);
    if (content) put_under(std::move(*content), node, names.mark, path);
  }

  void put_under(DeckNode content, DeckNode& node, const Mark& mark, const std::string& path) {
    if (content.kind == DeckNode::Kind::null) return;  // an empty file adds nothing
    if (content.kind != DeckNode::Kind::mapping && (!node.members.empty() || path.empty())) {
      faults_.add(mark, "include", "the file holds no mapping that could be merged here");
      return;
    }
    if (!node.members.empty()) overlay(content, node, path);
    node = std::move(content);
  }

  // The content of one file, or of several with the later ones on top.
  std::optional<DeckNode> included(const DeckNode& names, const fs::path& folder,
                                   const std::string& path) {
    if (names.kind == DeckNode::Kind::scalar) return included_file(names, folder, path);
    if (names.kind != DeckNode::Kind::sequence) {
      faults_.add(names.mark, "include", "allowed: the name of a file, or a list of names");
      return std::nullopt;
    }
    std::optional<DeckNode> result;
    for (const DeckNode& name : names.items) {
      if (name.kind != DeckNode::Kind::scalar) {
        faults_.add(name.mark, "include", "allowed: the name of a file");
        continue;
      }
      auto next = included_file(name, folder, path);
      if (!next) continue;
      if (result) {
        overlay(*result, *next, path);
      } else {
        result = std::move(next);
      }
    }
    return result;
  }

  std::optional<DeckNode> included_file(const DeckNode& name, const fs::path& folder,
                                        const std::string& path) {
    const std::string file = (folder / name.scalar).lexically_normal().string();
    const fs::path unique = unique_name(file);
    std::string reason;
    if (std::find(open_files_.begin(), open_files_.end(), unique) != open_files_.end()) {
      reason = "includes itself, directly or through others";
    } else if (files_ >= most_included_files) {
      reason = fmt::format("is one too many: a deck has at most {} includes", most_included_files);
    } else {
      ++files_;
      if (const auto text = read_file(file, reason)) {
        auto tree = read(*text, file, path);
        is_incomplete_ = is_incomplete_ || !tree;
        return tree;
      }
    }
    if (!is_full_) faults_.add(name.mark, "include", file + " " + reason);
    is_full_ = files_ >= most_included_files;
    is_incomplete_ = true;
    return std::nullopt;
  }

  Faults& faults_;
  std::vector<fs::path> open_files_;
  int files_ = 0;
  bool is_full_ = false;        // the limit of files was reported
  bool is_incomplete_ = false;  // a part is missing: what is left is not worth checking
};

}  // namespace

std::optional<DeckNode> read_deck_file(const std::string& path, Faults& faults) {
  std::string reason;
  const auto text = read_file(path, reason);
  if (text) return Includer(faults).read(*text, path, "");
  faults.add({path, 0, 0}, "", reason);
  return std::nullopt;
}

std::optional<DeckNode> read_deck_text(const std::string& text, const std::string& file_name,
                                       Faults& faults) {
  if (text.size() > most_deck_bytes) {
    faults.add({file_name, 0, 0}, "",
               fmt::format("a deck has at most {} MiB", most_deck_bytes >> 20));
    return std::nullopt;
  }
  return Includer(faults).read(text, file_name, "");
}

}  // namespace tailrace
