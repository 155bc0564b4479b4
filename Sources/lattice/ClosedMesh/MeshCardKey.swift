import LatticeAPI
import LatticeCore
import LatticeHost
import LatticeNode

/// Whose card of the mesh a link names: that of the person whose card counts here.
struct MeshCardKey {
    let person: PersonChoice
    let closed: ClosedMeshChoice

    /// - Returns: `nil` also if nobody can be asked: the link works without it.
    func signer(in directory: DataDirectory, mesh: MeshName, isRunning: Bool) async -> PeerID? {
        do {
            if isRunning {
                let asked = try await RunningNode.with(directory, .init(mesh, key: nil)) { running in
                    let node: any MeshNode = running.client
                    return try await node.perform(ShowMeshCard()).signer
                }
                return asked ?? nil
            }
            let session = try StoreSession.open(
                directory: directory, identity: try person.identity(in: directory), mesh: mesh,
                meshKey: try closed.key(of: mesh), onlyShows: true)
            let signer = try await session.node.perform(ShowMeshCard()).signer
            await session.close()
            return signer
        } catch {
            return nil
        }
    }
}
