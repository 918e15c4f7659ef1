// SPDX-License-Identifier: Apache-2.0
// The parts of the parameter table and the short forms in which they are written.
#pragma once

#include <string>
#include <vector>

#include "solver/base/parameters.hpp"

namespace tailrace {

std::vector<Parameter> topology_rows();
std::vector<Parameter> fabric_rows();  ///< links, switches, classes, routing
std::vector<Parameter> endpoint_rows();
std::vector<Parameter> workload_rows();
std::vector<Parameter> run_rows();
std::vector<Parameter> output_rows();

inline Parameter text(const std::string& path, const std::string& help) {
  return {path, ValueType::text, help};
}
inline Parameter choice(const std::string& path, const std::vector<std::string>& choices,
                        const std::string& help) {
  return {path, ValueType::choice, help, choices};
}
inline Parameter integer(const std::string& path, const std::string& help) {
  return {path, ValueType::integer, help};
}
inline Parameter number(const std::string& path, const std::string& help) {
  return {path, ValueType::number, help};
}
/// Up to 1e15 ns (11 days), which steps of a nanosecond still count exactly.
inline Parameter time(const std::string& path, const std::string& help) {
  Parameter row{path, ValueType::time, help};
  return row.between(0, 1e15);
}
/// Up to 2^53 bytes, which a double still counts one by one.
inline Parameter size(const std::string& path, const std::string& help) {
  Parameter row{path, ValueType::size, help};
  return row.between(0, 0x1p53);
}
/// From 1 kbps to 1000 Tbps.
inline Parameter rate(const std::string& path, const std::string& help) {
  Parameter row{path, ValueType::rate, help};
  return row.between(0.125e-6, 125e3);
}
inline Parameter list(const std::string& path, const std::string& help) {
  return {path, ValueType::list, help};
}
/// A key that a later version will have.
inline Parameter planned(const std::string& path, const std::string& help) {
  return {path, ValueType::planned, help};
}

}  // namespace tailrace
