package import LatticeAPI
package import LatticeCore

/// Finds the recipient of a message by a typed name.
package enum Addressee {
    /// Finds the same person as every other command.
    ///
    /// - Throws: `RequestError` if nobody, or more than one person, matches.
    package static func find(_ typed: String, on node: any MeshNode) async throws(RequestError) -> PeerID {
        try await node.perform(FindPerson(PeerReference(typed))).id
    }
}
