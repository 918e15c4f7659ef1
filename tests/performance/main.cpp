// SPDX-License-Identifier: Apache-2.0
// Starts MPI and Kokkos around Google Benchmark. One process; OMP_NUM_THREADS says how many
// threads.
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <cstdlib>
#include <string>

#include "solver/comm/job.hpp"

int main(int argc, char** argv) {
  tailrace::prepare_mpi();
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  setenv("KOKKOS_DISABLE_WARNINGS", "1", 0);
  Kokkos::initialize(argc, argv);
  benchmark::Initialize(&argc, argv);
  const bool is_clear = !benchmark::ReportUnrecognizedArguments(argc, argv);
  if (is_clear) {
    benchmark::AddCustomContext("threads",
                                std::to_string(Kokkos::DefaultExecutionSpace().concurrency()));
    benchmark::RunSpecifiedBenchmarks();
  }
  benchmark::Shutdown();
  Kokkos::finalize();
  MPI_Finalize();
  return is_clear ? 0 : 2;
}
