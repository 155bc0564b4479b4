import Glibc
import LatticeCore
import LatticeCrypto
import NIOCore

/// A file that is served. It is open, so what stands at its path later does not matter.
package final class SharedFile: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case program
        case debian
        case source

        /// Where it is served, and nothing else is.
        package var path: String {
            switch self {
            case .program: "/lattice"
            case .debian: "/lattice.deb"
            case .source: "/source.bundle"
            }
        }
    }

    package let kind: Kind
    /// The name under which a browser stores it.
    package let name: String
    package let bytes: Int
    /// SHA-256 in 64 hexadecimal digits.
    package let sum: String
    /// Used on one event loop alone: it does not allow two accesses at a time.
    let handle: NIOFileHandle

    /// Opens a regular file and hashes it.
    package init(_ kind: Kind, at path: String, name: String) throws(SharedFileFault) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SharedFileFault(.unreadable(errno), path) }
        let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
        do {
            try Self.check(descriptor, kind, path)
            let (bytes, sum) = try Self.summed(descriptor, path)
            (self.kind, self.name, self.bytes, self.sum, self.handle) = (kind, name, bytes, sum, handle)
        } catch {
            Self.close(handle)
            throw error
        }
    }

    deinit { Self.close(handle) }

    private static func close(_ handle: NIOFileHandle) {
        do {
            try handle.close()
        } catch {
            return  // It was only read.
        }
    }

    /// What the program is made for.
    package var program: ProgramFile? {
        do {
            return try handle.withUnsafeFileDescriptor { descriptor in
                ProgramFile { Self.read(descriptor, at: $0, count: $1) ?? [] }
            }
        } catch {
            return nil
        }
    }

    private static func check(_ descriptor: Int32, _ kind: Kind, _ path: String) throws(SharedFileFault) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw SharedFileFault(.unreadable(errno), path) }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw SharedFileFault(.folder, path)
        default: throw SharedFileFault(.noFile, path)
        }
        let beginning = read(descriptor, at: 0, count: 16) ?? []
        switch kind {
        case .program:
            guard ProgramFile({ read(descriptor, at: $0, count: $1) ?? [] }) != nil else {
                throw SharedFileFault(.noProgram, path)
            }
        case .debian:
            // ar(5), with `debian-binary` as its first member (deb(5)).
            guard beginning.starts(with: Array("!<arch>\ndebian-b".utf8)) else {
                throw SharedFileFault(.noPackage, path)
            }
        case .source:
            guard [2, 3].contains(where: { beginning.starts(with: Array("# v\($0) git bundle\n".utf8)) }) else {
                throw SharedFileFault(.noBundle, path)
            }
        }
    }

    private static let pieceBytes = 1 << 20

    private static func summed(_ descriptor: Int32, _ path: String) throws(SharedFileFault) -> (Int, String) {
        var (sum, bytes) = (SHA256Sum(), 0)
        while true {
            guard let piece = read(descriptor, at: bytes, count: pieceBytes) else {
                throw SharedFileFault(.unreadable(errno), path)
            }
            guard !piece.isEmpty else { return (bytes, sum.value.hex) }
            sum.add(piece[...])
            bytes += piece.count
        }
    }

    // Safety: the buffer is lent to pread(2) for the length of the call, with its true size.
    private static func read(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: count)
        var result = pread(descriptor, &buffer, count, offset)
        while result < 0, errno == EINTR { result = pread(descriptor, &buffer, count, offset) }
        guard result >= 0 else { return nil }
        buffer.removeLast(count - result)
        return buffer
    }
}

/// Why a file cannot be shared, in words for people.
package struct SharedFileFault: Error, Equatable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        /// The number from errno(3).
        case unreadable(Int32)
        case folder
        /// A device, a pipe or a socket.
        case noFile
        case noProgram
        case noPackage
        case noBundle
    }

    package let reason: Reason
    package let path: String

    init(_ reason: Reason, _ path: String) {
        (self.reason, self.path) = (reason, path)
    }

    package var description: String {
        let path = DisplayText.safe(path)
        return switch reason {
        case .unreadable(let code): "cannot read \(path): \(String(cString: strerror(code)))"
        case .folder: "\(path) is a folder; name a file"
        case .noFile: "\(path) is not a regular file; name one"
        case .noProgram: "\(path) is not a Linux program of 64 bits; name one, such as tools/package makes"
        case .noPackage: "\(path) is not a Debian package; name a .deb file"
        case .noBundle: "\(path) is not a git bundle; make one with: git bundle create source.bundle HEAD"
        }
    }
}
