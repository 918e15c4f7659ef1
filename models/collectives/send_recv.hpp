// SPDX-License-Identifier: Apache-2.0
// Send-receive: every rank sends S bytes to the next and receives as many from the one before.
#pragma once

#include "models/collectives/collective.hpp"

namespace tailrace {

/// n flows; flow i runs from rank i to rank i+1 (around) and carries S bytes of its own: nothing is
/// forwarded, so no flow waits for another. S >= 1 byte. This is nccl-tests' sendrecv.
std::unique_ptr<Workload> make_send_recv(CollectiveInput input);

}  // namespace tailrace
