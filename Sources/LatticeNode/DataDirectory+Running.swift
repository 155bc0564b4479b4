import Foundation
import Glibc
package import LatticeCore

extension DataDirectory {
    /// Folders to search; nobody has this many identities.
    private static let foldersMax = 1_024

    /// This user's people with a node that runs now and stays, by name.
    package static func running() -> [PeerName] {
        let base: String
        let folders: [String]
        do {
            base = try self.base()
            folders = try FileManager.default.contentsOfDirectory(atPath: base).sorted()
        } catch {
            return []  // No folder exists yet; a command that needs one reports why.
        }
        return folders.prefix(foldersMax).compactMap { folder in
            guard let name = storedName(TextFile(path: "\(base)/\(folder)/name")), self.folder(of: name.text) == folder
            else { return nil }
            let directory = DataDirectory(path: "\(base)/\(folder)", name: name)
            guard let note = directory.listening(), !note.isBrief, directory.isClaimed else { return nil }
            return name
        }
    }

    /// Whether a process holds the folder: a killed process leaves a note whose process id may belong to another by now.
    private var isClaimed: Bool {
        let descriptor = open("\(path)/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }
}
