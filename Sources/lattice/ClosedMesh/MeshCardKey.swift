import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeHost
import LatticeNode

/// Whose card of the mesh a link names: that of the person whose card counts here.
struct MeshCardKey {
    let directory: DataDirectory
    let person: PersonChoice
    let mesh: MeshName
    /// What runs in this mesh, or in another one of the same name.
    let running: ListeningNote?

    /// - Parameters:
    ///   - isClosed: whether the mesh has a passphrase.
    ///   - key: of a closed mesh, if it is known: nobody is asked for a passphrase here.
    /// - Returns: `nil` also if there is nobody to ask: the link works without it.
    func signer(isClosed: Bool, key: MeshKey?) async -> PeerID? {
        do {
            if let running, key == nil || running.keyTag == key?.storeTag { return try await signerOfRunning() }
            guard !isClosed || key != nil else { return nil }
            let session = try StoreSession.open(
                directory: directory, identity: try person.identity(in: directory), mesh: mesh, meshKey: key,
                onlyShows: true)
            let signer = try await session.node.perform(ShowMeshCard()).signer
            await session.close()
            return signer
        } catch {
            return nil
        }
    }

    private func signerOfRunning() async throws -> PeerID? {
        let asked = try await RunningNode.with(directory, .any) { running in
            guard running.me.mesh == mesh else { return PeerID?.none }
            let node: any MeshNode = running.client
            return try await node.perform(ShowMeshCard()).signer
        }
        return asked ?? nil
    }
}
