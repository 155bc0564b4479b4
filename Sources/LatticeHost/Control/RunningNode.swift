package import LatticeAPI
import LatticeChat
package import LatticeControl
package import LatticeCore
package import LatticeCrypto
package import LatticeNode
import LatticeSettings

/// The node that another process of this person runs for a folder.
package struct RunningNode: Sendable {
    package let client: ControlClient
    package let me: Me

    /// A node on this machine answers at once; a suspended one never does.
    private static let helloTimeout: Duration = .seconds(3)
    /// A starting node opens its store and its port first.
    private static let beginTimeout: Duration = .seconds(10)

    package enum Wish: Equatable {
        /// No mesh was named.
        case any
        /// `closed` is the tag of its store; `nil` is the open mesh of that name.
        case mesh(MeshName, closed: String?)

        /// The mesh that a command's options name. It applies even if no node runs, so that nothing is said in another mesh.
        package init(_ name: MeshName?, key: MeshKey?) throws {
            self = .mesh(try SettledMesh.name(name), closed: key?.storeTag)
        }

        fileprivate func isMet(by hello: ControlHello) -> Bool {
            switch self {
            case .any: true
            case .mesh(let name, let closed): hello.me.mesh == name && hello.closed == closed
            }
        }

        /// Uses the note of the process that has the folder.
        func isMet(by note: ListeningNote) -> Bool {
            switch self {
            case .any: true
            case .mesh(let name, let closed): note.mesh == name && note.keyTag == closed
            }
        }
    }

    /// Calls `body` with the running node, if there is one.
    ///
    /// - Parameter takesBrief: whether a node that runs for one command only is acceptable.
    /// - Returns: the result of `body`; `nil` if no node runs, or it is in another mesh.
    /// - Throws: `Failure` if a node runs but does not answer, and the errors of `body`.
    package static func with<Value>(
        _ directory: DataDirectory, _ wish: Wish, takesBrief: Bool = true,
        isolation: isolated (any Actor)? = #isolation, body: (RunningNode) async throws -> Value
    ) async throws -> Value? {
        let note = directory.listening()
        if note?.isBrief == true, !takesBrief { return nil }
        guard let client = try await connected(to: note) else { return nil }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            defer { group.cancelAll() }
            guard let hello = try await hello(client, note), wish.isMet(by: hello),
                note != nil || isOwner(hello.me.id, of: directory)
            else { return nil }
            return try await body(RunningNode(client: client, me: hello.me))
        }
    }

    /// - Parameter note: of the process that has the folder. Without one, a service may be waiting for its first client,
    ///   and its owner is not yet known.
    private static func connected(to note: ListeningNote?) async throws(Failure) -> ControlClient? {
        guard let path = note.map(\.controlPath) ?? DataDirectory.serviceControlPath else { return nil }
        do {
            return try await ControlClient.connected(to: path)
        } catch is ControlClient.TooManyWait {
            throw silent(note)
        } catch {
            return nil  // Nobody listens.
        }
    }

    private static func isOwner(_ peer: PeerID, of directory: DataDirectory) -> Bool {
        do {
            return try directory.identityFile.content().peer == peer
        } catch {
            return false  // The folder has no identity, or none that can be read.
        }
    }

    private static func silent(_ note: ListeningNote?) -> Failure {
        guard let note else {
            return Failure(.unavailable, "the service does not start, though its socket exists; see its log")
        }
        return Failure(
            .unavailable,
            "process \(note.process), which runs lattice for this folder, does not answer; if it was suspended, 'kill -CONT "
                + "\(note.process)' resumes it; 'kill -KILL \(note.process)' ends it")
    }

    private enum Hello {
        case told(ControlHello)
        case refused(RequestError)
        case nothing
    }

    /// - Returns: `nil` if the node is ending, or has another version.
    private static func hello(_ client: ControlClient, _ note: ListeningNote?) async throws(Failure) -> ControlHello? {
        let hello = await withTaskGroup(of: Hello.self) { group in
            group.addTask {
                do throws(RequestError) {
                    return .told(try await client.hello())
                } catch {
                    return .refused(error)
                }
            }
            group.addTask {
                do {
                    try await Task.sleep(for: note == nil ? beginTimeout : helloTimeout)
                } catch {
                    // The node has answered.
                }
                return .nothing
            }
            defer { group.cancelAll() }
            return await group.next() ?? .nothing
        }
        switch hello {
        case .told(let hello): return hello
        case .refused(let error) where error.code == .busy: throw Failure(.unavailable, error.words)
        case .refused: return nil
        case .nothing: throw silent(note)
        }
    }
}
