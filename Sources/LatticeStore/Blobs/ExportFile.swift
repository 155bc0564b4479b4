import Glibc
import LatticeCore
import LatticeWire

/// A new file in a person's folder. It has no name, or a hidden one, until it is complete, and never replaces another.
// Safety: a name is lent to the system for the length of a call.
final class ExportFile {
    /// More files of one name are hardly in one folder.
    private static let namesMax = 1_000
    /// Linux's `O_TMPFILE`, which Glibc only declares for GNU sources.
    private static let temporaryFlag = 0o20_000_000 | O_DIRECTORY

    private let folder: DiskFile
    private let file: DiskFile
    /// `nil` where a file may be without a name.
    private var hiddenName: String?
    private var size: Int64 = 0

    /// - Parameters:
    ///   - number: makes a hidden name unique in this process.
    ///   - mayHaveNoName: `false` as on file systems where every file has a name, such as FAT and NFS.
    init(in path: String, number: Int, mayHaveNoName: Bool = true) throws(BlobFault) {
        folder = try DiskFile(folder: path)
        if mayHaveNoName {
            do {
                file = try DiskFile(".", in: folder, Self.temporaryFlag | O_WRONLY)
                return
            } catch .ioFailed(_, EOPNOTSUPP), .ioFailed(_, EISDIR), .ioFailed(_, ENOENT), .ioFailed(_, EINVAL) {
                // Then it has a hidden name for a while.
            }
        }
        let name = ".lattice-\(getpid())-\(number)"
        file = try DiskFile(name, in: folder, O_WRONLY | O_CREAT | O_EXCL)
        hiddenName = name
    }

    deinit {
        if let hiddenName { unlinkat(folder.descriptor, hiddenName, 0) }
    }

    func append(_ bytes: [UInt8]) throws(BlobFault) {
        try file.write(bytes[...], at: size)
        size += Int64(bytes.count)
    }

    /// Gives the file the first free of the names `name.ext`, `name (2).ext`, ….
    ///
    /// - Returns: its path.
    func publish(as name: FileName) throws(BlobFault) -> String {
        let free = try Self.firstFree(name) { candidate throws(BlobFault) in try take(candidate) }
        return "\(folder.path)/\(free)"
    }

    /// The first free name.
    ///
    /// - Parameter hasEnding: `false` for a folder.
    static func firstFree(
        _ name: FileName, hasEnding: Bool = true, _ take: (String) throws(BlobFault) -> Bool
    ) throws(BlobFault) -> String {
        for number in 1...namesMax {
            let candidate = candidate(name.text, number, hasEnding: hasEnding)
            if try take(candidate) { return candidate }
        }
        throw .noFreeName(name.text)
    }

    /// - Returns: `false` if there is a file with this name.
    private func take(_ name: String) throws(BlobFault) -> Bool {
        guard let hiddenName else {
            let link = "/proc/self/fd/\(file.descriptor)"
            if linkat(AT_FDCWD, link, folder.descriptor, name, AT_SYMLINK_FOLLOW) == 0 { return true }
            guard errno == EEXIST else { throw BlobFault.last("\(folder.path)/\(name)") }
            return false
        }
        do {
            // Takes the name, so that `rename` replaces no file of anybody else's.
            _ = try DiskFile(name, in: folder, O_WRONLY | O_CREAT | O_EXCL)
        } catch .ioFailed(_, EEXIST) {
            return false
        }
        guard renameat(folder.descriptor, hiddenName, folder.descriptor, name) == 0 else {
            throw BlobFault.last("\(folder.path)/\(name)")
        }
        self.hiddenName = nil
        return true
    }

    /// The `number`th name for a file, of at most 255 bytes. A leading dot becomes `_`: nobody asked for a hidden file.
    static func candidate(_ text: String, _ number: Int, hasEnding: Bool = true) -> String {
        var text = text
        if text.utf8.first == UInt8(ascii: ".") { text = "_" + String(text.unicodeScalars.dropFirst()) }
        guard number > 1 else { return text }
        let dot = hasEnding ? text.lastIndex(of: ".") ?? text.endIndex : text.endIndex
        // What is longer is no ending.
        let start = text[dot...].utf8.count <= 17 && dot != text.startIndex ? dot : text.endIndex
        let ending = " (\(number))\(text[start...])"
        var stem = text[..<start]
        while stem.utf8.count + ending.utf8.count > FileName.bytesMax { stem.removeLast() }
        return stem + ending
    }
}

/// A copy of a complete blob for a person, made in steps.
protocol BlobCopy: AnyObject {
    /// - Returns: whether more is left to copy.
    func copySome() throws(BlobFault) -> Bool
    /// Gives the copy its name. Without that, nothing of it stays.
    ///
    /// - Returns: its path.
    func publish(as name: FileName) throws(BlobFault) -> String
}

/// A copy to a file of a person's, piece by piece: each is hashed before it is written.
final class BlobExport: BlobCopy {
    /// Leaves that are copied in one step: 2 MiB.
    private static let leavesMax = 64

    private var content: BlobContent
    private let target: ExportFile

    init(_ content: BlobContent, to target: ExportFile) {
        (self.content, self.target) = (content, target)
    }

    func copySome() throws(BlobFault) -> Bool {
        for _ in 0..<Self.leavesMax {
            guard let bytes = try content.next() else { return false }
            try target.append(bytes)
        }
        return true
    }

    func publish(as name: FileName) throws(BlobFault) -> String { try target.publish(as: name) }
}
