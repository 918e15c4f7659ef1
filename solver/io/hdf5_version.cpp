// SPDX-License-Identifier: Apache-2.0
// Which HDF5 this program runs with.
#include "solver/io/hdf5_version.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include "solver/base/errors.hpp"

namespace tailrace {

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  TAILRACE_REQUIRE(H5get_libversion(&major, &minor, &release) >= 0, "HDF5 tells no version");
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace tailrace
