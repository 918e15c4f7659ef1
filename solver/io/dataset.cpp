// SPDX-License-Identifier: Apache-2.0
// Making and filling datasets on the rank that holds the file.
#include "solver/io/dataset.hpp"

#include <algorithm>

#include "solver/base/errors.hpp"

namespace tailrace {

using hdf5::checked;
using hdf5::Handle;

namespace {

Handle creation_properties(const DatasetShape& shape, int compression) {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate");
  // Files of the same run are the same bytes, whenever they were made.
  checked(H5Pset_obj_track_times(properties.get(), false), "H5Pset_obj_track_times");
  if (shape.chunk.empty()) return properties;
  checked(H5Pset_chunk(properties.get(), static_cast<int>(shape.chunk.size()), shape.chunk.data()),
          "H5Pset_chunk");
  checked(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER), "H5Pset_fill_time");
  if (compression == 0) return properties;
  checked(H5Pset_shuffle(properties.get()), "H5Pset_shuffle");
  checked(H5Pset_deflate(properties.get(), static_cast<unsigned>(compression)), "H5Pset_deflate");
  return properties;
}

Handle make_space(const DatasetShape& shape) {
  if (shape.chunk.empty()) return Handle(H5Screate(H5S_SCALAR), H5Sclose, "H5Screate");
  return Handle(H5Screate_simple(static_cast<int>(shape.size.size()), shape.size.data(),
                                 shape.size_max.empty() ? nullptr : shape.size_max.data()),
                H5Sclose, "H5Screate_simple");
}

}  // namespace

ValueType ValueType::of(Kind kind) {
  switch (kind) {
    case Kind::float64:
    case Kind::int64:
      return {kind, 8};
    case Kind::float32:
    case Kind::int32:
      return {kind, 4};
    case Kind::uint8:
      return {kind, 1};
    case Kind::text:
      break;
  }
  throw TailraceError("a text has no size of its own");
}

Handle ValueType::handle() const {
  const auto copy = [](hid_t type) { return Handle(H5Tcopy(type), H5Tclose, "H5Tcopy"); };
  switch (kind) {
    case Kind::float64:
      return copy(H5T_NATIVE_DOUBLE);
    case Kind::float32:
      return copy(H5T_NATIVE_FLOAT);
    case Kind::int64:
      return copy(H5T_NATIVE_INT64);
    case Kind::int32:
      return copy(H5T_NATIVE_INT32);
    case Kind::uint8:
      return copy(H5T_NATIVE_UINT8);
    case Kind::text:
      break;
  }
  return hdf5::text_type(bytes);
}

std::int64_t chunk_length(std::int64_t length) {
  const std::int64_t chunks = (length + chunk_rows_max - 1) / chunk_rows_max;
  return chunks == 0 ? 1 : (length + chunks - 1) / chunks;
}

Handle create_dataset(hid_t file, const std::string& path, const ValueType& type,
                      const DatasetShape& shape, int compression, const FieldInfo& info,
                      const NameList& names) {
  const Handle file_type = type.handle();
  const Handle space = make_space(shape);
  const Handle creation = creation_properties(shape, compression);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "H5Pcreate");
  checked(H5Pset_create_intermediate_group(links.get(), 1), "H5Pset_create_intermediate_group");
  // Chunks are written whole or in place, never collected: a cache would only write rows again.
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "H5Pcreate");
  checked(H5Pset_chunk_cache(access.get(), 1, 0, 1.0), "H5Pset_chunk_cache");
  Handle dataset(H5Dcreate2(file, path.c_str(), file_type.get(), space.get(), links.get(),
                            creation.get(), access.get()),
                 H5Dclose, "H5Dcreate2");
  hdf5::write_attribute(dataset.get(), "units", info.units);
  hdf5::write_attribute(dataset.get(), "description", info.description);
  if (!names.attribute.empty()) {
    hdf5::write_attribute(dataset.get(), names.attribute, names.names);
  }
  return dataset;
}

void write_chunk(const Handle& dataset, const std::vector<hsize_t>& offset,
                 const StoredChunk& chunk) {
  checked(H5Dwrite_chunk(dataset.get(), H5P_DEFAULT, chunk.skipped_filters, offset.data(),
                         chunk.bytes.size(), chunk.bytes.data()),
          "H5Dwrite_chunk");
}

void set_rows(const Handle& dataset, hsize_t rows) {
  const Handle space(H5Dget_space(dataset.get()), H5Sclose, "H5Dget_space");
  hsize_t size[H5S_MAX_RANK];
  checked(H5Sget_simple_extent_dims(space.get(), size, nullptr), "H5Sget_simple_extent_dims");
  size[0] = rows;
  checked(H5Dset_extent(dataset.get(), size), "H5Dset_extent");
}

void write_row(const Handle& dataset, hsize_t row, const std::vector<double>& values) {
  const Handle space(H5Dget_space(dataset.get()), H5Sclose, "H5Dget_space");
  const int dimensions = checked(H5Sget_simple_extent_ndims(space.get()), "H5Sget");
  const hsize_t width = values.size();
  TAILRACE_REQUIRE(dimensions == 2 || width == 1, "a row of a plain series is one value");
  const hsize_t start[2] = {row, 0};
  const hsize_t count[2] = {1, width};
  checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start, nullptr, count, nullptr),
          "H5Sselect_hyperslab");
  const Handle memory(H5Screate_simple(1, &width, nullptr), H5Sclose, "H5Screate_simple");
  checked(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT,
                   values.data()),
          "H5Dwrite");
}

}  // namespace tailrace
