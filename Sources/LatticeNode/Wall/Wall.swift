package import LatticeAPI
package import LatticeCore
package import LatticeCrypto
import LatticeGeo
package import LatticeStore
import LatticeWire

/// Carries out fronts' requests on the store: checks, signs and stores what is written, and shows what this person may
/// see.
package actor Wall {
    let store: Store
    let identity: Identity
    let rules: WallRules
    let mail: PrivateMail
    package nonisolated var rooms: RoomDesk { mail.rooms }
    /// The folder's name, for a person without a profile.
    private let name: PeerName
    /// Whom this person has met, and their petnames.
    let book: PeopleBook?
    /// This person's name until the node ends.
    private var nickname: PeerName?

    /// - Parameter textClustersMax: grapheme clusters of a post or comment, 1–1,000; `nil` is 140.
    package init(
        store: Store, identity: Identity, name: PeerName, book: PeopleBook? = nil, textClustersMax: Int? = nil
    ) {
        let clusters = textClustersMax ?? WallLimit.textClusters
        precondition(WallLimit.textClustersRange.contains(clusters), "the limit is checked where it is set")
        self.store = store
        self.identity = identity
        mail = PrivateMail(store: store, identity: identity)
        self.name = name
        self.book = book
        rules = WallRules(textClustersMax: clusters)
    }

    /// The same store for a visitor of its owner's node. The owner's contacts stay hidden from them.
    init(of identity: Identity, in owner: Wall, name: PeerName) {
        store = owner.store.of(identity.peer)
        self.identity = identity
        mail = PrivateMail(store: store, identity: identity, isOwners: false, fresh: owner.mail.fresh)
        self.name = name
        book = nil
        rules = owner.rules
    }

    var me: PeerID { identity.peer }

    /// Closes the store; later requests fail.
    package func close() {
        do {
            try store.close()
        } catch {
            return  // What is in the log is recovered at the next start.
        }
    }

    func rename(_ name: PeerName?) {
        nickname = name
    }

    /// The name on this person's records.
    func authorName() async throws(RequestError) -> PeerName {
        if let nickname { return nickname }
        return try await profileName() ?? name
    }

    /// The name by which others know this person, whatever the folder is called.
    func profileName() async throws(RequestError) -> PeerName? {
        guard let text = try await stored({ () throws(StoreError) in try await store.profileName(of: me) }) else {
            return nil
        }
        do {
            return try PeerName(text)
        } catch {
            return nil  // The name was valid when it was signed; the rules have changed.
        }
    }

    /// Carries out one request. What it writes waits in the store's outbox until a neighbour has it.
    package func perform<R: Request>(_ request: R, at now: WallTime) async throws(RequestError) -> R.Reply {
        try await HandlerTable.all[R.self].perform(request, on: self, at: now)
    }

    /// Turns a store error into a request error.
    func stored<Value: Sendable>(
        _ work: () async throws(StoreError) -> Value
    ) async throws(RequestError) -> Value {
        do {
            return try await work()
        } catch {
            throw RequestError(error)
        }
    }
}

extension RequestError {
    init(_ error: StoreError) {
        let code: Code =
            switch error {
            case .damaged: .damaged
            case .diskFull: .diskFull
            case .readOnly: .readOnly
            case .busy: .busy
            case .cannotOpen, .tooNew, .failed: .storeFailed
            }
        self.init(code, error.description)
    }
}
