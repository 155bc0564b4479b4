import LatticeAPI
import LatticeChat
package import LatticeCore
package import LatticeCrypto
package import LatticeNode
import LatticeSettings

/// Claims a folder for this process and configures its node. The identity becomes the default only once the node runs: a start
/// may fail because its name was mistyped.
package enum Ownership {
    /// A command that hands over its records is done in a few seconds.
    private static let claimPatience: Duration = .seconds(10)

    /// - Throws: `Failure`, with `unavailable` if another process has the folder.
    package static func claim(_ directory: DataDirectory) async throws {
        do {
            try await directory.claim(waiting: claimPatience, isRemembered: false)
        } catch {
            guard case .inUse = error else { throw Failure(.failed, error.description) }
            throw Failure(.unavailable, error.description)
        }
    }

    /// Like `claim`, but accepts a running node instead. Waits for a process that has the folder briefly or is still starting.
    ///
    /// - Returns: whether this process has the folder; otherwise a running node answers requests.
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

    /// Includes the store. If it does not open, the error is printed and chat works without it.
    package static func configuration(
        _ person: PersonChoice, _ network: NetworkChoice, key: MeshKey?, in directory: DataDirectory,
        rooms: [RoomName] = []
    ) throws -> NodeConfiguration {
        let identity = try person.identity(in: directory, isRemembered: false)
        var configuration = try network.configuration(of: identity, in: directory, room: RoomName("#lobby"))
        if !rooms.isEmpty { configuration.rooms = rooms }
        configuration.meshKey = key
        if let key { ClosedMeshChoice.compare(key, of: configuration.mesh, in: directory) }
        openArchive(for: &configuration, in: directory)
        return configuration
    }

    package static func openArchive(for configuration: inout NodeConfiguration, in directory: DataDirectory) {
        do {
            configuration.archive = try StoreSession.openArchive(
                directory: directory, identity: configuration.identity, mesh: configuration.mesh,
                meshKey: configuration.meshKey, textClustersMax: Settings.current.number(.textMax))
        } catch {
            // Chat works without a store, but only the store knows which rooms are private.
            Report.error("\(error.words); messages are not stored, and only #lobby is available")
            configuration.isStoreClosed = true
        }
    }
}

extension ListeningNote {
    /// For example `the open mesh lattice`.
    package var shownMesh: String { "\(isClosed ? "the closed" : "the open") mesh \(DisplayText.isolated(mesh.text))" }

    /// The options that select it, such as `--mesh camp --passphrase`.
    var meshOptions: String { "--mesh \(DisplayText.isolated(mesh.text))\(isClosed ? " --passphrase" : "")" }
}
