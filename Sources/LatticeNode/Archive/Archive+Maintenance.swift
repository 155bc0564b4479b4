import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

// Store maintenance.
extension Archive {
    func rebuild(at now: WallTime) async throws(RequestError) -> StoreRebuild {
        StoreRebuild(records: try await stored { () throws(StoreError) in try await store.upkeep.rebuild(at: now) })
    }

    func vacuum() async throws(RequestError) -> VacuumStore.Reply {
        let (before, after) = try await stored { () throws(StoreError) in try await store.upkeep.vacuum() }
        return VacuumStore.Reply(before: before, after: after)
    }

    func check() async throws(RequestError) -> StoreCheck {
        let check = try await stored { () throws(StoreError) in try await store.upkeep.check(verify: Self.verified) }
        return StoreCheck(records: check.records, faults: check.faults)
    }

    static let verified: RecordVerification = { records in
        await RecordVerifier.verifyAll(records).map { result in
            switch result {
            case .success(let record): record
            case .failure: nil
            }
        }
    }

    func stats(at now: WallTime) async throws(RequestError) -> StoreStats {
        let stats = try await stored { () throws(StoreError) in try await store.upkeep.stats(at: now) }
        return StoreStats(
            path: store.path, fileBytes: stats.fileBytes, records: stats.records, bytes: stats.bytes,
            quotaBytes: store.quota.bytes, authorQuotaBytes: store.quota.authorBytes,
            kinds: stats.kinds.map {
                .init(kind: RecordKind(rawValue: $0.kind).name, records: $0.records, bytes: $0.bytes)
            }, authors: stats.peers, oldest: stats.oldest, newest: stats.newest, waiting: stats.waiting,
            evicted: stats.evicted, expired: stats.expired)
    }
}

extension RecordKind {
    /// The name that people use.
    fileprivate var name: String {
        switch self {
        case .chat: "chat"
        case .presence: "presence"
        case .profile: "profile"
        case .post: "post"
        case .comment: "comment"
        case .like: "like"
        case .follow: "follow"
        case .event: "event"
        case .place: "place"
        case .attendance: "attendance"
        case .edit: "edit"
        case .deletion: "deletion"
        case .sealed: "private message"
        case .prekeys: "prekeys"
        case .residence: "residence"
        case .reaction: "reaction"
        case .pin: "pin"
        case .card: "card"
        case .crossing: "crossing"
        case .manifest: "file"
        default: rawValue == 0 ? "unknown" : "kind \(rawValue)"
        }
    }
}
