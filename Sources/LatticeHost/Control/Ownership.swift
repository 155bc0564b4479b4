import LatticeAPI
package import LatticeCore
package import LatticeCrypto
package import LatticeNode
import LatticeSettings

/// Becoming the process that has a folder, and what its node is to be. Whoever names nobody the next time is this one once the
/// node runs, and not before: a slip in a name may be what it fails of.
package enum Ownership {
    /// A command that hands over what it wrote is done in a few seconds.
    private static let claimPatience: Duration = .seconds(10)

    /// - Throws: `Failure`, `unavailable` where another process has it.
    package static func claim(_ directory: DataDirectory) async throws {
        do {
            try await directory.claim(waiting: claimPatience, isRemembered: false)
        } catch {
            guard case .inUse = error else { throw Failure(.failed, error.description) }
            throw Failure(.unavailable, error.description)
        }
    }

    /// As `claim`, where what runs for the folder does as well: waits for whoever has it only for a moment, or is just coming up.
    ///
    /// - Returns: whether this process has the folder; otherwise something runs that can be asked.
    package static func claim(
        _ directory: DataDirectory, unless wish: RunningNode.Wish, takesBrief: Bool = true
    ) async throws -> Bool {
        let start = ContinuousClock.now
        while true {
            do throws(DataDirectoryError) {
                try directory.claim(isRemembered: false)
                return true
            } catch {
                guard case .inUse = error else { throw Failure(.failed, error.description) }
                if try await RunningNode.with(directory, wish, takesBrief: takesBrief, body: { _ in true }) == true {
                    return false
                }
                if let note = directory.listening(), !wish.isMet(by: note) { throw otherMesh(note, directory, wish) }
                guard start.duration(to: .now) < claimPatience else { throw Failure(.unavailable, error.description) }
                try await Task.sleep(for: claimInterval)
            }
        }
    }

    private static let claimInterval: Duration = .milliseconds(50)

    private static func otherMesh(
        _ note: ListeningNote, _ directory: DataDirectory, _ wish: RunningNode.Wish
    ) -> Failure {
        let whom = "\(DisplayText.isolated(directory.name.text)) is in use by process \(note.process)"
        if case .mesh(note.mesh, closed: .some(_)) = wish, note.isClosed {
            return Failure(
                .unavailable,
                "\(whom), in \(note.shownMesh) with a different passphrase; give that passphrase, or stop that process "
                    + "first")
        }
        return Failure(
            .unavailable,
            "\(whom), in \(note.shownMesh); add \(note.meshOptions) to use it, stop that process first, or use another "
                + "name: --name")
    }

    /// With its store; where that does not open, people are told and talk without one.
    package static func configuration(
        _ person: PersonChoice, _ network: NetworkChoice, key: MeshKey?, in directory: DataDirectory,
        rooms: [RoomName] = []
    ) throws -> NodeConfiguration {
        let identity = try person.identity(in: directory, isRemembered: false)
        var configuration = try network.configuration(of: identity, in: directory, room: RoomName("#lobby"))
        if !rooms.isEmpty { configuration.rooms = rooms }
        configuration.meshKey = key
        if let key { ClosedMeshChoice.compare(key, of: configuration.mesh, in: directory) }
        openWall(for: &configuration, in: directory)
        return configuration
    }

    package static func openWall(for configuration: inout NodeConfiguration, in directory: DataDirectory) {
        do {
            configuration.wall = try WallSession.openWall(
                directory: directory, identity: configuration.identity, mesh: configuration.mesh,
                meshKey: configuration.meshKey, textClustersMax: Settings.current.number(.textMax))
        } catch {
            // Talking needs no store; but which rooms are private only a store knows.
            Report.error("\(error.description); messages are not stored, and only #lobby is available")
            configuration.isStoreClosed = true
        }
    }
}

extension ListeningNote {
    /// As in `the open mesh lattice`.
    package var shownMesh: String { "\(isClosed ? "the closed" : "the open") mesh \(DisplayText.isolated(mesh.text))" }

    /// What names it, as in `--mesh camp --passphrase`.
    var meshOptions: String { "--mesh \(DisplayText.isolated(mesh.text))\(isClosed ? " --passphrase" : "")" }
}
