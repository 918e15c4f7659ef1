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
inline Parameter time(const std::string& path, const std::string& help) {
  return {path, ValueType::time, help};
}
inline Parameter size(const std::string& path, const std::string& help) {
  return {path, ValueType::size, help};
}
inline Parameter rate(const std::string& path, const std::string& help) {
  return {path, ValueType::rate, help};
}
inline Parameter list(const std::string& path, const std::string& help) {
  return {path, ValueType::list, help};
}
/// A key that a later version will have.
inline Parameter planned(const std::string& path, const std::string& help) {
  return {path, ValueType::planned, help};
}

}  // namespace tailrace
