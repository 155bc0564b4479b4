import DequeModule
import LatticeCore

/// How many handshakes each address, and all of them together, may still begin.
///
/// A bound on those that are unfinished does not do: whoever finishes each at once, or breaks it off, has us reckon for ever.
struct HandshakeRates {
    private var all = TokenBucket()
    private var addresses: [String: TokenBucket] = [:]
    /// The keys of `addresses`, in the order in which they are to be looked at next.
    private var order: Deque<String> = []

    /// Addresses that are remembered.
    var addressCount: Int { addresses.count }

    /// Takes what a handshake costs, or nothing.
    mutating func admits(_ address: String, _ limits: LinkLimits, at now: Instant) -> Bool {
        var bucket = addresses[address] ?? TokenBucket()
        // Of an address that has no more nobody else is to suffer: it is asked first.
        guard bucket.take(of: limits.handshakesPerAddress, at: now), all.take(of: limits.handshakes, at: now) else {
            return false
        }
        remember(bucket, of: address, limits.addressesMax, at: now)
        return true
    }

    /// A full bucket is as good as none, so those are forgotten; with each newcomer two are looked at. Where nobody can be
    /// forgotten a newcomer is measured by what all may begin alone.
    private mutating func remember(_ bucket: TokenBucket, of address: String, _ countMax: Int, at now: Instant) {
        if addresses[address] == nil {
            for _ in 0..<2 {
                guard let oldest = order.popFirst() else { break }
                if addresses[oldest]?.isFull(at: now) ?? true {
                    addresses[oldest] = nil
                } else {
                    order.append(oldest)
                }
            }
            guard addresses.count < countMax else { return }
            order.append(address)
        }
        addresses[address] = bucket
    }
}
