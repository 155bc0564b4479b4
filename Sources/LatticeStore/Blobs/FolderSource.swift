import Glibc
package import LatticeWire

/// Why a folder on disk was not packed.
package enum FolderSourceFault: Error, Hashable, Sendable {
    /// The folder, or something in it, cannot be read.
    case unreadable(path: String, code: Int32)
    /// It changed between the listing and the end of the reading.
    case changed(path: String)
    /// A name is not UTF-8 or breaks the rule of `FileName`, or the path is too long or too deep.
    case badPath(String)
    case list(FolderListFault)
    /// The blob was not written.
    case blob(BlobFault)
    case cancelled
}

/// A folder on disk that becomes one blob: all regular files in it, hidden ones too, in the order of the bytes of their paths. The
/// same files give the same blob. Folders without a file are left out.
package struct FolderSource: Sendable {
    /// Bytes that are read at once.
    private static let chunkBytes = 256 << 10

    package let path: String
    package let list: FolderList
    /// Links, devices, pipes and sockets, which are left out.
    package let skippedCount: Int
    /// Of each entry of the list.
    fileprivate let facts: [DiskFacts]

    private init(_ path: String, _ list: FolderList, _ walk: FolderWalk) {
        (self.path, self.list) = (path, list)
        skippedCount = walk.skippedCount
        facts = walk.files.map(\.facts)
    }

    /// Finds out which files are in a folder.
    ///
    /// - Parameter path: may be a link to a folder.
    @concurrent package static func walk(_ path: String) async throws(FolderSourceFault) -> FolderSource {
        var walk = FolderWalk()
        try walk.add(try root(path), below: "", depth: 0)
        walk.sort()
        do throws(FolderListFault) {
            return FolderSource(path, try FolderList(walk.files.map(\.entry)), walk)
        } catch {
            throw .list(error)
        }
    }

    fileprivate static func root(_ path: String) throws(FolderSourceFault) -> DiskFile {
        do throws(BlobFault) {
            return try DiskFile(folder: path)
        } catch {
            throw .unreadable(path: path, code: error.code)
        }
    }

    /// Appends the list and the contents of all files.
    ///
    /// - Throws: `changed` for a file that is not as it was in `walk`.
    @concurrent package func write(to blob: NewBlob) async throws(FolderSourceFault) {
        var reading = try FolderReading(self)
        while let chunk = try reading.next(Self.chunkBytes) {
            if Task.isCancelled { throw .cancelled }
            do throws(BlobFault) {
                try await blob.append(chunk)
            } catch {
                throw .blob(error)
            }
        }
    }
}

extension BlobFault {
    /// The system's error for a file that was to be read.
    fileprivate var code: Int32 {
        if case .ioFailed(_, let code) = self { code } else { EIO }
    }
}

extension FolderSourceFault {
    /// - Parameter fault: of something that was there a moment ago.
    fileprivate init(_ fault: BlobFault, path: String) {
        switch fault.code {
        case ENOENT, ENOTDIR, ELOOP, ENXIO: self = .changed(path: path)
        default: self = .unreadable(path: path, code: fault.code)
        }
    }
}

/// The files below a folder.
private struct FolderWalk {
    private(set) var files: [(entry: FolderEntry, facts: DiskFacts)] = []
    private(set) var skippedCount = 0
    private var listBytes = FolderList.mark.count

    mutating func sort() { files.sort { $0.entry.path.utf8.lexicographicallyPrecedes($1.entry.path.utf8) } }

    /// - Parameters:
    ///   - way: the path of the folder, with a slash at its end; empty for the first one.
    ///   - depth: folders above this one.
    mutating func add(_ folder: DiskFile, below way: String, depth: Int) throws(FolderSourceFault) {
        if Task.isCancelled { throw .cancelled }
        for name in try names(in: folder) {
            let facts = try facts(name, in: folder, way)
            switch facts.kind {
            case .other: skippedCount += 1
            case .file: try add(way + name, facts)
            case .folder:
                guard depth + 1 < FolderEntry.componentsMax else { throw .badPath(way + name) }
                let inner: DiskFile
                do throws(BlobFault) {
                    inner = try DiskFile(name, in: folder, O_RDONLY | O_DIRECTORY)
                } catch {
                    throw FolderSourceFault(error, path: "\(folder.path)/\(name)")
                }
                try add(inner, below: "\(way)\(name)/", depth: depth + 1)
            }
        }
    }

