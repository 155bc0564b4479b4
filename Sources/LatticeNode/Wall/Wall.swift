package import LatticeAPI
package import LatticeCore
package import LatticeCrypto
import LatticeGeo
package import LatticeStore
import LatticeWire

/// Carries out what fronts ask of the wall, upon the store: judges what is to be written, signs it, and shows of what is
/// there what may be seen.
package actor Wall {
    let store: Store
    let identity: Identity
    let rules: WallRules
    let mail: PrivateMail
    package nonisolated var rooms: RoomDesk { mail.rooms }
    /// Whose folder it is: the name of whoever has no profile yet.
    private let name: PeerName
    /// Whom this person has met, and what they call them.
    let book: PeopleBook?
    /// What this person calls themselves until the node ends.
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

    /// The same store in the name of somebody who speaks through its owner's node. Whom the owner knows is not theirs to see.
    init(of identity: Identity, in owner: Wall, name: PeerName) {
        store = owner.store.of(identity.peer)
        self.identity = identity
        mail = PrivateMail(store: store, identity: identity, isOwners: false, fresh: owner.mail.fresh)
        self.name = name
        book = nil
        rules = owner.rules
    }

    var me: PeerID { identity.peer }

    /// Lets go of the store; whatever is asked afterwards fails.
    package func close() {
        do {
            try store.close()
        } catch {
            return  // What stands in the log is found there the next time.
        }
    }

    func rename(_ name: PeerName?) {
        nickname = name
    }

    /// Under which name this person writes.
    func authorName() async throws(RequestError) -> PeerName {
        if let nickname { return nickname }
        return try await profileName() ?? name
    }

    /// The name that others know this person by, whatever the folder is called.
    func profileName() async throws(RequestError) -> PeerName? {
        guard let text = try await stored({ () throws(StoreError) in try await store.profileName(of: me) }) else {
            return nil
        }
        do {
            return try PeerName(text)
        } catch {
            return nil  // It was a name when it was signed, under rules that are others now.
        }
    }

    /// Does one thing. What it writes waits in the store's outbox until a neighbour has it.
    package func perform<R: Request>(_ request: R, at now: WallTime) async throws(RequestError) -> R.Reply {
        try await HandlerTable.all[R.self].perform(request, on: self, at: now)
    }

    /// The error of a store in the words of a request.
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
