import Foundation
import LatticeStore

// The folders with the files that people share, `MESH.blobs`, and with base maps.
extension DataDirectory {
    static func isBlobFolder(_ name: String) -> Bool { name.hasSuffix(".blobs") && name != ".blobs" }

    /// Whether a folder has what ours have; a link to one has not.
    func isBlobFolder(_ path: String) -> Bool {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return false }
        return ["lock", "part", "new"].allSatisfy { access("\(path)/\($0)", F_OK) == 0 }
    }

    /// Where base maps are kept.
    package static let mapsName = "maps"

    /// Whether a folder holds maps alone, besides halves of them; a link to one does not count.
    func isMapFolder(_ path: String) -> Bool {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return false }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).allSatisfy { name in
                // Readers of SQLite make the last two.
                TileFolder.isMap(name) || [".new", "-wal", "-shm"].contains { name.hasSuffix($0) }
            }
        } catch {
            return false
        }
    }

    /// Removes such a folder with everything in it.
    func removeFolder(_ name: String, in wiped: inout WipedFolder) {
        let folder = "\(path)/\(name)"
        var bytes = 0
        for file in FileManager.default.enumerator(atPath: folder) ?? FileManager.DirectoryEnumerator() {
            var facts = stat()
            guard let file = file as? String, lstat("\(folder)/\(file)", &facts) == 0 else { continue }
            if facts.st_mode & S_IFMT == S_IFREG { bytes += Int(facts.st_size) }
        }
        do {
            try FileManager.default.removeItem(atPath: folder)
            wiped.removed.append(.init(name: name, bytes: bytes))
        } catch {
            wiped.failed.append("\(name): \(error.localizedDescription)")
        }
    }
}
