import LatticeAPI
import LatticeCore

/// Decides when to check passwords. A host that tries wrong ones has to wait. Accounts are checked one at a time, since
/// a check takes 64 MiB and a tenth of a second.
struct IRCPasswordDesk {
    struct Proof: Sendable {
        let id: ConnectionID
        let host: String
        let account: AccountName
        let password: TypedKey
    }

    /// About two seconds of checks, so that the last in the queue does not time out.
    static let waitingMax = 16
    /// Wrong passwords that a host may try at once; after them, one in each `guessInterval`.
    private static let guessesAtOnce = 10
    private static let guessInterval: Duration = .seconds(2)
    /// Limit on hosts that recently tried a wrong password; beyond it the oldest one is evicted.
    private static let hostsMax = 1_024

    /// When a host has no wrong passwords left to wait for.
    private var freeAt: [String: Instant] = [:]
    private var waiting: [Proof] = []
    private var checking: ConnectionID?

    func mayTry(_ host: String, at now: Instant) -> Bool {
        guard let free = freeAt[host] else { return true }
        return now.duration(to: free) <= Self.guessInterval * (Self.guessesAtOnce - 1)
    }

    mutating func wasWrong(_ host: String, at now: Instant) {
        if freeAt[host] == nil, freeAt.count >= Self.hostsMax {
            freeAt = freeAt.filter { $0.value > now }
            if freeAt.count >= Self.hostsMax, let oldest = freeAt.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
                freeAt[oldest.key] = nil
            }
        }
        freeAt[host] = max(freeAt[host] ?? now, now).advanced(by: Self.guessInterval)
    }

    /// - Returns: whether the queue had space.
    mutating func queue(_ proof: Proof) -> Bool {
        guard waiting.count < Self.waitingMax else { return false }
        waiting.append(proof)
        return true
    }

    /// The next sign-in to check, unless one is being checked.
    mutating func next(at now: Instant) -> Proof? {
        guard checking == nil, let index = waiting.firstIndex(where: { mayTry($0.host, at: now) }) else { return nil }
        checking = waiting[index].id
        return waiting.remove(at: index)
    }

    mutating func finished(_ id: ConnectionID) {
        if checking == id { checking = nil }
    }

    /// This client is gone. A running check continues.
    mutating func dropped(_ id: ConnectionID) {
        waiting.removeAll { $0.id == id }
    }
}
