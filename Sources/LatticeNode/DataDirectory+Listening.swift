import Glibc
package import LatticeCore

/// Where the process that has a folder is reached, for commands that invite others to it.
package struct ListeningNote: Hashable, Sendable {
    package let mesh: MeshName
    /// The tag of the key of a closed mesh; see `MeshKey.storeTag`.
    package let keyTag: String?
    package let port: UInt16
    /// Where other programs of the same person ask it; `nil` if nowhere.
    package let controlPath: String?
    /// Which process that is.
    package let process: Int32
    /// It is there for one command, and gone in a moment: not for whoever wants to stay.
    package let isBrief: Bool

    package var isClosed: Bool { keyTag != nil }

    /// - Parameter process: this one.
    package init(
        mesh: MeshName, keyTag: String?, port: UInt16, controlPath: String? = nil, process: Int32 = getpid(),
        isBrief: Bool = false
    ) {
        (self.mesh, self.keyTag, self.port, self.controlPath) = (mesh, keyTag, port, controlPath)
        (self.process, self.isBrief) = (process, isBrief)
    }

    /// `PROCESS PORT open|closed-TAG MESH`, the path of the socket on a line of its own, and `brief` behind it if it is.
    fileprivate var text: String {
        "\(process) \(port) \(keyTag.map { "\(Self.closed)\($0)" } ?? "open") \(mesh.text)\n"
            + (controlPath.map { "\($0)\n" } ?? "") + (isBrief ? "\(Self.brief)\n" : "")
    }

    private static let closed = "closed-"
    private static let brief = "brief"

    /// - Returns: `nil` for what is no note of a process that runs.
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

    /// Tells other processes of this person where this one, which has claimed the folder, listens.
    ///
    /// - Throws: `cannotWrite`; others take this process for one that cannot be asked until it has worked.
    package func note(_ note: ListeningNote) throws(DataDirectoryError) {
        do {
            try listeningFile.replace(with: note.text)
        } catch {
            do {
                // On a full disk what an earlier process left has the space that this takes.
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
