import LatticeAPI
import LatticeControl
import LatticeCore
import LatticeCrypto
import LatticeNode

/// The node that another process of this person runs for a folder.
struct RunningNode: Sendable {
    let client: ControlClient
    let me: Me

    /// A node of this machine answers at once; one that is stopped never does.
    private static let helloTimeout: Duration = .seconds(3)
    /// One that begins now opens its store and its port first.
    private static let beginTimeout: Duration = .seconds(10)

    /// In which mesh it has to be.
    enum Wish: Equatable {
        /// Where nothing is said.
        case any
        /// `closed` is the tag of its store; `nil` is the open one of that name.
        case mesh(MeshName, closed: String?)

        /// What the options of a command name, whether anything runs or not: what is said must not land elsewhere.
        init(_ name: MeshName?, key: MeshKey?) throws {
            self = .mesh(try SettledMesh.name(name), closed: key?.storeTag)
        }

        fileprivate func isMet(by hello: ControlHello) -> Bool {
            switch self {
            case .any: true
            case .mesh(let name, let closed): hello.me.mesh == name && hello.closed == closed
            }
        }
    }

    /// Asks it, if there is one.
    ///
    /// - Returns: what `body` did; `nil` where nothing runs, or in another mesh.
    static func with<Value>(
        _ directory: DataDirectory, _ wish: Wish, isolation: isolated (any Actor)? = #isolation,
        body: (RunningNode) async throws -> Value
    ) async throws -> Value? {
        guard let (client, isSure) = await connected(to: directory) else { return nil }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            defer { group.cancelAll() }
            guard let hello = await hello(client, atMost: isSure ? helloTimeout : beginTimeout), wish.isMet(by: hello),
                isSure || isOwner(hello.me.id, of: directory)
            else { return nil }
            return try await body(RunningNode(client: client, me: hello.me))
        }
    }

    /// - Returns: also whether it is known to be of this folder; a service that its socket begins has yet to say who it is.
    private static func connected(to directory: DataDirectory) async -> (ControlClient, isSure: Bool)? {
        let noted = directory.listening()?.controlPath
        guard let path = noted ?? DataDirectory.serviceControlPath else { return nil }
        do {
            return (try await ControlClient.connected(to: path), noted != nil)
        } catch {
            return nil  // Nobody is there.
        }
    }

    private static func isOwner(_ peer: PeerID, of directory: DataDirectory) -> Bool {
        do {
            return try directory.identityFile.content().peer == peer
        } catch {
            return false  // There is nobody in this folder, or nobody who can be asked.
        }
    }

    private static func hello(_ client: ControlClient, atMost limit: Duration) async -> ControlHello? {
        await withTaskGroup(of: ControlHello?.self) { group in
            group.addTask {
                do {
                    return try await client.hello()
                } catch {
                    return nil  // It ends just now, or is of another version.
                }
            }
            group.addTask {
                do {
                    try await Task.sleep(for: limit)
                } catch {
                    // It has answered.
                }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
