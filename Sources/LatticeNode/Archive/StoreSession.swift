import Glibc
package import LatticeAPI
package import LatticeCore
package import LatticeCrypto
import LatticeStore
import Logging

/// The archive for one command: its store, and no network until records are handed over.
package struct StoreSession: Sendable {
    /// What happened to the records that were written.
    package enum HandOver: Hashable, Sendable {
        /// A neighbour has all of it.
        case taken
        /// The process with this folder may be in another mesh, and then hands over nothing of this one.
        case nobodyThere
        /// The process with this folder hands it over within a second.
        case byRunningNode
    }

    package let node: any MeshNode
    let archive: Archive?
    private let directory: DataDirectory
    private let key: StoreKey
    private let look: LookFolder?

    /// Identifies a store: a mesh and, if that is closed, its key.
    struct StoreKey: Hashable, Sendable {
        let mesh: MeshName
        let keyTag: String?
    }

    /// Opens the store of this person and mesh. A damaged one is opened as well, but only to be checked and repaired.
    ///
    /// - Parameters:
    ///   - textClustersMax: grapheme clusters of a post or comment, 1–1,000; `nil` is what the card of the mesh says, or 140.
    ///   - onlyShows: does not write; a missing store is not created.
    package static func open(
        directory: DataDirectory, identity: Identity, mesh: MeshName, meshKey: MeshKey? = nil,
        textClustersMax: Int? = nil, onlyShows: Bool = false
    ) throws(RequestError) -> StoreSession {
        let (clock, key) = (NodeClock(), StoreKey(mesh: mesh, keyTag: meshKey?.storeTag))
        let kept = directory.storePath(of: mesh, key: meshKey)
        let look = onlyShows && access(kept, F_OK) != 0 && errno == ENOENT ? LookFolder() : nil
        let path = look?.storePath ?? kept
        let file = StoreFile(path: path, owner: identity.peer, directory: directory, clock: clock)
        do {
            let archive = try openArchive(
                at: path, directory: directory, identity: identity, textClustersMax: textClustersMax)
            let desk = KnownDesk(
                book: .file(directory.people), me: identity.peer, mesh: mesh, name: directory.name, archive: archive)
            return StoreSession(
                node: StoreNode(archive: archive, file: file, clock: clock, desk: desk), archive: archive,
                directory: directory,
                key: key, look: look)
        } catch {
            guard case .store(.damaged(_, let reason)) = error else {
                look?.remove()
                throw error
            }
            let desk = KnownDesk(book: .file(directory.people), me: identity.peer, mesh: mesh, name: directory.name)
            return StoreSession(
                node: DamagedStoreNode(file: file, reason: reason, desk: desk), archive: nil, directory: directory,
                key: key, look: look)
        }
    }

    /// The archive alone, for the caller's own node.
    package static func openArchive(
        directory: DataDirectory, identity: Identity, mesh: MeshName, meshKey: MeshKey? = nil,
        textClustersMax: Int? = nil
    ) throws(RequestError) -> Archive {
        try openArchive(
            at: directory.storePath(of: mesh, key: meshKey), directory: directory, identity: identity,
            textClustersMax: textClustersMax)
    }

    private static func openArchive(
        at path: String, directory: DataDirectory, identity: Identity, textClustersMax: Int?
    ) throws(RequestError) -> Archive {
        // What people write is private; SQLite gives the files beside it the same mode.
        let made = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if made >= 0 { Glibc.close(made) }
        do {
            let store = try Store(path: path, owner: identity.peer)
            store.setBlocked(directory.people.blocked())
            return Archive(
                store: store, identity: identity, name: directory.name, book: directory.people,
                textClustersMax: textClustersMax)
        } catch {
            throw RequestError(error)
        }
    }

    /// Sends what was written to any peer. Starts a node if none runs for this folder.
    ///
    /// - Parameters:
    ///   - configuration: for that node; its archive is this one.
    ///   - atMost: how long to look for peers; with zero the folder is not even looked at.
    package func handOver(_ configuration: NodeConfiguration, atMost limit: Duration) async -> HandOver {
        guard let archive, await hasWaiting(in: archive) else { return .taken }
        guard limit > .zero else { return .nobodyThere }
        let end = Clocks.now.advanced(by: limit)
        while let held = claim() {
            // Another command is handing over, and may have missed records of this command.
            guard held == .byAnotherCommand, Clocks.now < end else {
                return held.handsOver ? .byRunningNode : .nobodyThere
            }
            guard await Self.pause() else { return .byRunningNode }
            guard await hasWaiting(in: archive) else { return .taken }
        }
        var configuration = configuration
        // A large store takes longer to read than this node runs. But the recipient's keys for a private message have to be
        // fetched first.
        let isUnsealed = await hasUnsealed(in: archive)
        configuration.compares = isUnsealed
        configuration.hasMail = isUnsealed
        guard let node = await Self.node(of: archive, configuration) else { return .nobodyThere }
        return await withDiscardingTaskGroup { group in
            group.addTask { await node.run() }
            let isTaken = await node.serve {
                await $0.publisher.handOverAll(atMost: Clocks.now.duration(to: end), for: $0)
            }
            await node.stop()
            return isTaken ? .taken : .nobodyThere
        }
    }

    /// The last call on this session.
    package func close() async {
        archive?.close()
        look?.remove()
    }

    private static let claimInterval: Duration = .milliseconds(50)

    /// Waits between two attempts to claim the folder.
    ///
    /// - Returns: `false` if there must be no further one.
    static func pause() async -> Bool {
        do {
            try await Task.sleep(for: claimInterval)
            return true
        } catch {
            return false
        }
    }

    /// A node in this process, which logs nothing; `nil` if it cannot start.
    static func node(of archive: Archive, _ configuration: NodeConfiguration) async -> Node? {
        var configuration = configuration
        configuration.archive = archive
        do {
            return try await Node(configuration, logger: Logger(label: "lattice") { _ in SwiftLogNoOpLogHandler() })
        } catch {
            return nil
        }
    }

    enum Holder: Equatable {
        case byNode
        case byNodeElsewhere(ListeningNote)
        case byAnotherCommand
        /// It cannot be claimed, although nobody has it.
        case byNobody

        /// Whether the holder of the folder sends what is in this store.
        var handsOver: Bool {
            switch self {
            case .byNode, .byAnotherCommand: true
            case .byNodeElsewhere, .byNobody: false
            }
        }
    }

    /// - Returns: who has the folder; `nil` if this process has it now.
    func claim() -> Holder? {
        do {
            try directory.claim(isBrief: true)
            return nil
        } catch {
            guard case .inUse(_, _, _, let isBrief) = error else { return .byNobody }
            if isBrief { return .byAnotherCommand }
            guard let note = directory.listening(), key != StoreKey(mesh: note.mesh, keyTag: note.keyTag) else {
                return .byNode
            }
            return .byNodeElsewhere(note)
        }
    }

    private func hasWaiting(in archive: Archive) async -> Bool {
        do {
            if try await !archive.store.outbox.waiting(limit: 1, after: nil).isEmpty { return true }
        } catch {
            return false
        }
        return await hasUnsealed(in: archive)
    }

    private func hasUnsealed(in archive: Archive) async -> Bool {
        do {
            return try await !archive.store.messages.unsealed(at: Clocks.machine(), limit: 1).isEmpty
        } catch {
            return false
        }
    }
}
