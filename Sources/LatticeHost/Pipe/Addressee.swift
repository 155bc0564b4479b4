package import LatticeAPI
package import LatticeCore

/// Whom a line is for, as it is typed in the shell.
package enum Addressee {
    /// Whoever every other command would take for it.
    ///
    /// - Throws: `RequestError` where nobody, or more than one, is meant.
    package static func find(_ typed: String, on node: any MeshNode) async throws(RequestError) -> PeerID {
        try await node.perform(FindPerson(PeerReference(typed))).id
    }
}
