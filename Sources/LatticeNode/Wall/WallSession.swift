import Glibc
package import LatticeAPI
package import LatticeCore
package import LatticeCrypto
import LatticeStore
import Logging

/// The wall for one command: its store, and no network until what was written is handed over.
package struct WallSession: Sendable {
    /// What became of what was written.
    package enum HandOver: Hashable, Sendable {
        /// A neighbour has all of it.
        case taken
        /// What runs for this folder may be in another mesh, and then hands over nothing of this one.
        case nobodyThere
        /// A process that runs for this folder does it, within a second.
        case byRunningNode
    }

    package let node: any MeshNode
    let wall: Wall?
    private let directory: DataDirectory
    private let place: Place
    private let look: LookFolder?

    /// Whose store it is: that of a mesh and, where that is closed, a key.
    struct Place: Hashable, Sendable {
        let mesh: MeshName
        let keyTag: String?
    }

    /// Opens the store of this person and mesh. One that is damaged is opened, too: to be checked and mended, and nothing else.
    ///
    /// - Parameters:
    ///   - textClustersMax: grapheme clusters of a post or comment, 1–1,000; `nil` is 140.
    ///   - onlyShows: whether nothing is to be written: a store that is not there is not made.
    /// - Throws: `RequestError`, whose description says what to do.
    package static func open(
        directory: DataDirectory, identity: Identity, mesh: MeshName, meshKey: MeshKey? = nil,
        textClustersMax: Int? = nil, onlyShows: Bool = false
    ) throws(RequestError) -> WallSession {
        let (clock, place) = (NodeClock(), Place(mesh: mesh, keyTag: meshKey?.storeTag))
        let kept = directory.storePath(of: mesh, key: meshKey)
        let look = onlyShows && access(kept, F_OK) != 0 && errno == ENOENT ? LookFolder() : nil
        let path = look?.storePath ?? kept
        let file = StoreFile(path: path, owner: identity.peer, directory: directory, clock: clock)
        do {
            let wall = try openWall(
                at: path, directory: directory, identity: identity, textClustersMax: textClustersMax)
            let desk = KnownDesk(
                book: directory.people, me: identity.peer, mesh: mesh, name: directory.name, wall: wall)
            return WallSession(
                node: StoreNode(wall: wall, file: file, clock: clock, desk: desk), wall: wall, directory: directory,
                place: place, look: look)
        } catch {
            guard error.code == .damaged else {
                look?.remove()
                throw error
            }
            let desk = KnownDesk(book: directory.people, me: identity.peer, mesh: mesh, name: directory.name)
            return WallSession(
                node: DamagedStoreNode(file: file, damage: error, desk: desk), wall: nil, directory: directory,
                place: place, look: look)
        }
    }

    /// The wall alone, for a node of one's own.
    package static func openWall(
        directory: DataDirectory, identity: Identity, mesh: MeshName, meshKey: MeshKey? = nil,
        textClustersMax: Int? = nil
    ) throws(RequestError) -> Wall {
        try openWall(
            at: directory.storePath(of: mesh, key: meshKey), directory: directory, identity: identity,
            textClustersMax: textClustersMax)
    }

    private static func openWall(
        at path: String, directory: DataDirectory, identity: Identity, textClustersMax: Int?
    ) throws(RequestError) -> Wall {
        // What people say is nobody else's to read; SQLite gives the files beside it the same mode.
        let made = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if made >= 0 { Glibc.close(made) }
        do {
            let store = try Store(path: path, owner: identity.peer)
            store.setBlocked(directory.people.blocked())
            return Wall(
                store: store, identity: identity, name: directory.name, book: directory.people,
                textClustersMax: textClustersMax)
        } catch {
            throw RequestError(error)
        }
    }

    /// Gives what was written to whoever is there, by a node of its own if none runs for this folder.
    ///
    /// - Parameters:
    ///   - configuration: of that node; its wall is this one.
    ///   - atMost: how long to look for somebody; with nothing the folder is not even looked at.
    package func handOver(_ configuration: NodeConfiguration, atMost limit: Duration) async -> HandOver {
        guard let wall, await hasWaiting(in: wall) else { return .taken }
        guard limit > .zero else { return .nobodyThere }
        let end = Clocks.now.advanced(by: limit)
        while let held = claim() {
            // Another command hands over, and may or may not have seen what this one wrote.
            guard held == .byAnotherCommand, Clocks.now < end else {
                return held.handsOver ? .byRunningNode : .nobodyThere
            }
            guard await Self.pause() else { return .byRunningNode }
            guard await hasWaiting(in: wall) else { return .taken }
        }
        var configuration = configuration
        // It is gone in a moment, and a large store takes one to read.
        // But the keys of whom a letter is for have to come first.
        let isUnsealed = await hasUnsealed(in: wall)
        configuration.compares = isUnsealed
        configuration.hasMail = isUnsealed
        guard let node = await Self.node(of: wall, configuration) else { return .nobodyThere }
        return await withDiscardingTaskGroup { group in
            group.addTask { await node.run() }
            let isTaken = await node.handOverAll(atMost: Clocks.now.duration(to: end))
            await node.stop()
            return isTaken ? .taken : .nobodyThere
        }
    }

    /// The last thing that is asked.
    package func close() async {
        await wall?.close()
        look?.remove()
    }

    private static let claimInterval: Duration = .milliseconds(50)

    /// Between two looks whether the folder is free.
    ///
    /// - Returns: `false` if there is to be no other.
    static func pause() async -> Bool {
        do {
            try await Task.sleep(for: claimInterval)
            return true
        } catch {
            return false
        }
    }

    /// A node of this process's own, which logs nothing; `nil` where none can be.
    static func node(of wall: Wall, _ configuration: NodeConfiguration) async -> Node? {
        var configuration = configuration
        configuration.wall = wall
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
        /// It cannot be claimed, and nobody has it.
        case byNobody

        /// Whether what is in this store goes out by whoever has the folder.
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
            guard let note = directory.listening(), place != Place(mesh: note.mesh, keyTag: note.keyTag) else {
                return .byNode
            }
            return .byNodeElsewhere(note)
        }
    }

    private func hasWaiting(in wall: Wall) async -> Bool {
        do {
            if try await !wall.store.waiting(limit: 1, after: nil).isEmpty { return true }
        } catch {
            return false
        }
        return await hasUnsealed(in: wall)
    }

    private func hasUnsealed(in wall: Wall) async -> Bool {
        do {
            return try await !wall.store.unsealedLetters(at: Clocks.machine(), limit: 1).isEmpty
        } catch {
            return false
        }
    }
}
