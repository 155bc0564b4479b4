import Glibc
import LatticeCore
import LatticeWire

/// A new folder in a person's folder. It has a hidden name until it is complete, and never replaces anything.
// Safety: a name is lent to the system for the length of a call.
final class ExportFolder {
    private let parent: DiskFile
    private let hiddenName: String
    /// Locked, so that nobody takes it for what a killed process left.
    private let hidden: DiskFile
    private var folders: OpenFolders
    private var isPublished = false

    init(in path: String) throws(BlobFault) {
        parent = try DiskFile(folder: path)
        HiddenFolder.removeAbandoned(in: parent)
        (hiddenName, hidden) = try HiddenFolder.make(in: parent)
        folders = OpenFolders(below: hidden)
    }

    deinit {
        if !isPublished { DiskFolder.removeTree(hiddenName, in: parent) }
    }

    /// A new file, with the folders on the way to it.
    func file(_ entry: FolderEntry) throws(BlobFault) -> DiskFile {
        let names = entry.components
        let folder = try folders.folder(names.dropLast(), makes: true)
        return try DiskFile(names[names.count - 1], in: folder, O_WRONLY | O_CREAT | O_EXCL)
    }

    /// Gives the folder the first free of the names `name`, `name (2)`, ….
    ///
    /// - Returns: its path.
    func publish(as name: FileName) throws(BlobFault) -> String {
        let free = try ExportFile.firstFree(name, hasEnding: false) { candidate throws(BlobFault) in
            try take(candidate)
        }
        return "\(parent.path)/\(free)"
    }

    /// - Returns: `false` if something has this name.
    private func take(_ name: String) throws(BlobFault) -> Bool {
        // Takes the name. `rename` replaces a folder only if it is empty.
        guard try DiskFolder.make(name, in: parent) else { return false }
        guard renameat(parent.descriptor, hiddenName, parent.descriptor, name) == 0 else {
            let fault = BlobFault.last("\(parent.path)/\(name)")
            unlinkat(parent.descriptor, name, AT_REMOVEDIR)
            throw fault
        }
        isPublished = true
        return true
    }
}

/// Unpacks a complete blob that is a folder: each piece is proven before anything of it is written.
final class FolderExport: BlobCopy {
    /// Leaves that are read in one step: 2 MiB.
    private static let leavesMax = 64
    /// Files that are made in one step; they may be empty.
    private static let filesMax = 1_024

    private var content: BlobContent
    private let target: ExportFolder
    private var reader: FolderListReader
    private var list: FolderList?
    /// Bytes of content that are not written yet.
    private var rest: ArraySlice<UInt8> = []
    /// The entry that is next.
    private var next = 0
    private var file: (file: DiskFile, size: Int64, written: Int64)?

    init(_ content: BlobContent, to target: ExportFolder) {
        (self.content, self.target) = (content, target)
        reader = FolderListReader(blobBytes: content.byteCount)
    }

    func copySome() throws(BlobFault) -> Bool {
        var (leafCount, fileCount) = (0, 0)
        while leafCount < Self.leavesMax, fileCount < Self.filesMax {
            if let list, file == nil, next < list.entries.count {
                try begin(list.entries[next])
                fileCount += 1
            } else if !rest.isEmpty {
                try takeSome()
            } else if let bytes = try content.next() {
                rest = bytes[...]
                leafCount += 1
            } else {
                try checkEnd()
                return false
            }
        }
        return true
    }

    private func begin(_ entry: FolderEntry) throws(BlobFault) {
        let made = try target.file(entry)
        next += 1
        if entry.size > 0 { file = (made, entry.size, 0) }
    }

    private func takeSome() throws(BlobFault) {
        if let (open, size, written) = file {
            let bytes = rest.prefix(Int(min(size - written, Int64(rest.count))))
            try open.write(bytes, at: written)
            rest = rest.dropFirst(bytes.count)
            let now = written + Int64(bytes.count)
            file = now < size ? (open, size, now) : nil
            return
        }
        do throws(WireError) {
            guard list == nil else { throw .trailing(field: "folder", bytes: rest.count) }
            list = try reader.take(&rest)
        } catch {
            throw .notAFolder(error)
        }
    }

    /// All files are complete, because a list is accepted only if its sizes add up.
    private func checkEnd() throws(BlobFault) {
        do throws(WireError) {
            try reader.end()
            guard file == nil else { throw .truncated(field: "folder") }
        } catch {
            throw .notAFolder(error)
        }
    }

    func publish(as name: FileName) throws(BlobFault) -> String { try target.publish(as: name) }
}
