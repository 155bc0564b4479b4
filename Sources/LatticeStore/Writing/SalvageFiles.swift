import Foundation
import Glibc

/// The files of a store that is made anew: the damaged one, the new one, and what SQLite puts beside each.
struct SalvageFiles {
    let path: String

    var newPath: String { path + ".salvaged" }

    /// Takes away what an interrupted attempt left.
    func clear() throws {
        try removeAll(newPath)
    }

    /// Where the damaged file goes.
    func freePath() throws -> String {
        // A disk has room for fewer damaged stores than this.
        for number in 1...1_000 {
            let candidate = "\(path).damaged-\(number)"
            if !FileManager.default.fileExists(atPath: candidate) { return candidate }
        }
        throw StoreError.failed(path: path, reason: "there are already a thousand damaged files beside it; delete some")
    }

    /// Puts the new file, which is closed, in the damaged one's place. At no moment is there no file at the path, where
    /// whoever comes next would make an empty one.
    func exchange(damagedPath: String) throws {
        for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.moveItem(atPath: path + suffix, toPath: damagedPath + suffix)
        }
        do {
            try FileManager.default.linkItem(atPath: path, toPath: damagedPath)
        } catch {
            // A stick's file system may have no second names.
            try FileManager.default.moveItem(atPath: path, toPath: damagedPath)
        }
        guard rename(newPath, path) == 0 else {
            throw StoreError.failed(
                path: path, reason: "the saved records stay in \(newPath): \(String(cString: strerror(errno)))")
        }
        // Its log is in it.
        try removeAll(newPath)
    }

    private func removeAll(_ path: String) throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}
