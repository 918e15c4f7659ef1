// SPDX-License-Identifier: Apache-2.0
// Collective operations over all ranks, with MPI's results checked and sizes beyond 2 GiB handled.
#include "solver/comm/communicator.hpp"

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <numeric>
#include <string>

#include "solver/base/errors.hpp"
#include "solver/comm/native.hpp"

namespace tailrace {

namespace {

// MPI counts are ints; longer messages go in pieces of this size.
constexpr std::int64_t piece_bytes = std::int64_t{1} << 30;

int count(std::size_t size) {
  TAILRACE_REQUIRE(size <= static_cast<std::size_t>(INT_MAX), "too many values for one MPI call");
  return static_cast<int>(size);
}

template <class Value>
Value reduce(MPI_Comm communicator, Value value, MPI_Datatype type, MPI_Op operation) {
  Value result{};
  check_mpi(MPI_Allreduce(&value, &result, 1, type, operation, communicator), "MPI_Allreduce");
  return result;
}

void broadcast_bytes(MPI_Comm communicator, void* data, std::int64_t bytes, Rank root) {
  auto* first = static_cast<std::byte*>(data);
  for (std::int64_t done = 0; done < bytes; done += piece_bytes) {
    const auto now = static_cast<int>(std::min(piece_bytes, bytes - done));
    check_mpi(MPI_Bcast(first + done, now, MPI_BYTE, root, communicator), "MPI_Bcast");
  }
}

// Calls post(first byte, bytes) for each piece of a message.
template <class Post>
void for_each_piece(std::int64_t bytes, Post post) {
  for (std::int64_t done = 0; done < bytes; done += piece_bytes) {
    post(done, static_cast<int>(std::min(piece_bytes, bytes - done)));
  }
}

// Displacements of MPI's v-collectives; only for totals that fit into an int.
std::vector<int> displacements(const std::vector<int>& counts) {
  std::vector<int> result(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), result.begin(), 0);
  return result;
}

// Everything but what a rank sends to itself.
std::vector<std::vector<std::byte>> exchange(const Communicator& communicator,
                                             const std::vector<std::vector<std::byte>>& send) {
  const MPI_Comm handle = NativeAccess::mpi_communicator(communicator);
  TAILRACE_REQUIRE(send.size() == static_cast<std::size_t>(communicator.size()),
                   "one list per rank expected");
  const std::size_t ranks = send.size();
  std::vector<std::int64_t> send_bytes(ranks), receive_bytes(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    send_bytes[r] = static_cast<std::int64_t>(send[r].size());
  }
  check_mpi(
      MPI_Alltoall(send_bytes.data(), 1, MPI_INT64_T, receive_bytes.data(), 1, MPI_INT64_T, handle),
      "MPI_Alltoall");
  std::vector<std::vector<std::byte>> received(ranks);
  std::vector<MPI_Request> requests;
  for (std::size_t r = 0; r < ranks; ++r) {
    if (r == static_cast<std::size_t>(communicator.rank())) continue;
    received[r].resize(static_cast<std::size_t>(receive_bytes[r]));
    for_each_piece(receive_bytes[r], [&](std::int64_t first, int bytes) {
      check_mpi(MPI_Irecv(received[r].data() + first, bytes, MPI_BYTE, static_cast<int>(r),
                          collective_tag, handle, &requests.emplace_back()),
                "MPI_Irecv");
    });
  }
  // Each rank starts with its right-hand neighbour, so that not all send to rank 0 first.
  for (std::size_t step = 1; step < ranks; ++step) {
    const std::size_t r = (static_cast<std::size_t>(communicator.rank()) + step) % ranks;
    for_each_piece(send_bytes[r], [&](std::int64_t first, int bytes) {
      check_mpi(MPI_Isend(send[r].data() + first, bytes, MPI_BYTE, static_cast<int>(r),
                          collective_tag, handle, &requests.emplace_back()),
                "MPI_Isend");
    });
  }
  check_mpi(MPI_Waitall(count(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  return received;
}

}  // namespace

void check_mpi(int result, const char* call) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (MPI_Error_string(result, text, &length) != MPI_SUCCESS) length = 0;
  throw TailraceError(std::string(call) + " failed: " +
                      (length > 0 ? std::string(text, static_cast<std::size_t>(length))
                                  : "error code " + std::to_string(result)));
}

struct Communicator::Native {
  MPI_Comm handle = MPI_COMM_NULL;
  Rank rank = 0, size = 1;

  Native() = default;
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;
  ~Native() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (handle != MPI_COMM_NULL && finalized == 0) MPI_Comm_free(&handle);
  }
};

MPI_Comm NativeAccess::mpi_communicator(const Communicator& communicator) {
  return communicator.native_->handle;
}

Communicator Communicator::world() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  TAILRACE_REQUIRE(initialized != 0, "MPI has not been started");
  auto native = std::make_shared<Native>();
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &native->handle), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(native->handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(native->handle, &native->rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(native->handle, &native->size), "MPI_Comm_size");
  Communicator communicator;
  communicator.native_ = std::move(native);
  return communicator;
}

Rank Communicator::rank() const { return native_->rank; }
Rank Communicator::size() const { return native_->size; }

