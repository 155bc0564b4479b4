package import LatticeAPI
package import LatticeCore
package import LatticeCrypto
package import LatticeStore
import LatticeWire

/// The store as one persona sees it and writes to it.
package final class Archive: Sendable {
    let store: Store
    let identity: Identity
    /// What this person chose, 1–1,000 grapheme clusters; `nil` if the card of the mesh decides.
    let textClustersMax: Int?
    let mail: PrivateMail
    let reader: PersonaReader
    package var rooms: RoomDesk { mail.rooms }

    /// - Parameter textClustersMax: grapheme clusters of a post or comment, 1–1,000; `nil` is what the card of the mesh says, or
    ///   140.
    package init(
        store: Store, identity: Identity, name: PeerName, book: PeopleBook? = nil, textClustersMax: Int? = nil
    ) {
        precondition(
            textClustersMax.map(PostLimit.textClustersRange.contains) ?? true, "the limit is checked where it is set")
        self.store = store
        self.identity = identity
        mail = PrivateMail(store: store, identity: identity)
        reader = PersonaReader(me: identity.peer, store: store, mail: mail, author: AuthorName(name), book: book)
        self.textClustersMax = textClustersMax
    }

    /// The same store for a visitor of its owner's node. The owner's contacts stay hidden from them.
    init(of identity: Identity, in owner: Archive, name: PeerName) {
        store = owner.store.of(identity.peer)
        self.identity = identity
        mail = PrivateMail(store: store, identity: identity, isOwners: false, fresh: owner.mail.fresh)
        reader = PersonaReader(me: identity.peer, store: store, mail: mail, author: AuthorName(name), book: nil)
        textClustersMax = owner.textClustersMax
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

    /// Writes straight into the store.
    var desk: PersonaDesk {
        PersonaDesk(self) { [store] drafts throws(StoreError) in try await store.publish(drafts) }
    }

    /// Carries out one request without a node. What it writes waits in the store's outbox until a neighbour has it.
    package func perform<R: Request>(_ request: R, at now: WallTime) async throws(RequestError) -> R.Reply {
        try await HandlerTable.all[R.self].perform(request, at: desk, now)
    }
}

extension RequestError {
    init(_ error: StoreError) {
        self = .store(fault: StoreFault(error))
    }
}

extension StoreFault {
    init(_ error: StoreError) {
        self =
            switch error {
            case .cannotOpen(let path, let reason): .cannotOpen(path: path, reason: reason)
            case .damaged(let path, let reason): .damaged(path: path, reason: reason)
            case .tooNew(let path): .tooNew(path: path)
            case .diskFull(let path): .diskFull(path: path)
            case .readOnly(let path): .readOnly(path: path)
            case .busy(let path): .busy(path: path)
            case .failed(let path, let reason): .failed(path: path, reason: reason)
            }
    }
}
