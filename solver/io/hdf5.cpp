// SPDX-License-Identifier: Apache-2.0
// Checked HDF5 calls, the reason of a failure, file access, attributes.
#include "solver/io/hdf5.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "solver/base/errors.hpp"

namespace tailrace::hdf5 {

namespace {

// Before main, hence before MPI starts: HDF5 prints nothing (failures are told by exceptions), and
// it does not close files by itself in MPI_Finalize and at exit, where it crashes on one that could
// not be closed because the disk is full.
const bool library_is_prepared = [] {
  H5dont_atexit();
  return H5open() >= 0 && H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
}();

struct Reason {
  std::string system;     // strerror's text, as the file driver passes it on
  std::string innermost;  // what the deepest HDF5 function complained about
};

herr_t look_for_reason(unsigned level, const H5E_error2_t* entry, void* data) {
  auto& reason = *static_cast<Reason*>(data);
  const std::string text = entry->desc != nullptr ? entry->desc : "";
  if (level == 0) reason.innermost = text;
  // HDF5: "file write failed: time = ..., errno = 28, error message = 'No space ...', buf = ..."
  static constexpr const char* key = "error message = '";
  const auto start = text.find(key);
  if (start != std::string::npos && reason.system.empty()) {
    const auto first = start + std::strlen(key);
    auto end = text.find("', ", first);
    if (end == std::string::npos) end = text.rfind('\'');
    if (end != std::string::npos && end > first) reason.system = text.substr(first, end - first);
  }
  return 0;
}

Handle variable_text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
  checked(H5Tset_size(type.get(), H5T_VARIABLE), "H5Tset_size");
  checked(H5Tset_cset(type.get(), H5T_CSET_UTF8), "H5Tset_cset");
  return type;
}

Handle create_attribute(hid_t owner, const std::string& name, hid_t type, hid_t space) {
  return Handle(H5Acreate2(owner, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                "H5Acreate2");
}

Handle scalar_space() { return Handle(H5Screate(H5S_SCALAR), H5Sclose, "H5Screate"); }

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::vector<std::string> read_texts(hid_t attribute, hid_t type, std::size_t count) {
  std::vector<std::string> texts;
  if (checked(H5Tis_variable_str(type), "H5Tis_variable_str") > 0) {
    std::vector<char*> pointers(count, nullptr);
    const Handle memory = variable_text_type();
    Handle space(H5Aget_space(attribute), H5Sclose, "H5Aget_space");
    checked(H5Tset_cset(memory.get(), H5Tget_cset(type)), "H5Tset_cset");
    checked(H5Aread(attribute, memory.get(), pointers.data()), "H5Aread");
    for (const char* text : pointers) texts.emplace_back(text != nullptr ? text : "");
    H5Dvlen_reclaim(memory.get(), space.get(), H5P_DEFAULT, pointers.data());
    return texts;
  }
  const std::size_t bytes = H5Tget_size(type);
  std::vector<char> buffer(bytes * count);
  checked(H5Aread(attribute, type, buffer.data()), "H5Aread");
  for (std::size_t i = 0; i < count; ++i) {
    const char* first = buffer.data() + i * bytes;
    texts.emplace_back(first, std::find(first, first + bytes, '\0'));
  }
  return texts;
}

}  // namespace

Handle::Handle(hid_t id, herr_t (*close)(hid_t), const char* call)
    : id_(checked(id, call)), close_(close) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = std::exchange(other.close_, nullptr);
  }
  return *this;
}

bool Handle::reset() noexcept {
  const hid_t id = std::exchange(id_, -1);
  return id < 0 || close_(id) >= 0;
}

int checked(int result, const char* call) {
  checked(static_cast<std::int64_t>(result), call);
  return result;
}

std::int64_t checked(std::int64_t result, const char* call) {
  if (result < 0) throw TailraceError(last_reason() + " (" + call + ")");
  return result;
}

std::string last_reason() {
  Reason reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look_for_reason, &reason);
  H5Eclear2(H5E_DEFAULT);
  if (!reason.system.empty()) return reason.system;
  return reason.innermost.empty() ? "HDF5 failed" : "HDF5: " + reason.innermost;
}

