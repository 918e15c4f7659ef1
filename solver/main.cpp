// SPDX-License-Identifier: Apache-2.0
// The program: starts MPI and Kokkos, runs the command line, and ends on all ranks together.
#include <mpi.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include <CLI/Error.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "solver/app/command_line.hpp"
#include "solver/app/exit_codes.hpp"
#include "solver/base/errors.hpp"
#include "solver/comm/job.hpp"

namespace {

// Kokkos gets its own options (--kokkos-...) and nothing else, since it would take --help for
// itself; what it got is taken off the command line, and what it does not know is refused.
void start_kokkos(int& argc, char** argv) {
  const auto end = std::stable_partition(argv + 1, argv + argc, [](const char* word) {
    return !std::string_view(word).starts_with("--kokkos-");
  });
  std::vector<char*> options = {argv[0]};
  options.insert(options.end(), end, argv + argc);
  argc = static_cast<int>(end - argv);
  setenv("KOKKOS_DISABLE_WARNINGS", "1", 0);
#ifdef _OPENMP
  const int threads = tailrace::default_thread_count();
  const bool is_chosen = std::getenv("OMP_NUM_THREADS") || std::getenv("KOKKOS_NUM_THREADS");
  if (!is_chosen) omp_set_num_threads(threads);
#endif
  int count = static_cast<int>(options.size());
  options.push_back(nullptr);
  Kokkos::initialize(count, options.data());
  if (count > 1) throw tailrace::InputError(std::string("unknown option of Kokkos: ") + options[1]);
}

// Without what Kokkos appends to its messages after a blank line: where in itself it was.
std::string first_paragraph(const std::string& text) { return text.substr(0, text.find("\n\n")); }

// The only place where failures are caught. Whoever throws leaves everything as it is; ranks that
// throw the same leave together, and a rank that fails alone takes the others with it.
int run(int& argc, char** argv, const tailrace::JobEnd& end) {
  using namespace tailrace;
  try {
    start_kokkos(argc, argv);
    return run_command_line(argc, argv, Communicator::world());
  } catch (const InputError& error) {
    return end.leave(error.what(), exit_input);
  } catch (const CLI::ParseError& error) {
    return end.leave(std::string(error.what()) + " (see tailrace --help)", exit_input);
  } catch (const std::bad_alloc&) {
    return end.leave("out of memory; use more machines, or see what --dry-run says", exit_failed);
  } catch (const std::exception& error) {
    return end.leave("the run failed: " + first_paragraph(error.what()), exit_failed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  tailrace::prepare_mpi();
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int exit_code = tailrace::exit_failed;
  {
    const tailrace::JobEnd end;
    exit_code = run(argc, argv, end);
    if (Kokkos::is_initialized()) Kokkos::finalize();
  }
  MPI_Finalize();
  return exit_code;
}
