// SPDX-License-Identifier: Apache-2.0
// Reading two datasets side by side, some rows at a time.
#include "solver/io/diff_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "solver/base/errors.hpp"

namespace tailrace {

using hdf5::checked;
using hdf5::Handle;

namespace {

constexpr hsize_t values_at_once = 1 << 20;

Handle type_of(hid_t dataset) { return Handle(H5Dget_type(dataset), H5Tclose, "H5Dget_type"); }

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

void note_first(ValueDifferences& found, std::int64_t place, const std::string& a,
                const std::string& b) {
  if (found.differing++ > 0) return;
  found.first = place;
  found.first_a = a;
  found.first_b = b;
}

void note_largest(ValueDifferences& found, std::int64_t place, double absolute, double relative) {
  if (found.largest_absolute_at < 0 || absolute > found.largest_absolute) {
    found.largest_absolute = absolute;
    found.largest_absolute_at = place;
  }
  if (found.largest_relative_at < 0 || relative > found.largest_relative) {
    found.largest_relative = relative;
    found.largest_relative_at = place;
  }
}

template <class Value>
void compare(ValueDifferences& found, std::int64_t place, Value a, Value b, double tolerance) {
  double absolute = 0, magnitude = 0;
  if constexpr (std::is_floating_point_v<Value>) {
    if (same(a, b)) return;
    // 0 and -0, and infinities of one sign, differ by nothing that a tolerance could measure.
    absolute = a == b ? 0 : std::abs(a - b);
    magnitude = std::max(std::abs(a), std::abs(b));
  } else {
    if (a == b) return;
    absolute = std::abs(static_cast<double>(a) - static_cast<double>(b));
    magnitude = std::max(std::abs(static_cast<double>(a)), std::abs(static_cast<double>(b)));
  }
  if (std::isnan(absolute)) absolute = std::numeric_limits<double>::infinity();
  const double relative = absolute == 0          ? 0
                          : std::isinf(absolute) ? absolute
                                                 : absolute / magnitude;
  note_largest(found, place, absolute, relative);
  const bool within =
      tolerance > 0 && !std::isinf(absolute) && absolute <= tolerance * std::max(1.0, magnitude);
  if (!within) note_first(found, place, fmt::format("{}", a), fmt::format("{}", b));
}

// One piece of a dataset: rows [first, first + count), or all of a scalar.
class Piece {
 public:
  Piece(hid_t dataset, const std::vector<hsize_t>& size, hsize_t first, hsize_t count)
      : dataset_(dataset), space_(H5Dget_space(dataset), H5Sclose, "H5Dget_space") {
    auto counts = size;
    std::vector<hsize_t> start(size.size(), 0);
    if (!size.empty()) {
      start[0] = first;
      counts[0] = count;
      checked(H5Sselect_hyperslab(space_.get(), H5S_SELECT_SET, start.data(), nullptr,
                                  counts.data(), nullptr),
              "H5Sselect_hyperslab");
    }
    values_ = std::accumulate(counts.begin(), counts.end(), hsize_t{1}, std::multiplies<>());
    memory_ = Handle(H5Screate_simple(1, &values_, nullptr), H5Sclose, "H5Screate_simple");
  }
  hsize_t values() const { return values_; }

  template <class Value>
  std::vector<Value> read(hid_t type) const {
    std::vector<Value> values(values_);
    read_into(type, values.data());
    return values;
  }
  std::vector<char> read_texts(hid_t type) const {
    std::vector<char> texts(values_ * H5Tget_size(type));
    read_into(type, texts.data());
    return texts;
  }

