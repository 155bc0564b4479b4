import DequeModule
import LatticeCore

/// Limits the handshakes that each address, each network and all of them together may begin.
///
/// A limit on unfinished handshakes is not enough: somebody who finishes or aborts each one at once would keep us
/// computing.
struct HandshakeRates {
    private var all = TokenBucket()
    private var addresses = Buckets()
    private var networks = Buckets()

    /// Addresses whose buckets are remembered.
    var addressCount: Int { addresses.count }

    /// Charges a handshake to all buckets, or to none.
    mutating func admits(_ source: ConnectionSource, _ limits: LinkLimits, at now: Instant) -> Bool {
        // An address over its limit takes nothing from its network, and a network over its limit nothing from the
        // others.
        var address = addresses[source.address]
        guard address.take(of: limits.handshakesPerAddress, at: now) else { return false }
        var network = networks[source.network]
        let hasNetwork = source.network != source.address
        if hasNetwork, !network.take(of: limits.handshakesPerNetwork, at: now) { return false }
        // Frequent sources leave half of the common limit to the others.
        let hasComeOften =
            address.taken(of: limits.handshakesPerAddress, at: now) > limits.handshakesPerAddressMax
            || hasNetwork && network.taken(of: limits.handshakesPerNetwork, at: now) > limits.handshakesMax
        guard all.take(of: hasComeOften ? limits.handshakes.halved : limits.handshakes, at: now) else { return false }
        addresses.remember(address, of: source.address, limits.addressesMax, at: now)
        if hasNetwork { networks.remember(network, of: source.network, limits.addressesMax, at: now) }
        return true
    }

    private struct Buckets {
        private var buckets: [String: TokenBucket] = [:]
        /// The keys of `buckets`, in the order in which they are checked next.
        private var order: Deque<String> = []

        var count: Int { buckets.count }

        subscript(_ key: String) -> TokenBucket { buckets[key] ?? TokenBucket() }

        /// A full bucket equals no bucket, so full ones are removed; each new source has two others checked. If none
        /// can be removed, only the common limit applies to the new source.
        mutating func remember(_ bucket: TokenBucket, of key: String, _ countMax: Int, at now: Instant) {
            if buckets[key] == nil {
                for _ in 0..<2 {
                    guard let oldest = order.popFirst() else { break }
                    if buckets[oldest]?.isFull(at: now) ?? true {
                        buckets[oldest] = nil
                    } else {
                        order.append(oldest)
                    }
                }
                guard buckets.count < countMax else { return }
                order.append(key)
            }
            buckets[key] = bucket
        }
    }
}
