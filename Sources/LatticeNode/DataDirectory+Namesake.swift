import Foundation

extension DataDirectory {
    /// A user on this machine whose name differs only in case; `nil` for a folder that was named itself.
    package var namesake: String? {
        guard lastNamePath != nil else { return nil }
        let folder = URL(fileURLWithPath: path)
        let own = folder.lastPathComponent
        do {
            // A name with another spelling in the file system could not be shown as it has to be typed.
            return try FileManager.default.contentsOfDirectory(atPath: folder.deletingLastPathComponent().path).sorted()
                .first { $0 != own && !$0.contains("%") && $0.lowercased() == own.lowercased() }
        } catch {
            return nil  // No folder exists yet.
        }
    }
}
