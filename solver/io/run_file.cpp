// SPDX-License-Identifier: Apache-2.0
// The parts of an output file in the order in which a run writes them.
#include "solver/io/run_file.hpp"

#include <numeric>
#include <optional>

#include "solver/base/errors.hpp"
#include "solver/comm/attempt.hpp"
#include "solver/io/output_file.hpp"
#include "solver/io/ragged_writer.hpp"
#include "solver/io/series_writer.hpp"
#include "solver/io/table_writer.hpp"
#include "solver/io/topology_tables.hpp"
#include "tailrace_version.hpp"

namespace tailrace {

struct RunFile::Implementation {
  Options options;
  Communicator communicator;
  std::optional<OutputFile> file;  // on rank 0, until it is closed
  std::optional<SeriesWriter> series;
  std::int64_t bytes_on_disk = 0;
  bool abandoned = false;

  Implementation(const Options& options_given, const Communicator& communicator_given)
      : options(options_given), communicator(communicator_given) {}

  OutputFile* root_file() { return file ? &*file : nullptr; }

  // Failures of the machine name the file (those of the user do so already) and are its end.
  template <class Function>
  void named(Function&& function) {
    const std::string name = "output file '" + options.path + "': ";
    TAILRACE_REQUIRE(!abandoned, name + "given up after an earlier failure");
    try {
      function();
    } catch (const TailraceError& error) {
      abandoned = true;
      if (file) file->abandon();
      throw TailraceError(name + error.what());
    }
  }

  void write_rows(const std::string& group, std::int64_t rows,
                  std::span<const std::int64_t> indices, const std::vector<Column>& columns) {
    write_stored_table(root_file(), communicator, options.compression, group, rows, indices,
                       store_columns(communicator, indices.size(), columns));
  }

  // A table that rank 0 alone has.
  void write_root_rows(const std::string& group, const std::vector<Column>& columns,
                       std::int64_t rows) {
    std::vector<std::int64_t> indices(communicator.is_root() ? static_cast<std::size_t>(rows) : 0);
    std::iota(indices.begin(), indices.end(), 0);
    auto mine = columns;
    if (!communicator.is_root()) {
      for (auto& column : mine) {
        column.float64.clear();
        column.int64.clear();
        column.text.clear();
      }
    }
    write_rows(group, rows, indices, mine);
  }

  void write_header(const RunHeader& header) {
    const hid_t root = file->id();
    hdf5::write_attribute(root, "schema_version", schema_version);
    hdf5::write_attribute(root, "complete", 0);
    hdf5::write_attribute(root, "tailrace_version", std::string(project_version));
    hdf5::write_attribute(root, "git_hash", std::string(git_hash));
    hdf5::write_attribute(root, "deck", header.deck);
    hdf5::write_attribute(root, "command", header.command);
    hdf5::write_attribute(root, "seed", header.seed);
    hdf5::write_attribute(root, "ranks", std::int64_t{header.ranks});
    hdf5::write_attribute(root, "threads", std::int64_t{header.threads});
    hdf5::write_attribute(root, "backend", header.backend);
    hdf5::write_attribute(root, "classes", header.classes);
  }
};

RunFile::RunFile(const Options& options, const Communicator& communicator, const RunHeader& header,
                 const Graph& graph)
    : implementation_(std::make_unique<Implementation>(options, communicator)) {
  auto& self = *implementation_;
  self.named([&] {
    agree(communicator, [&] {
      if (!communicator.is_root()) return;
      self.file.emplace(options.path);
      self.write_header(header);
    });
    self.write_root_rows("topology/nodes", node_table(graph), graph.node_count());
    self.write_root_rows("topology/links", link_table(graph), graph.link_count());
    agree(communicator, [&] {
      if (self.file) self.file->publish();
    });
  });
}

RunFile::~RunFile() = default;

void RunFile::define_series(const SeriesLayout& layout, const std::vector<FieldInfo>& lane_fields,
                            const std::vector<FieldInfo>& tier_fields,
                            const std::vector<FieldInfo>& fabric_fields) {
  auto& self = *implementation_;
  self.named([&] {
    self.series.emplace(self.root_file(), self.communicator, self.options.compression, layout,
                        SeriesWriter::Fields{lane_fields, tier_fields, fabric_fields});
    Column id;
    id.info = {"id", "1", "flow in this column of rate_gbps"};
    id.type = Column::Type::int64;
    id.int64 = layout.flow_ids;
    self.write_root_rows("series/flows", {id}, static_cast<std::int64_t>(layout.flow_ids.size()));
    agree(self.communicator, [&] {
      if (self.file) self.file->flush();
    });
  });
}

void RunFile::append(const Sample& sample) {
  auto& self = *implementation_;
  TAILRACE_REQUIRE(self.series.has_value(), "define_series() comes before append()");
  self.named([&] { self.series->append(sample); });
}

void RunFile::write_table(const std::string& group, std::int64_t rows,
                          std::span<const std::int64_t> indices,
                          const std::vector<Column>& columns) {
  implementation_->named([&] { implementation_->write_rows(group, rows, indices, columns); });
}

void RunFile::write_ragged(const std::string& group, const FieldInfo& info, std::int64_t rows,
                           std::span<const std::int64_t> indices,
                           const std::vector<std::vector<std::int32_t>>& lists) {
  auto& self = *implementation_;
  self.named([&] {
    write_ragged_lists(self.root_file(), self.communicator, self.options.compression, group, info,
                       rows, indices, lists);
  });
}

void RunFile::write_scalars(const std::string& group, const std::vector<FieldInfo>& infos,
                            const std::vector<double>& values) {
  auto& self = *implementation_;
  self.named([&] {
    agree(self.communicator, [&] {
      if (!self.file) return;
      TAILRACE_REQUIRE(infos.size() == values.size(), "one value per scalar");
      for (std::size_t i = 0; i < infos.size(); ++i) {
        const auto dataset =
            create_dataset(self.file->id(), group + "/" + infos[i].name,
                           ValueType::of(ValueType::Kind::float64), {}, 0, infos[i]);
        hdf5::checked(
            H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &values[i]),
            "H5Dwrite");
      }
    });
  });
}

void RunFile::close() {
  auto& self = *implementation_;
  self.series.reset();  // its datasets are closed before the file
  self.named([&] {
    agree(self.communicator, [&] {
      if (!self.file) return;
      self.bytes_on_disk = self.file->finish();
      self.file.reset();
    });
    self.bytes_on_disk = self.communicator.sum(self.bytes_on_disk);  // others hold 0
  });
}

std::int64_t RunFile::bytes_on_disk() const { return implementation_->bytes_on_disk; }

}  // namespace tailrace
