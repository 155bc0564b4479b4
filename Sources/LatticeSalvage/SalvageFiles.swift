import Foundation
import Glibc
import LatticeStore

/// The files of a rebuilt store: the damaged one, the new one, and SQLite's files beside each.
struct SalvageFiles {
    let path: String

    var newPath: String { path + ".salvaged" }

    /// Removes the remains of an interrupted attempt.
    func clear() throws {
        try removeAll(newPath)
    }

    func freePath() throws -> String {
        // A disk has no space for more damaged stores than this.
        for number in 1...1_000 {
            let candidate = "\(path).damaged-\(number)"
            if !FileManager.default.fileExists(atPath: candidate) { return candidate }
        }
        throw StoreError.failed(path: path, reason: "there are already a thousand damaged files beside it; delete some")
    }

    /// Replaces the damaged file with the new one, which is closed. The path always has a file, since a process that found none
    /// would create an empty one.
    func exchange(damagedPath: String) throws {
        for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.moveItem(atPath: path + suffix, toPath: damagedPath + suffix)
        }
        do {
            try FileManager.default.linkItem(atPath: path, toPath: damagedPath)
        } catch {
            // File systems of USB sticks may not have hard links.
            try FileManager.default.moveItem(atPath: path, toPath: damagedPath)
        }
        guard rename(newPath, path) == 0 else {
            throw StoreError.failed(
                path: path, reason: "the saved records stay in \(newPath): \(String(cString: strerror(errno)))")
        }
        // Its log was merged into it.
        try removeAll(newPath)
    }

    private func removeAll(_ path: String) throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}