std::int64_t Communicator::sum(std::int64_t value) const {
  return reduce(native_->handle, value, MPI_INT64_T, MPI_SUM);
}
std::int64_t Communicator::max(std::int64_t value) const {
  return reduce(native_->handle, value, MPI_INT64_T, MPI_MAX);
}
std::int64_t Communicator::min(std::int64_t value) const {
  return reduce(native_->handle, value, MPI_INT64_T, MPI_MIN);
}
double Communicator::sum(double value) const {
  return reduce(native_->handle, value, MPI_DOUBLE, MPI_SUM);
}
double Communicator::max(double value) const {
  return reduce(native_->handle, value, MPI_DOUBLE, MPI_MAX);
}
double Communicator::min(double value) const {
  return reduce(native_->handle, value, MPI_DOUBLE, MPI_MIN);
}

void Communicator::sum_in_place(std::vector<std::int64_t>& values) const {
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data(), count(values.size()), MPI_INT64_T, MPI_SUM,
                          native_->handle),
            "MPI_Allreduce");
}

void Communicator::max_in_place(std::vector<double>& values) const {
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data(), count(values.size()), MPI_DOUBLE, MPI_MAX,
                          native_->handle),
            "MPI_Allreduce");
}

std::int64_t Communicator::exclusive_scan_sum(std::int64_t value) const {
  std::int64_t before = 0;
  check_mpi(MPI_Exscan(&value, &before, 1, MPI_INT64_T, MPI_SUM, native_->handle), "MPI_Exscan");
  return is_root() ? 0 : before;  // MPI leaves rank 0's result undefined
}

bool Communicator::any(bool value) const {
  return reduce(native_->handle, value ? 1 : 0, MPI_INT, MPI_MAX) != 0;
}

void Communicator::barrier() const { check_mpi(MPI_Barrier(native_->handle), "MPI_Barrier"); }

std::string Communicator::broadcast(const std::string& text, Rank root) const {
  auto bytes = static_cast<std::int64_t>(text.size());
  check_mpi(MPI_Bcast(&bytes, 1, MPI_INT64_T, root, native_->handle), "MPI_Bcast");
  std::string result = text;
  result.resize(static_cast<std::size_t>(bytes));
  broadcast_bytes(native_->handle, result.data(), bytes, root);
  return result;
}

std::vector<std::byte> Communicator::all_gather(const std::vector<std::byte>& bytes,
                                                std::vector<std::int64_t>& counts) const {
  const auto mine = static_cast<std::int64_t>(bytes.size());
  counts.resize(static_cast<std::size_t>(size()));
  check_mpi(MPI_Allgather(&mine, 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T, native_->handle),
            "MPI_Allgather");
  const std::int64_t total = std::reduce(counts.begin(), counts.end());
  std::vector<std::byte> result(static_cast<std::size_t>(total));
  if (total <= INT_MAX) {
    const std::vector<int> sizes(counts.begin(), counts.end());
    check_mpi(MPI_Allgatherv(bytes.data(), static_cast<int>(mine), MPI_BYTE, result.data(),
                             sizes.data(), displacements(sizes).data(), MPI_BYTE, native_->handle),
              "MPI_Allgatherv");
    return result;
  }
  std::byte* place = result.data();
  for (Rank r = 0; r < size(); ++r) {
    if (r == rank()) std::copy(bytes.begin(), bytes.end(), place);
    const std::int64_t part = counts[static_cast<std::size_t>(r)];
    broadcast_bytes(native_->handle, place, part, r);
    place += part;
  }
  return result;
}

std::vector<std::vector<std::byte>> Communicator::all_to_all(
    std::vector<std::vector<std::byte>>&& send) const {
  auto received = exchange(*this, send);
  const auto self = static_cast<std::size_t>(rank());
  received[self] = std::move(send[self]);
  return received;
}

std::vector<std::vector<std::byte>> Communicator::all_to_all(
    const std::vector<std::vector<std::byte>>& send) const {
  auto received = exchange(*this, send);
  const auto self = static_cast<std::size_t>(rank());
  received[self] = send[self];
  return received;
}

std::vector<std::vector<std::byte>> Communicator::gather(const std::vector<std::byte>& bytes,
                                                         Rank root) const {
  const auto mine = static_cast<std::int64_t>(bytes.size());
  std::vector<std::int64_t> counts(rank() == root ? static_cast<std::size_t>(size()) : 0);
  check_mpi(MPI_Gather(&mine, 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T, root, native_->handle),
            "MPI_Gather");
  std::vector<std::vector<std::byte>> received(counts.size());
  std::vector<MPI_Request> requests;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (r == static_cast<std::size_t>(root)) {
      received[r] = bytes;
      continue;
    }
    received[r].resize(static_cast<std::size_t>(counts[r]));
    for_each_piece(counts[r], [&](std::int64_t first, int part) {
      check_mpi(MPI_Irecv(received[r].data() + first, part, MPI_BYTE, static_cast<int>(r),
                          collective_tag, native_->handle, &requests.emplace_back()),
                "MPI_Irecv");
    });
  }
  if (rank() != root) {
    for_each_piece(mine, [&](std::int64_t first, int part) {
      check_mpi(
          MPI_Send(bytes.data() + first, part, MPI_BYTE, root, collective_tag, native_->handle),
          "MPI_Send");
    });
  }
  check_mpi(MPI_Waitall(count(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  return received;
}

std::string Communicator::first_error(const std::string& error) const {
  const Rank mine = error.empty() ? size() : rank();
  const Rank first = reduce(native_->handle, mine, MPI_INT32_T, MPI_MIN);
  return first == size() ? std::string() : broadcast(error, first);
}

}  // namespace tailrace
