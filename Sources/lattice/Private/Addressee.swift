import LatticeAPI
import LatticeChat
import LatticeCore

/// Whom a line is for, as it is typed in the shell.
enum Addressee {
    /// Of those with whom one talked and those who are known by what they wrote.
    ///
    /// - Throws: `RequestError` where nobody, or more than one, is meant.
    static func find(_ typed: String, on node: any MeshNode) async throws(RequestError) -> PeerID {
        let typed = typed.hasPrefix("@") ? String(typed.dropFirst()) : typed
        var people = Roster.matches(typed, in: try await conversations(on: node)).map { ($0.peer, $0.name.text) }
        if let person = try await person(typed, on: node) {
            guard !person.isMe else { throw RequestError(.unknownPeer, "that is you; say it to somebody else") }
            if !people.contains(where: { $0.0 == person.id }) { people.append((person.id, person.name ?? "")) }
        }
        guard people.count <= 1 else {
            let names = people.map { "\(DisplayText.isolated($0.1))#\($0.0.short)" }
            throw RequestError(.ambiguous, "several people are called so: \(names.joined(separator: ", ")); say which")
        }
        guard let peer = people.first?.0 ?? PeerID(hex: typed.lowercased()) else {
            throw RequestError(
                .unknownPeer,
                "nobody known here is called \(DisplayText.isolated(String(typed.prefix(64)))); "
                    + "an id of 64 digits does, too")
        }
        return peer
    }

    private static func conversations(on node: any MeshNode) async throws(RequestError) -> [(PeerID, PeerName)] {
        guard case .privateHistory(let lines) = try await node.perform(.conversations) else {
            preconditionFailure("each request names its answer")
        }
        return lines.compactMap { line in line.peerName.map { (line.peer, $0) } }
    }

    private static func person(_ typed: String, on node: any MeshNode) async throws(RequestError) -> PersonInfo? {
        do {
            return try await node.person(.profile(PeerReference(typed)))
        } catch {
            guard error.code == .unknownPeer else { throw error }
            return nil
        }
    }
}
