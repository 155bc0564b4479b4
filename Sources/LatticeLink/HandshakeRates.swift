import DequeModule
import LatticeCore

/// How many handshakes each address, each network and all of them together may still begin.
///
/// A bound on those that are unfinished does not do: somebody who finishes each at once, or breaks it off, keeps us computing.
struct HandshakeRates {
    private var all = TokenBucket()
    private var addresses = Buckets()
    private var networks = Buckets()

    /// Addresses that are remembered.
    var addressCount: Int { addresses.count }

    /// Takes what a handshake costs, or nothing.
    mutating func admits(_ source: ConnectionSource, _ limits: LinkLimits, at now: Instant) -> Bool {
        // An address that has used up its own takes nothing from its network, nor the network from the others.
        var address = addresses[source.address]
        guard address.take(of: limits.handshakesPerAddress, at: now) else { return false }
        var network = networks[source.network]
        let hasNetwork = source.network != source.address
        if hasNetwork, !network.take(of: limits.handshakesPerNetwork, at: now) { return false }
        // A few that come again and again leave half of it to those who come now.
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
        /// The keys of `buckets`, the next one to check first.
        private var order: Deque<String> = []

        var count: Int { buckets.count }

        subscript(_ key: String) -> TokenBucket { buckets[key] ?? TokenBucket() }

        /// A full bucket is as good as none, so those are forgotten; with each newcomer two are looked at. Where nobody can be
        /// forgotten a newcomer is measured by what all may begin alone.
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
