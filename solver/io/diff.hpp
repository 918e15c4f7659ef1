// SPDX-License-Identifier: Apache-2.0
// Whether two output files say the same, and where not: what `tailrace diff` prints.
#pragma once

#include <string>

namespace tailrace {

struct DiffResult {
  bool equal = true;
  std::string text;  ///< for people, several lines, the last one ended
};

/// Compares all datasets but those of /run and wall times, their shapes, types and attributes, and
/// the root attributes schema_version and classes. Other root attributes (deck, seed, version, a
/// run that did not finish) only add a note: a run is what came out, not how it was started.
///
/// `tolerance` 0: numbers must have the same bits. Above 0: |a - b| <= tolerance * max(1, |a|, |b|)
/// in the dataset's own units, for floating point and for integers with units; counts and ids
/// (units "1") stay exact. NaN equals NaN.
///
/// InputError: a file is missing, not HDF5, not of a run, damaged; a tolerance below 0 or NaN.
/// Not collective: call it on one rank.
DiffResult diff_runs(const std::string& path_a, const std::string& path_b, double tolerance);

}  // namespace tailrace
