import Foundation
import LatticeNode
import Logging

/// Read markers of accounts, in the folder of the person who runs the node.
struct IRCMarksFile: Sendable {
    private static let bytesMax = 32 << 20
    private let path: String

    init(_ directory: DataDirectory) {
        path = "\(directory.path)/\(DataDirectory.marksName)"
    }

    /// Empty if the file is missing or unreadable: a lost marker only costs some scrolling.
    func text() -> String {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= Self.bytesMax else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    func keep(_ text: String, _ logger: Logger) {
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            logger.warning("cannot store the read markers of IRC clients", metadata: ["error": "\(error)"])
        }
    }
}
