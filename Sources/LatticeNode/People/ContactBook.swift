import LatticeAPI
import LatticeCore
import LatticeStore

/// Where a persona's marks on people are stored.
enum ContactBook: Sendable {
    /// The owner's, for all meshes.
    case file(PeopleBook)
    /// A visitor's, for this mesh.
    case table(ContactTable, MeshName)
    /// A visitor of a node that stores nothing.
    case none

    func read() throws(RequestError) -> KnownPeople {
        switch self {
        case .file(let book):
            do {
                return try book.read().known
            } catch {
                throw RequestError(error, writing: book.path)
            }
        case .table(let table, let mesh):
            do {
                return KnownPeople(try table.all(), in: mesh)
            } catch {
                throw RequestError(error)
            }
        case .none: return KnownPeople()
        }
    }

    /// - Returns: the result of `change`, and the new contents.
    func update<Value: Sendable>(
        _ change: @escaping @Sendable (inout KnownPeople) throws(RequestError) -> Value
    ) async throws(RequestError) -> (Value, KnownPeople) {
        switch self {
        case .file(let book): try await update(book, change)
        case .table(let table, let mesh): try await update(table, in: mesh, change)
        case .none: throw .store(fault: .missing)
        }
    }

    private func update<Value: Sendable>(
        _ book: PeopleBook, _ change: @Sendable (inout KnownPeople) throws(RequestError) -> Value
    ) async throws(RequestError) -> (Value, KnownPeople) {
        do {
            let (answer, known, _) = try await book.update { try change(&$0) }
            return (answer, known)
        } catch let error as RequestError {
            throw error
        } catch let error as SystemError {
            throw RequestError(error, writing: book.path)
        } catch {
            throw .other(code: .fileFailed, message: "\(error)")
        }
    }

    private func update<Value: Sendable>(
        _ table: ContactTable, in mesh: MeshName,
        _ change: @escaping @Sendable (inout KnownPeople) throws(RequestError) -> Value
    ) async throws(RequestError) -> (Value, KnownPeople) {
        let outcome = try await stored { () throws(StoreError) in
            try await table.update { before -> (Result<(Value, StoredMarks), RequestError>, StoredMarks?) in
                var known = KnownPeople(before, in: mesh)
                do throws(RequestError) {
                    let value = try change(&known)
                    let marked = known.all.filter(\.isMarked)
                    guard marked.count <= KnownLimit.visitorsPeopleMax else {
                        throw .tooManyPeople(max: KnownLimit.visitorsPeopleMax)
                    }
                    let marks = StoredMarks(
                        marked.map(StoredContact.init), muted: known.muted(in: mesh).map(\.text))
                    return (.success((value, marks)), marks)
                } catch {
                    return (.failure(error), nil)
                }
            }
        }
        let (value, marks) = try outcome.get()
        return (value, KnownPeople(marks, in: mesh))
    }
}

extension KnownPeople {
    init(_ marks: StoredMarks, in mesh: MeshName) {
        self.init()
        for contact in marks.contacts { _ = put(KnownPerson(contact)) }
        for text in marks.muted {
            do {
                _ = mute(try RoomName(text), in: mesh, true)
            } catch {
                continue  // The name was valid when it was stored; the rules have changed.
            }
        }
    }
}

extension KnownPerson {
    fileprivate init(_ contact: StoredContact) {
        self.init(
            id: contact.peer, name: Self.name(contact.name), petname: Self.name(contact.petname),
            verified: contact.verified, blocked: contact.blocked, ignored: contact.ignored, added: contact.added)
    }

    private static func name(_ text: String?) -> PeerName? {
        do {
            return try text.map { try PeerName($0) }
        } catch {
            return nil  // The name was valid when it was stored; the rules have changed.
        }
    }
}

extension StoredContact {
    fileprivate init(_ person: KnownPerson) {
        self.init(
            peer: person.id, name: person.name?.text, petname: person.petname?.text, added: person.added,
            verified: person.verified, blocked: person.blocked, ignored: person.ignored)
    }
}
