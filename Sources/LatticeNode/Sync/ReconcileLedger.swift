import LatticeCore
import OrderedCollections

/// Unsaved notes about comparisons: a second's worth, so that a busy mesh does not write all the time.
struct ReconcileLedger {
    static let caughtUpKey = "caughtUpAt"

    struct Note: Equatable {
        let peer: PeerID
        let at: WallTime
        let gained: Int
        let given: Int
    }

    private struct Account {
        var comparedAt: WallTime
        /// Counted on the current link.
        var gained = 0
        var given = 0
        /// The part that is not saved yet.
        var note: Note?
    }

    /// Neighbours that were compared with.
    private var accounts: OrderedDictionary<PeerID, Account> = [:]
    /// From links that have ended.
    private var pending: [Note] = []
    private var caughtUpAt: WallTime?

    /// - Parameters:
    ///   - time: of the last comparison.
    ///   - gained: records from it on this link, in total.
    ///   - given: records to it on this link, in total.
    mutating func count(_ peer: PeerID, comparedAt time: WallTime, gained: Int, given: Int) {
        let account = accounts[peer]
        let isNews = account.map { $0.comparedAt < time || $0.gained < gained || $0.given < given } ?? true
        guard isNews else { return }
        let before = account?.note
        let note = Note(
            peer: peer, at: time, gained: (before?.gained ?? 0) + max(0, gained - (account?.gained ?? 0)),
            given: (before?.given ?? 0) + max(0, given - (account?.given ?? 0)))
        accounts[peer] = Account(comparedAt: time, gained: gained, given: given, note: note)
    }

    /// Its counts restart with its next link.
    mutating func closed(_ peer: PeerID) {
        if let note = accounts.removeValue(forKey: peer)?.note { pending.append(note) }
    }

    mutating func caughtUp(at time: WallTime) {
        caughtUpAt = time
    }

    /// Everything new since the last call.
    mutating func take() -> (peers: [Note], caughtUpAt: WallTime?) {
        let notes = pending + accounts.values.compactMap(\.note)
        for index in accounts.values.indices { accounts.values[index].note = nil }
        defer {
            pending = []
            caughtUpAt = nil
        }
        return (notes, caughtUpAt)
    }
}
