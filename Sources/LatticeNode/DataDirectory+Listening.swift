import Glibc
package import LatticeCore

/// Where the process that has a folder can be reached, for commands that invite others to it.
package struct ListeningNote: Hashable, Sendable {
    package let mesh: MeshName
    /// The tag of the key of a closed mesh; see `MeshKey.storeTag`.
    package let keyTag: String?
    package let port: UInt16
    /// Where other programs of the same user reach it; `nil` if nowhere.
    package let controlPath: String?
    /// The process that wrote this note.
    package let process: Int32
    /// It runs for one command and is gone in a moment: not for anyone who wants to stay.
    package let isBrief: Bool

    package var isClosed: Bool { keyTag != nil }

    /// - Parameter process: this process by default.
    package init(
        mesh: MeshName, keyTag: String?, port: UInt16, controlPath: String? = nil, process: Int32 = getpid(),
        isBrief: Bool = false
    ) {
        (self.mesh, self.keyTag, self.port, self.controlPath) = (mesh, keyTag, port, controlPath)
        (self.process, self.isBrief) = (process, isBrief)
    }

    /// `PROCESS PORT open|closed-TAG MESH`; then the socket's path on a line of its own, and `brief` after it if it is.
    fileprivate var text: String {
        "\(process) \(port) \(keyTag.map { "\(Self.closed)\($0)" } ?? "open") \(mesh.text)\n"
            + (controlPath.map { "\($0)\n" } ?? "") + (isBrief ? "\(Self.brief)\n" : "")
    }

    private static let closed = "closed-"
    private static let brief = "brief"

    /// - Returns: `nil` unless it is a note of a running process.
    fileprivate init?(_ text: String) {
        let lines = text.split(separator: "\n")
        let parts = text.prefix { $0 != "\n" }.split(separator: " ", maxSplits: 3)
        guard parts.count == 4, let process = Int32(parts[0]), process > 0, let port = UInt16(parts[1]), port > 0 else {
            return nil
        }
        let isClosed = parts[2].hasPrefix(Self.closed)
        guard kill(process, 0) == 0 || errno == EPERM, isClosed || parts[2] == "open" else { return nil }
        do {
            self.init(
                mesh: try MeshName(String(parts[3])),
                keyTag: isClosed ? String(parts[2].dropFirst(Self.closed.utf8.count)) : nil, port: port,
                controlPath: lines.count > 1 && lines[1] != Self.brief ? String(lines[1]) : nil, process: process,
                isBrief: lines.dropFirst().last.map { $0 == Self.brief } ?? false)
        } catch {
            return nil
        }
    }
}

extension DataDirectory {
    private var listeningFile: TextFile { TextFile(path: "\(path)/listening") }

    /// Records for other processes of this user where this one, which has claimed the folder, listens.
    ///
    /// - Throws: `cannotWrite`; until it succeeds, others think that this process cannot be asked.
    package func note(_ note: ListeningNote) throws(DataDirectoryError) {
        do {
            try listeningFile.replace(with: note.text)
        } catch {
            do {
                // On a full disk, the earlier process's note has the space that this one needs.
                try listeningFile.overwrite(with: note.text)
            } catch {
                throw .cannotWrite(path: listeningFile.path, reason: error.description)
            }
        }
    }

    /// - Returns: where the process that has this folder listens; `nil` if none runs.
    package func listening() -> ListeningNote? {
        do {
            return try listeningFile.read().flatMap(ListeningNote.init)
        } catch {
            return nil
        }
    }
}
