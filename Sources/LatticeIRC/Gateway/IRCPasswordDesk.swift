import LatticeAPI
import LatticeCore

/// Which passwords are checked when. A host that tries wrong ones waits, and accounts are checked one at a time, since each check takes
/// 64 MiB and a tenth of a second.
struct IRCPasswordDesk {
    /// A client that wants to sign in to an account.
    struct Proof: Sendable {
        let id: ConnectionID
        let host: String
        let account: AccountName
        let password: TypedKey
    }

    /// Two seconds of checking, so that nobody at the end of the queue is cut off meanwhile.
    static let waitingMax = 16
    /// Wrong passwords that one host may try at once, then one in `guessInterval`.
    private static let guessesAtOnce = 10
    private static let guessInterval: Duration = .seconds(2)
    /// Hosts that tried a wrong password a short while ago. More of them than this share the oldest one's place.
    private static let hostsMax = 1_024

    /// When a host has made good for its wrong passwords.
    private var freeAt: [String: Instant] = [:]
    private var waiting: [Proof] = []
    private var checking: ConnectionID?

    /// Whether a host may try a password now.
    func mayTry(_ host: String, at now: Instant) -> Bool {
        guard let free = freeAt[host] else { return true }
        return now.duration(to: free) <= Self.guessInterval * (Self.guessesAtOnce - 1)
    }

    /// A password of this host was wrong.
    mutating func wasWrong(_ host: String, at now: Instant) {
        if freeAt[host] == nil, freeAt.count >= Self.hostsMax {
            freeAt = freeAt.filter { $0.value > now }
            if freeAt.count >= Self.hostsMax, let oldest = freeAt.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
                freeAt[oldest.key] = nil
            }
        }
        freeAt[host] = max(freeAt[host] ?? now, now).advanced(by: Self.guessInterval)
    }

    /// - Returns: whether there is a place for it.
    mutating func queue(_ proof: Proof) -> Bool {
        guard waiting.count < Self.waitingMax else { return false }
        waiting.append(proof)
        return true
    }

    /// The next one to be checked, if none is.
    mutating func next(at now: Instant) -> Proof? {
        guard checking == nil, let index = waiting.firstIndex(where: { mayTry($0.host, at: now) }) else { return nil }
        checking = waiting[index].id
        return waiting.remove(at: index)
    }

    /// The check of this client is over.
    mutating func finished(_ id: ConnectionID) {
        if checking == id { checking = nil }
    }

    /// This client is gone. A check that has begun goes on.
    mutating func dropped(_ id: ConnectionID) {
        waiting.removeAll { $0.id == id }
    }
}
