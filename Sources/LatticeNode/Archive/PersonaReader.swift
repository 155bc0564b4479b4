import LatticeAPI
import LatticeCore
import LatticeStore

/// What one persona may see of the store.
struct PersonaReader: Sendable {
    let me: PeerID
    let store: Store
    let mail: PrivateMail
    var rooms: RoomDesk { mail.rooms }
    let author: AuthorName
    /// Whom this persona has met, and their petnames.
    let book: PeopleBook?
    let newsScope = NewsScope()

    func authorName() async throws(RequestError) -> PeerName {
        if let name = author.chosen { return name }
        return try await profileName() ?? author.given
    }

    /// The name by which others know this persona, whatever the folder is called.
    func profileName() async throws(RequestError) -> PeerName? {
        guard let text = try await stored({ () throws(StoreError) in try await store.people.name(of: me) }) else {
            return nil
        }
        do {
            return try PeerName(text)
        } catch {
            return nil  // The name was valid when it was signed; the rules have changed.
        }
    }
}

func stored<Value: Sendable>(_ work: () async throws(StoreError) -> Value) async throws(RequestError) -> Value {
    do {
        return try await work()
    } catch {
        throw RequestError(error)
    }
}
