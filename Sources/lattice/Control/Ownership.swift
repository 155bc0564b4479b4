import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeNode

/// Becoming the process that has a folder, and what its node is to be.
enum Ownership {
    /// A command that hands over what it wrote is done in a few seconds.
    private static let claimPatience: Duration = .seconds(10)

    /// - Throws: `Failure`, `unavailable` where another process has it.
    static func claim(_ directory: DataDirectory) async throws {
        do {
            try await directory.claim(waiting: claimPatience)
        } catch {
            guard case .inUse = error else { throw Failure(.failed, error.description) }
            throw Failure(.unavailable, error.description)
        }
    }

    /// With its store; where that does not open, people are told and talk without one.
    static func configuration(
        _ person: PersonOptions, _ network: NetworkOptions, key: MeshKey?, in directory: DataDirectory,
        rooms: [RoomName] = []
    ) throws -> NodeConfiguration {
        let identity = try person.identity(in: directory)
        var configuration = try network.configuration(of: identity, in: directory, room: RoomName("#lobby"))
        if !rooms.isEmpty { configuration.rooms = rooms }
        configuration.meshKey = key
        if let key { ClosedMeshOptions.compare(key, of: configuration.mesh, in: directory) }
        openWall(for: &configuration, in: directory)
        return configuration
    }

    static func openWall(for configuration: inout NodeConfiguration, in directory: DataDirectory) {
        do {
            configuration.wall = try WallSession.openWall(
                directory: directory, identity: configuration.identity, mesh: configuration.mesh,
                meshKey: configuration.meshKey, textClustersMax: Settings.current.number(.textMax))
        } catch {
            // Talking needs no store; but which rooms are private only a store knows.
            Report.error("\(error.description); nothing that is said is kept, and only #lobby is open")
            configuration.isStoreClosed = true
        }
    }
}
