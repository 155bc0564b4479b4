import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import Testing

@testable import LatticeNode

/// What the doctor says of what somebody keeps, and what a damaged store answers.
struct FolderFaultTests {
    private let path = NSTemporaryDirectory() + "lattice-fault-\(UUID().uuidString)"
    private static let mesh = Result { try MeshName("lattice") }

    private func inFolder(_ check: (DataDirectory, MeshName) async throws -> Void) async throws {
        let directory = try DataDirectory(name: try PeerName("alice"), directory: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await check(directory, try Self.mesh.get())
    }

    private func put(_ text: String, _ name: String, mode: Int = 0o600) {
        #expect(
            FileManager.default.createFile(
                atPath: "\(path)/\(name)", contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
    }

    private var names: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: path)) }
    }

    @Test func aFolderWithNobodyAndOneWithSomebodyAreSound() async throws {
        try await inFolder { directory, mesh in
            #expect(directory.fault(of: mesh) == nil)
            #expect(try names.isEmpty)
            let identity = try directory.identityFile.loadOrCreate().0
            try Store(path: directory.storePath(of: mesh), owner: identity.peer).close()
            #expect(directory.fault(of: mesh) == nil)
        }
    }

    @Test func aDamagedIdentityIsNamed() async throws {
        try await inFolder { directory, mesh in
            put("nonsense\n", "identity")
            let fault = try #require(directory.fault(of: mesh))
            guard case .identity(let error) = fault else {
                Issue.record("\(fault)")
                return
            }
            #expect(error.description.contains("\(path)/identity"))
            #expect(try names == ["identity"])
        }
    }

    @Test func aStoreThatIsNoneIsNamedWithWhatSavesIt() async throws {
        try await inFolder { directory, mesh in
            put(String(repeating: "no database at all ", count: 1_000), "lattice.sqlite")
            let fault = try #require(directory.fault(of: mesh))
            guard case .store(.damaged) = fault else {
                Issue.record("\(fault)")
                return
            }
        }
    }

    @Test func aLockThatCannotBeTakenIsNamed() async throws {
        try await inFolder { directory, mesh in
            try FileManager.default.createDirectory(atPath: "\(path)/lock", withIntermediateDirectories: false)
            let fault = try #require(directory.fault(of: mesh))
            #expect(fault == .lock(path: "\(path)/lock", reason: "Is a directory"))
        }
    }

    /// And not that no node runs.
    @Test func aDamagedStoreSaysSoWhateverItIsAsked() async throws {
        try await inFolder { directory, mesh in
            let identity = try directory.identityFile.loadOrCreate().0
            put(String(repeating: "no database at all ", count: 1_000), "lattice.sqlite")
            let session = try StoreSession.open(directory: directory, identity: identity, mesh: mesh)
            let room = try RoomName("#lobby")
            for request in [
                HistoryQuery(room: room, limit: 10), ListConversations(), ShowSyncStatus(),
                ListPrivateMessages(PeerReference(identity.peer), limit: 10),
                SendPrivateMessage(PeerReference(identity.peer), "hi", style: .says), ListPrivateRooms(), ShowHere(),
            ] as [any Request] {
                await #expect(
                    performing: { _ = try await session.node.perform(request) },
                    throws: { ($0 as? RequestError)?.code == .damaged })
            }
            await session.close()
        }
    }

    /// A full disk takes no new file; what was there before has the space.
    @Test func whereOneListensIsWrittenOverWhatWasThere() async throws {
        try await inFolder { directory, mesh in
            let first = ListeningNote(mesh: mesh, keyTag: nil, port: 40_000, controlPath: "/a/long/path/of/a.sock")
            try directory.note(first)
            let file = TextFile(path: "\(path)/listening")
            #expect(directory.listening() == first)
            try file.overwrite(with: "1 2 open x\n")
            #expect(try file.read() == "1 2 open x\n")
        }
    }
}
