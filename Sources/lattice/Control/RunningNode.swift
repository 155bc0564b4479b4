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

    /// In which mesh it has to be.
    enum Wish: Equatable {
        /// Where nothing is said.
        case any
        /// `closed` is the tag of its store; `nil` is the open one of that name.
        case mesh(MeshName, closed: String?)

        /// What the options of a command name, whether anything runs or not: what is said must not land elsewhere.
        init(_ name: MeshName?, key: MeshKey?) throws {
            self = .mesh(try name ?? MeshName("lattice"), closed: key?.storeTag)
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
        guard let client = await connected(to: directory) else { return nil }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            defer { group.cancelAll() }
            guard let hello = await hello(client), wish.isMet(by: hello) else { return nil }
            return try await body(RunningNode(client: client, me: hello.me))
        }
    }

    private static func connected(to directory: DataDirectory) async -> ControlClient? {
        guard let path = directory.listening()?.controlPath else { return nil }
        do {
            return try await ControlClient.connected(to: path)
        } catch {
            return nil  // Nobody is there.
        }
    }

    private static func hello(_ client: ControlClient) async -> ControlHello? {
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
                    try await Task.sleep(for: helloTimeout)
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
