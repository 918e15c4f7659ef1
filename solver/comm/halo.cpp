// SPDX-License-Identifier: Apache-2.0
// Persistent MPI requests behind the four verbs of the exchange.
#include "solver/comm/halo.hpp"

#include <mpi.h>

#include "solver/comm/native.hpp"

namespace tailrace {

namespace {

std::int64_t send_count(const HaloNeighbor& neighbor) {
  return static_cast<std::int64_t>(neighbor.send_hops.size() + neighbor.send_returns.size());
}

std::int64_t receive_count(const HaloNeighbor& neighbor) {
  return std::int64_t{neighbor.receive_hops} + neighbor.receive_returns;
}

}  // namespace

std::int64_t HaloPlan::send_count() const {
  std::int64_t count = 0;
  for (const HaloNeighbor& neighbor : neighbors) {
    count += tailrace::send_count(neighbor);
  }
  return count;
}

std::int64_t HaloPlan::receive_count() const {
  std::int64_t count = 0;
  for (const HaloNeighbor& neighbor : neighbors) {
    count += tailrace::receive_count(neighbor);
  }
  return count;
}

struct Halo::Native {
  std::vector<double> send, receive;
  std::vector<MPI_Request> sends, receives;
};

namespace {

constexpr int halo_tag = 1;

}  // namespace

Halo::Halo(const HaloPlan& plan, const Communicator& communicator)
    : native_(std::make_unique<Native>()) {
  native_->send.resize(static_cast<std::size_t>(plan.send_count()));
  native_->receive.resize(static_cast<std::size_t>(plan.receive_count()));
  const MPI_Comm comm = NativeAccess::mpi_communicator(communicator);
  double* send = native_->send.data();
  double* receive = native_->receive.data();
  for (const HaloNeighbor& neighbor : plan.neighbors) {
    const std::int64_t sends = tailrace::send_count(neighbor),
                       receives = tailrace::receive_count(neighbor);
    if (receives > 0) {
      native_->receives.emplace_back();
      check_mpi(MPI_Recv_init(receive, static_cast<int>(receives), MPI_DOUBLE, neighbor.rank,
                              halo_tag, comm, &native_->receives.back()),
                "MPI_Recv_init");
    }
    if (sends > 0) {
      native_->sends.emplace_back();
      check_mpi(MPI_Send_init(send, static_cast<int>(sends), MPI_DOUBLE, neighbor.rank, halo_tag,
                              comm, &native_->sends.back()),
                "MPI_Send_init");
    }
    send += sends;
    receive += receives;
  }
}

Halo::~Halo() {
  for (MPI_Request& request : native_->receives) {
    MPI_Request_free(&request);
  }
  for (MPI_Request& request : native_->sends) {
    MPI_Request_free(&request);
  }
}

double* Halo::send_buffer() { return native_->send.data(); }

const double* Halo::receive_buffer() const { return native_->receive.data(); }

void Halo::post() {
  check_mpi(MPI_Startall(static_cast<int>(native_->receives.size()), native_->receives.data()),
            "MPI_Startall");
}

void Halo::send() {
  check_mpi(MPI_Startall(static_cast<int>(native_->sends.size()), native_->sends.data()),
            "MPI_Startall");
  messages_sent_ += static_cast<std::int64_t>(native_->sends.size());
  bytes_sent_ += static_cast<std::int64_t>(native_->send.size() * sizeof(double));
}

void Halo::wait() {
  check_mpi(MPI_Waitall(static_cast<int>(native_->receives.size()), native_->receives.data(),
                        MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  check_mpi(MPI_Waitall(static_cast<int>(native_->sends.size()), native_->sends.data(),
                        MPI_STATUSES_IGNORE),
            "MPI_Waitall");
}

}  // namespace tailrace
