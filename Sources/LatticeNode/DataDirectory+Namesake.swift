import Foundation

extension DataDirectory {
    /// Somebody on this machine whose name differs from this one in capitals alone; `nil` for a folder that was named itself.
    package var namesake: String? {
        guard lastNamePath != nil else { return nil }
        let folder = URL(fileURLWithPath: path)
        let own = folder.lastPathComponent
        do {
            // A name that is written otherwise in the file system could not be told as it is typed.
            return try FileManager.default.contentsOfDirectory(atPath: folder.deletingLastPathComponent().path).sorted()
                .first { $0 != own && !$0.contains("%") && $0.lowercased() == own.lowercased() }
        } catch {
            return nil  // Nobody was here before.
        }
    }
}
