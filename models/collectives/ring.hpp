// SPDX-License-Identifier: Apache-2.0
// All-reduce, all-gather and reduce-scatter around a ring, as one pipelined flow per rank.
//
// S bytes are cut into n shares s(0) .. s(n-1) (share_bytes). Flow i runs from rank i to rank i+1.
// It sends rank i's own share first and then, share by share, what flow i-1 has brought:
//   may have been sent by t  <=  s(i) + received from flow i-1 by t
// so flow i-1 is its upstream and s(i) its head start. Totals, all indices modulo n:
//   reduce_scatter  shares i, i-1, ..., i-n+2        : S - s(i+1)
//   all_gather      shares i, i-1, ..., i-n+2        : S - s(i+1)
//   all_reduce      the first, then, from share i+1, the reduced ones i+1, i, ..., i-n+3:
//                                                      2 S - s(i+1) - s(i+2)
// When n divides S these are (n-1)/n S, (n-1)/n S and 2 (n-1)/n S. The last share received is not
// forwarded. Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
// workstations", JPDC 69 (2009). S in nccl-tests' sense: all_reduce, the vector; all_gather, the
// gathered result; reduce_scatter, the vector before scattering.
#pragma once

#include "models/collectives/collective.hpp"

namespace tailrace {

enum class RingOperation { all_reduce, all_gather, reduce_scatter };

/// n flows; S >= 1 byte for all_reduce, S >= n for the others.
std::unique_ptr<Workload> make_ring(RingOperation operation, CollectiveInput input);

}  // namespace tailrace