Handle file_access() {
  TAILRACE_REQUIRE(library_is_prepared, "HDF5 cannot start");
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
  checked(H5Pset_file_locking(access.get(), false, true), "H5Pset_file_locking");
#endif
  checked(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "H5Pset_fclose_degree");
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  checked(H5Pget_mdc_config(access.get(), &cache), "H5Pget_mdc_config");
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  checked(H5Pset_mdc_config(access.get(), &cache), "H5Pset_mdc_config");
  return access;
}

Handle open_for_reading(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    const bool absent = status.type() == std::filesystem::file_type::not_found;
    throw InputError(path + ": " + (absent ? std::string("no such file") : error.message()));
  }
  if (std::filesystem::is_directory(status)) {
    throw InputError(path + ": is a folder; give the .h5 file of a run");
  }
  if (access(path.c_str(), R_OK) != 0) throw InputError(path + ": " + std::strerror(errno));
  const Handle access_list = file_access();
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access_list.get());
  if (id >= 0) return Handle(id, H5Fclose, "H5Fopen");
  H5Eclear2(H5E_DEFAULT);
  const bool is_hdf5 = H5Fis_hdf5(path.c_str()) > 0;
  H5Eclear2(H5E_DEFAULT);
  throw InputError(path + (is_hdf5 ? ": is cut short or damaged: HDF5 cannot open it"
                                   : ": is not an HDF5 file; give the .h5 file of a run"));
}

void write_attribute(hid_t owner, const std::string& name, const std::string& text) {
  const Handle type = variable_text_type();
  const Handle space = scalar_space();
  const Handle attribute = create_attribute(owner, name, type.get(), space.get());
  const char* pointer = text.c_str();
  checked(H5Awrite(attribute.get(), type.get(), &pointer), "H5Awrite");
}

void write_attribute(hid_t owner, const std::string& name, const std::vector<std::string>& texts) {
  const Handle type = variable_text_type();
  const hsize_t count = texts.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "H5Screate_simple");
  const Handle attribute = create_attribute(owner, name, type.get(), space.get());
  std::vector<const char*> pointers;
  for (const auto& text : texts) pointers.push_back(text.c_str());
  if (count > 0) checked(H5Awrite(attribute.get(), type.get(), pointers.data()), "H5Awrite");
}

void write_attribute(hid_t owner, const std::string& name, std::int64_t value) {
  const Handle space = scalar_space();
  const Handle attribute = create_attribute(owner, name, H5T_STD_I64LE, space.get());
  checked(H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value), "H5Awrite");
}

void overwrite_attribute(hid_t owner, const std::string& name, std::int64_t value) {
  const Handle attribute(H5Aopen(owner, name.c_str(), H5P_DEFAULT), H5Aclose, "H5Aopen");
  checked(H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value), "H5Awrite");
}

std::string read_attribute_text(hid_t owner, const std::string& name) {
  if (checked(H5Aexists(owner, name.c_str()), "H5Aexists") == 0) return "";
  const Handle attribute(H5Aopen(owner, name.c_str(), H5P_DEFAULT), H5Aclose, "H5Aopen");
  const Handle type(H5Aget_type(attribute.get()), H5Tclose, "H5Aget_type");
  const Handle space(H5Aget_space(attribute.get()), H5Sclose, "H5Aget_space");
  const auto count = static_cast<std::size_t>(
      checked(static_cast<std::int64_t>(H5Sget_simple_extent_npoints(space.get())), "H5Sget"));
  if (count == 0) return "";
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind == H5T_STRING) return join(read_texts(attribute.get(), type.get(), count));
  std::vector<std::string> parts;
  if (kind == H5T_INTEGER) {
    std::vector<std::int64_t> values(count);
    checked(H5Aread(attribute.get(), H5T_NATIVE_INT64, values.data()), "H5Aread");
    for (const auto value : values) parts.push_back(std::to_string(value));
  } else {
    std::vector<double> values(count);
    checked(H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, values.data()), "H5Aread");
    for (const auto value : values) parts.push_back(std::to_string(value));
  }
  return join(parts);
}

std::vector<std::string> attribute_names(hid_t owner) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  checked(H5Aiterate2(owner, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect, &names),
          "H5Aiterate2");
  std::sort(names.begin(), names.end());
  return names;
}

Handle text_type(std::size_t bytes) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
  checked(H5Tset_size(type.get(), bytes), "H5Tset_size");
  checked(H5Tset_cset(type.get(), H5T_CSET_UTF8), "H5Tset_cset");
  checked(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "H5Tset_strpad");
  return type;
}

}  // namespace tailrace::hdf5
