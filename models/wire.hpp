// SPDX-License-Identifier: Apache-2.0
// From payload to bytes on the wire, and the time that a message takes when nothing is in its way.
#pragma once

#include <cmath>

namespace tailrace {

/// Packets of a message: one header each, the last packet may be short.
///   packets = ceil(payload / mtu)
/// payload in bytes (> 0; 0 gives 0), mtu: payload per packet, in bytes (> 0).
inline double packet_count(double payload_bytes, double mtu_bytes) {
  return std::ceil(payload_bytes / mtu_bytes);
}

/// Bytes on the wire of one message: payload + packets * header, all in bytes. No message shares a
/// packet with another.
inline double wire_bytes(double payload_bytes, double mtu_bytes, double header_bytes) {
  return payload_bytes + packet_count(payload_bytes, mtu_bytes) * header_bytes;
}

/// Time from the first byte's departure to the last byte's arrival on an otherwise empty route, as
/// the fluid has it (a link hands on what it receives without waiting for whole packets):
///   wire bytes / smallest capacity of the route + sum of its links' latencies.
/// bytes, bytes, bytes, bytes/ns, ns -> ns. This is /messages/ideal_ns of the output.
inline double ideal_message_ns(double payload_bytes, double mtu_bytes, double header_bytes,
                               double capacity_bytes_per_ns, double latency_sum_ns) {
  return wire_bytes(payload_bytes, mtu_bytes, header_bytes) / capacity_bytes_per_ns +
         latency_sum_ns;
}

}  // namespace tailrace