 private:
  void read_into(hid_t type, void* data) const {
    checked(H5Dread(dataset_, type, memory_.get(), space_.get(), H5P_DEFAULT, data), "H5Dread");
  }
  hid_t dataset_;
  Handle space_, memory_;
  hsize_t values_ = 1;
};

template <class Value>
void compare_numbers(ValueDifferences& found, const Piece& a, const Piece& b, hid_t type,
                     double tolerance) {
  const auto values_a = a.read<Value>(type);
  const auto values_b = b.read<Value>(type);
  for (std::size_t i = 0; i < values_a.size(); ++i) {
    compare(found, found.values + static_cast<std::int64_t>(i), values_a[i], values_b[i],
            tolerance);
  }
}

void compare_texts(ValueDifferences& found, const Piece& a, const Piece& b, std::size_t bytes) {
  const Handle type = hdf5::text_type(bytes);
  const auto texts_a = a.read_texts(type.get());
  const auto texts_b = b.read_texts(type.get());
  const auto text = [bytes](const std::vector<char>& texts, std::size_t i) {
    const char* first = texts.data() + i * bytes;
    return std::string(first, std::find(first, first + bytes, '\0'));
  };
  for (std::size_t i = 0; i < a.values(); ++i) {
    const std::string text_a = text(texts_a, i), text_b = text(texts_b, i);
    if (text_a == text_b) continue;
    note_first(found, found.values + static_cast<std::int64_t>(i), "'" + text_a + "'",
               "'" + text_b + "'");
  }
}

}  // namespace

std::vector<hsize_t> dataset_size(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "H5Dget_space");
  std::vector<hsize_t> size(static_cast<std::size_t>(
      checked(H5Sget_simple_extent_ndims(space.get()), "H5Sget_simple_extent_ndims")));
  if (!size.empty()) {
    checked(H5Sget_simple_extent_dims(space.get(), size.data(), nullptr),
            "H5Sget_simple_extent_dims");
  }
  return size;
}

std::string dataset_type(hid_t dataset) {
  const Handle type = type_of(dataset);
  const std::size_t bits = 8 * H5Tget_size(type.get());
  switch (H5Tget_class(type.get())) {
    case H5T_FLOAT:
      return fmt::format("float{}", bits);
    case H5T_INTEGER:
      return fmt::format("{}int{}", H5Tget_sign(type.get()) == H5T_SGN_NONE ? "u" : "", bits);
    case H5T_STRING:
      return H5Tis_variable_str(type.get()) > 0 ? "text of any length" : "text";
    default:
      return "of another kind";
  }
}

std::string place_text(const std::vector<hsize_t>& size, std::int64_t place) {
  std::vector<std::int64_t> index(size.size());
  for (std::size_t d = size.size(); d-- > 0;) {
    const auto length = static_cast<std::int64_t>(size[d]);
    index[d] = place % length;
    place /= length;
  }
  return size.empty() ? "" : fmt::format("[{}]", fmt::join(index, ", "));
}

ValueDifferences compare_values(hid_t a, hid_t b, double tolerance) {
  ValueDifferences found;
  const Handle type_a = type_of(a), type_b = type_of(b);
  const H5T_class_t kind = H5Tget_class(type_a.get());
  TAILRACE_REQUIRE(kind == H5T_FLOAT || kind == H5T_INTEGER || dataset_type(a) == "text",
                   "values of this type cannot be compared");
  const std::size_t text_bytes = std::max(H5Tget_size(type_a.get()), H5Tget_size(type_b.get()));
  const auto size = dataset_size(a);
  const hsize_t rows = size.empty() ? 1 : size[0];
  const hsize_t width =
      size.empty() ? 1
                   : std::accumulate(size.begin() + 1, size.end(), hsize_t{1}, std::multiplies<>());
  const hsize_t rows_at_once = std::max<hsize_t>(1, values_at_once / std::max<hsize_t>(1, width));
  for (hsize_t row = 0; row < rows && width > 0; row += rows_at_once) {
    const hsize_t count = std::min(rows_at_once, rows - row);
    const Piece piece_a(a, size, row, count), piece_b(b, size, row, count);
    if (kind == H5T_FLOAT) {
      compare_numbers<double>(found, piece_a, piece_b, H5T_NATIVE_DOUBLE, tolerance);
    } else if (kind == H5T_INTEGER) {
      compare_numbers<std::int64_t>(found, piece_a, piece_b, H5T_NATIVE_INT64, tolerance);
    } else {
      compare_texts(found, piece_a, piece_b, text_bytes);
    }
    found.values += static_cast<std::int64_t>(piece_a.values());
  }
  return found;
}

}  // namespace tailrace