    private func names(in folder: DiskFile) throws(FolderSourceFault) -> [String] {
        let names: [String]
        do throws(BlobFault) {
            names = try DiskFolder.names(in: folder, countMax: FolderList.entriesMax)
        } catch {
            throw FolderSourceFault(error, path: folder.path)
        }
        guard names.count <= FolderList.entriesMax else {
            throw .list(.tooManyFiles(filesMax: FolderList.entriesMax))
        }
        return names
    }

    private func facts(_ name: String, in folder: DiskFile, _ way: String) throws(FolderSourceFault) -> DiskFacts {
        do throws(BlobFault) {
            return try DiskFolder.facts(name, in: folder)
        } catch {
            // The repaired form of a name that is not UTF-8 names nothing.
            if name.unicodeScalars.contains("\u{FFFD}"), error.code == ENOENT { throw .badPath(way + name) }
            throw FolderSourceFault(error, path: "\(folder.path)/\(name)")
        }
    }

    private mutating func add(_ path: String, _ facts: DiskFacts) throws(FolderSourceFault) {
        guard facts.size <= BlobName.sizeMax else { throw .list(.tooLarge(bytesMax: BlobName.sizeMax)) }
        guard let entry = FolderEntry(path: path, size: facts.size) else { throw .badPath(path) }
        listBytes += FolderList.listBytes(of: entry)
        guard files.count < FolderList.entriesMax else { throw .list(.tooManyFiles(filesMax: FolderList.entriesMax)) }
        guard listBytes <= FolderList.bytesMax else { throw .list(.listTooLong(bytesMax: FolderList.bytesMax)) }
        files.append((entry, facts))
    }
}

/// The bytes of the blob that a folder becomes.
private struct FolderReading {
    private let source: FolderSource
    private var folders: OpenFolders
    private var list: ArraySlice<UInt8>
    /// The entry that is read.
    private var index = 0
    private var file: DiskFile?
    private var read: Int64 = 0

    init(_ source: FolderSource) throws(FolderSourceFault) {
        self.source = source
        folders = OpenFolders(below: try FolderSource.root(source.path))
        list = source.list.bytes[...]
    }

    /// - Returns: as many bytes, fewer at the end; `nil` after it.
    mutating func next(_ count: Int) throws(FolderSourceFault) -> [UInt8]? {
        var chunk = Array(list.prefix(count))
        list = list.dropFirst(count)
        chunk.reserveCapacity(count)
        while chunk.count < count, index < source.list.entries.count {
            let entry = source.list.entries[index]
            do throws(BlobFault) {
                guard try readSome(of: entry, into: &chunk, count - chunk.count) else {
                    throw .ioFailed(path: entry.path, code: ENOENT)
                }
            } catch {
                throw FolderSourceFault(error, path: "\(source.path)/\(entry.path)")
            }
        }
        return chunk.isEmpty ? nil : chunk
    }

    /// - Returns: `false` if the file is not as it was.
    private mutating func readSome(
        of entry: FolderEntry, into chunk: inout [UInt8], _ count: Int
    ) throws(BlobFault) -> Bool {
        let open = try opened(entry)
        if read == 0 { guard try open.facts() == source.facts[index] else { return false } }
        let bytes = try open.read(at: read, count: Int(min(entry.size - read, Int64(count))))
        chunk += bytes
        read += Int64(bytes.count)
        if read < entry.size, bytes.count == count { return true }
        guard read == entry.size, try open.facts() == source.facts[index] else { return false }
        (file, read) = (nil, 0)
        index += 1
        return true
    }

    private mutating func opened(_ entry: FolderEntry) throws(BlobFault) -> DiskFile {
        if let file { return file }
        let names = entry.components
        let folder = try folders.folder(names.dropLast())
        // The file may have become a pipe since; opening that must not block.
        let opened = try DiskFile(names[names.count - 1], in: folder, O_RDONLY | O_NONBLOCK)
        file = opened
        return opened
    }
}
