// SPDX-License-Identifier: Apache-2.0
// The values of two datasets of the same shape, compared in pieces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/io/hdf5.hpp"

namespace tailrace {

/// How the values of two datasets differ.
struct ValueDifferences {
  std::int64_t values = 0;     ///< compared
  std::int64_t differing = 0;  ///< beyond the tolerance
  std::int64_t first = -1;     ///< place of the first of those, in the order of the file
  std::string first_a, first_b;
  // over all values; infinite where one is NaN; places -1 when everything is the same
  double largest_absolute = 0, largest_relative = 0;  ///< relative: over the larger magnitude
  std::int64_t largest_absolute_at = -1, largest_relative_at = -1;
};

std::vector<hsize_t> dataset_size(hid_t dataset);  ///< empty: a scalar

/// "float64", "int32", "text": what two datasets must have in common.
std::string dataset_type(hid_t dataset);

/// Place in a dataset of `size` as text: "[3, 17]"; "" for a scalar.
std::string place_text(const std::vector<hsize_t>& size, std::int64_t place);

/// Compares datasets of the same size and type; `tolerance` as in diff.hpp. Throws TailraceError
/// when HDF5 cannot read.
ValueDifferences compare_values(hid_t a, hid_t b, double tolerance);

}  // namespace tailrace
