package import LatticeCore
package import LatticeCrypto

/// The public rooms a person is in, across restarts: the file `rooms` of an identity's folder, one line for each mesh. A line
/// has the name of the mesh's store and the rooms, separated by tabs; the room joined last comes last.
package struct JoinedRooms: Sendable {
    /// As many meshes as a person has stores; 64 rooms each are 4 KB.
    private static let meshesMax = 64

    private let file: TextFile
    private let mesh: String

    init(folder: String, mesh: String) {
        file = TextFile(path: "\(folder)/\(DataDirectory.roomsName)")
        self.mesh = mesh
    }

    /// - Returns: nothing if the file cannot be read: the rooms can be joined again.
    package func read() -> [RoomName] {
        lines().first { $0.mesh == mesh }?.rooms.compactMap(Self.room) ?? []
    }

    func write(_ rooms: [RoomName]) throws(SystemError) {
        let others = lines().filter { $0.mesh != mesh }.prefix(Self.meshesMax - 1)
        let all = [(mesh: mesh, rooms: rooms.map(\.text))] + others
        try file.replace(with: all.map { ([$0.mesh] + $0.rooms).joined(separator: "\t") + "\n" }.joined())
    }

    private func lines() -> [(mesh: String, rooms: [String])] {
        let text: String
        do {
            text = try file.read() ?? ""
        } catch {
            return []  // The rooms can be joined again.
        }
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t").map(String.init)
            return parts.first.map { ($0, Array(parts.dropFirst())) }
        }
    }

    private static func room(_ text: String) -> RoomName? {
        do {
            return try RoomName(text)
        } catch {
            return nil  // Somebody edited the file.
        }
    }
}

extension DataDirectory {
    static let roomsName = "rooms"

    package func joinedRooms(of mesh: MeshName, key: MeshKey? = nil) -> JoinedRooms {
        let store = storePath(of: mesh, key: key)
        return JoinedRooms(folder: path, mesh: String(store.dropFirst(path.utf8.count + 1)))
    }
}

/// Keeps `JoinedRooms` up to date while a node runs.
struct RoomMemory {
    private let book: JoinedRooms?
    private var order: [RoomName]

    /// - Parameter book: `nil` remembers nothing.
    init(_ book: JoinedRooms?) {
        self.book = book
        order = book?.read() ?? []
    }

    /// - Parameters:
    ///   - rooms: the current public rooms.
    ///   - entered: the room joined last.
    mutating func note(_ rooms: [RoomName], entered: RoomName? = nil) throws(SystemError) {
        guard let book else { return }
        var now = order.filter { rooms.contains($0) && $0 != entered }
        now += rooms.filter { !now.contains($0) && $0 != entered }
        if let entered, rooms.contains(entered) { now.append(entered) }
        guard now != order else { return }
        order = now
        try book.write(now)
    }
}
