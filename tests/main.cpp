// SPDX-License-Identifier: Apache-2.0
// Starts MPI and Kokkos around GoogleTest; a test fails when it fails on any rank.
#include <gtest/gtest.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <iostream>
#include <string_view>

#include "solver/comm/job.hpp"

namespace {

// What ranks other than 0 print: failures only.
class FailurePrinter : public testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(int rank) : rank_(rank) {}

  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::cerr << "rank " << rank_ << ": " << (result.file_name() ? result.file_name() : "?") << ":"
              << result.line_number() << ": " << result.summary() << std::endl;
  }

 private:
  int rank_;
};

int run_tests(int rank) {
  if (rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter(rank));  // owned by the listeners from here on
  }
  const int failed = RUN_ALL_TESTS();
  int failed_anywhere = 0;
  MPI_Allreduce(&failed, &failed_anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return failed_anywhere;
}

}  // namespace

int main(int argc, char** argv) {
  // Listing needs no MPI, which may be unable to start where tests are only discovered.
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--gtest_list_tests") {
      testing::InitGoogleTest(&argc, argv);
      return RUN_ALL_TESTS();
    }
  }
  tailrace::prepare_mpi();
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Kokkos::initialize(argc, argv);
  const int failed = run_tests(rank);
  Kokkos::finalize();
  MPI_Finalize();
  return failed;
}
