// SPDX-License-Identifier: Apache-2.0
// Which HDF5 this program runs with.
#pragma once

#include <string>

namespace tailrace {

/// "1.10.8", of the library as loaded.
std::string hdf5_version();

}  // namespace tailrace
