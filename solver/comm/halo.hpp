// SPDX-License-Identifier: Apache-2.0
// The exchange of one step among ranks: a plan (data, built once) and four verbs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "solver/base/ids.hpp"
#include "solver/comm/communicator.hpp"

namespace tailrace {

/// What goes to and comes from one rank in every step. Curves of cut hops travel forward (with the
/// fluid), returns of cut lanes backward (what has left the receiver's buffer).
struct HaloNeighbor {
  Rank rank = -1;
  std::vector<std::int32_t> send_hops;     ///< local hops
  std::vector<std::int32_t> send_returns;  ///< local in-lanes
  std::int32_t receive_hops = 0;           ///< ghosts, contiguous, neighbours in order
  std::int32_t receive_returns = 0;
};

struct HaloPlan {
  std::vector<HaloNeighbor> neighbors;  ///< ascending ranks
  std::int64_t send_count() const;      ///< doubles, all neighbours
  std::int64_t receive_count() const;
};

/// Buffers hold, neighbour by neighbour, first the hops, then the returns.
class Halo {
 public:
  Halo(const HaloPlan& plan, const Communicator& communicator);
  ~Halo();
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;

  double* send_buffer();                 ///< [plan.send_count()], to be packed before send()
  const double* receive_buffer() const;  ///< [plan.receive_count()], valid after wait()
  void post();                           ///< posts the receives
  void send();                           ///< sends what is packed
  void wait();  ///< until all has come and the send buffer may be used again
  std::int64_t messages_sent() const { return messages_sent_; }
  std::int64_t bytes_sent() const { return bytes_sent_; }

 private:
  struct Native;
  std::unique_ptr<Native> native_;
  std::int64_t messages_sent_ = 0, bytes_sent_ = 0;
};

}  // namespace tailrace
