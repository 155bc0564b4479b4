import Glibc
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import Logging
import Testing

@testable import LatticeNode

/// The public rooms a person is in outlive the process.
@Suite(.timeLimit(.minutes(10))) struct JoinedRoomsTests {
    private func inFolder(_ work: (DataDirectory) async throws -> Void) async throws {
        var template = Array("/tmp/lattice-rooms-XXXXXX".utf8CString)
        let path = String(cString: try #require(mkdtemp(&template)))
        defer {
            unlink("\(path)/rooms")
            rmdir(path)
        }
        try await work(try DataDirectory(name: try PeerName("alice"), directory: path))
    }

    private func rooms(_ names: String...) throws -> [RoomName] { try names.map { try RoomName($0) } }

    private func node(_ directory: DataDirectory, named: [RoomName] = [], mesh: String = "camp") async throws -> Node {
        var configuration = NodeConfiguration(
            identity: .generate(), name: directory.name, rooms: try rooms("#lobby"), mesh: try MeshName(mesh))
        configuration.discovery = .off
        configuration.rejoin(directory.joinedRooms(of: configuration.mesh), named: named)
        var quiet = Logger(label: "test")
        quiet.logLevel = .critical
        return try await Node(configuration, logger: quiet)
    }

    /// - Returns: the rooms a node begins in.
    private func running(_ node: Node, _ work: () async throws -> Void = {}) async throws -> [RoomName] {
        try await withThrowingDiscardingTaskGroup { group in
            let events = await node.events()
            group.addTask { await node.run() }
            for await event in events { if case .ready = event { break } }
            let begun = await node.me.rooms
            try await work()
            await node.stop()
            return begun
        }
    }

    @Test func aNodeBeginsInTheRoomsThatWereJoinedAndNotInThoseThatWereLeft() async throws {
        try await inFolder { directory in
            let first = try await node(directory)
            let begun = try await running(first) {
                for room in try rooms("#park", "#music", "#food") { _ = try await first.perform(JoinRoom(room)) }
                _ = try await first.perform(LeaveRoom(try RoomName("#music")))
                _ = try await first.perform(JoinRoom(try RoomName("#park")))
            }
            #expect(begun == (try rooms("#lobby")))
            #expect(try await running(try await node(directory)) == (try rooms("#park", "#food", "#lobby")))
            // A room that is named comes first, and the others are joined as well.
            let named = try await node(directory, named: try rooms("#food"))
            #expect(try await running(named) == (try rooms("#food", "#park", "#lobby")))
            // Each mesh has rooms of its own.
            #expect(try await running(try await node(directory, mesh: "other")) == (try rooms("#lobby")))
        }
    }

    @Test func privateRoomsAreNotWrittenDownAndWithoutTheStoreNothingIsJoinedAgain() async throws {
        try await inFolder { directory in
            let book = directory.joinedRooms(of: try MeshName("camp"))
            try book.write(try rooms("#park"))
            var configuration = NodeConfiguration(
                identity: .generate(), name: directory.name, rooms: try rooms("#lobby"), mesh: try MeshName("camp"))
            configuration.isStoreClosed = true
            configuration.rejoin(book, named: [])
            #expect(configuration.rooms == (try rooms("#lobby")))
        }
    }

    @Test func aFileThatSomebodySpoiltIsNoReasonNotToBegin() async throws {
        try await inFolder { directory in
            let spoilt = "camp.sqlite\tno room\t#park\nx\n\t\t\n"
            try TextFile(path: "\(directory.path)/rooms").replace(with: spoilt)
            #expect(directory.joinedRooms(of: try MeshName("camp")).read() == (try rooms("#park")))
        }
    }

    @Test func moreRoomsThanAPresenceHoldsAreLeftOut() async throws {
        try await inFolder { directory in
            let book = directory.joinedRooms(of: try MeshName("camp"))
            let many = try (0..<64).map { try RoomName("#" + String(repeating: "x", count: 30) + "\($0)") }
            try book.write(many)
            var configuration = NodeConfiguration(
                identity: .generate(), name: directory.name, rooms: try rooms("#lobby"), mesh: try MeshName("camp"))
            configuration.rejoin(book, named: [])
            #expect(configuration.rooms.first == many.last)
            #expect((2..<64).contains(configuration.rooms.count))
        }
    }
}
