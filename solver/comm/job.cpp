// SPDX-License-Identifier: Apache-2.0
// How the processes of a job start and, above all, leave together when something failed.
#include "solver/comm/job.hpp"

#include <mpi.h>
#include <sched.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "solver/comm/native.hpp"

namespace tailrace {

namespace {

void set_unless_set(const char* name, const char* value) {
  constexpr int keep = 0;
  setenv(name, value, keep);
}

// Nothing says that a launcher has started this process among others.
bool is_alone() {
  const auto names = {"OMPI_COMM_WORLD_SIZE",
                      "PMIX_RANK",
                      "PMIX_NAMESPACE",
                      "PMI_RANK",
                      "PMI_SIZE",
                      "PMI_FD",
                      "PALS_RANKID",
                      "SLURM_PROCID",
                      "JSM_NAMESPACE_RANK",
                      "FLUX_TASK_RANK"};
  return std::none_of(names.begin(), names.end(),
                      [](const char* name) { return std::getenv(name) != nullptr; });
}

// Containers commonly forbid the call by which ranks read each other's memory.
bool may_read_memory_of_others() {
  char from = 1, to = 0;
  const iovec local{&to, 1}, remote{&from, 1};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
}

// Processors by affinity, then by the quota of control groups (version 2).
int usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  int count = sched_getaffinity(0, sizeof(set), &set) == 0
                  ? CPU_COUNT(&set)
                  : static_cast<int>(std::thread::hardware_concurrency());
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  double quota = 0, period = 0;
  if (file >> quota >> period && quota > 0 && period > 0) {
    count = std::min(count, static_cast<int>(std::ceil(quota / period)));
  }
  return std::max(count, 1);
}

// One write for the whole message: lines of several processes must not mix.
void print_error(const std::string& message) {
  std::istringstream lines(message);
  std::string text;
  for (std::string line; std::getline(lines, line);) text += "tailrace: " + line + "\n";
  std::fflush(stdout);
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

bool all_arrive(MPI_Comm communicator, double patience_s) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(patience_s);
  MPI_Request request = MPI_REQUEST_NULL;
  if (MPI_Ibarrier(communicator, &request) != MPI_SUCCESS) return false;
  int done = 0;
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS) {
    if (done != 0) return true;
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace

void prepare_mpi() {
  if (!may_read_memory_of_others()) {
    set_unless_set("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
  }
  set_unless_set("OMPI_MCA_btl_base_warn_component_unused", "0");
  if (is_alone()) {
    set_unless_set("OMPI_MCA_ess_singleton_isolated", "1");
    set_unless_set("OMPI_MCA_orte_create_session_dirs", "0");  // shared: one removes the other's
    set_unless_set("OMPI_MCA_pml", "ob1");
    set_unless_set("OMPI_MCA_btl", "self");
  }
}

int default_thread_count() {
  MPI_Comm machine = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine),
            "MPI_Comm_split_type");
  int ranks_here = 1;
  check_mpi(MPI_Comm_size(machine, &ranks_here), "MPI_Comm_size");
  MPI_Comm_free(&machine);
  return std::max(1, usable_processors() / ranks_here);
}

std::string mpi_library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  check_mpi(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  const std::string whole(text, static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
}

int JobEnd::leave(const std::string& message, int exit_code, double patience_s) const {
  const MPI_Comm communicator = NativeAccess::mpi_communicator(communicator_);
  if (!all_arrive(communicator, patience_s)) {
    print_error(communicator_.size() == 1
                    ? message
                    : "rank " + std::to_string(communicator_.rank()) + ": " + message);
    MPI_Abort(communicator, exit_code);
  }
  if (communicator_.is_root()) print_error(message);
  MPI_Bcast(&exit_code, 1, MPI_INT, 0, communicator);
  return exit_code;
}

}  // namespace tailrace
