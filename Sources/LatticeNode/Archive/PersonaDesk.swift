import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

/// Where a persona's requests on the store are carried out: checks what it writes, and hands drafts to its publisher.
struct PersonaDesk: Sendable {
    /// Dates, signs and stores drafts in one commit.
    typealias Publish = @Sendable ([Draft]) async throws(StoreError) -> [Published]

    let archive: Archive
    private let commit: Publish

    init(_ archive: Archive, _ commit: @escaping Publish) {
        self.archive = archive
        self.commit = commit
    }

    var reader: PersonaReader { archive.reader }
    var me: PeerID { archive.me }

    /// Publishes a record of this persona, in one commit with the profile that comes before its first record, so that
    /// authors are known by name.
    ///
    /// - Parameter postDraft: the `StoredDraft` that the record publishes.
    @discardableResult
    func publish(
        _ kind: RecordKind, topic: [UInt8] = [], body: [UInt8], lifetime: UInt32, at now: WallTime,
        publishing postDraft: Int64? = nil
    ) async throws(RequestError) -> RecordID {
        var drafts: [Draft] = []
        if kind != .profile, try await reader.profileName() == nil {
            let profile = ProfileBody(name: try await reader.authorName(), about: "", colour: nil)
            drafts.append(draft(.profile, topic: [], body: profile.body, lifetime: PostRules.year, at: now))
        }
        drafts.append(draft(kind, topic: topic, body: body, lifetime: lifetime, at: now, publishing: postDraft))
        let all = drafts
        let published = try await stored { () throws(StoreError) in try await commit(all) }
        for one in published { try Self.check(one.outcome) }
        return published[published.count - 1].record.id
    }

    private func draft(
        _ kind: RecordKind, topic: [UInt8], body: [UInt8], lifetime: UInt32, at now: WallTime,
        publishing postDraft: Int64? = nil
    ) -> Draft {
        let identity = archive.identity
        return Draft(author: identity.peer, at: now, waits: true, publishes: postDraft) { created in
            identity.sign(
                Record(
                    kind: kind, author: identity.peer, created: created, lifetimeSeconds: lifetime, topic: topic,
                    body: body))
        }
    }

    static func check(_ outcome: InsertOutcome) throws(RequestError) {
        switch outcome {
        case .added, .known, .superseded, .ignored, .blocked: return
        case .refused(let reason): throw .refused(reason: reason)
        case .expired, .expiredByAge:
            throw .store(fault: .alreadyExpired)
        case .erased: throw .deletedMeanwhile
        case .evicted: throw .store(fault: .quotaFull)
        }
    }
}
