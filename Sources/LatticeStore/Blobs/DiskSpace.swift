import Glibc

/// What is free on a disk.
// Safety: a structure is lent to the system for the length of a call.
package struct DiskSpace: Hashable, Sendable {
    /// Which disk it is, as in `st_dev`.
    package let device: UInt64
    /// Bytes that a process without special rights can write.
    package let freeBytes: Int64
    package let totalBytes: Int64

    package init(device: UInt64, freeBytes: Int64, totalBytes: Int64) {
        (self.device, self.freeBytes, self.totalBytes) = (device, freeBytes, totalBytes)
    }

    /// Bytes that files leave free: 5 %, at most 1 GiB. Messages and other programs need some.
    private static let reserveBytesMax: Int64 = 1 << 30

    /// Bytes that files may take.
    package var usableBytes: Int64 { max(0, freeBytes - min(Self.reserveBytesMax, totalBytes / 20)) }

    /// The disk of a file or folder, or of the nearest folder above it that exists.
    ///
    /// - Parameter path: absolute.
    static func of(_ path: String) throws(BlobFault) -> DiskSpace {
        var path = path
        while true {
            var (space, facts) = (statvfs(), stat())
            if statvfs(path, &space) == 0, stat(path, &facts) == 0 {
                let unit = UInt64(space.f_frsize)
                return DiskSpace(
                    device: UInt64(facts.st_dev), freeBytes: bytes(UInt64(space.f_bavail), of: unit),
                    totalBytes: bytes(UInt64(space.f_blocks), of: unit))
            }
            guard errno == ENOENT || errno == ENOTDIR, let end = path.lastIndex(of: "/"), path.count > 1 else {
                throw BlobFault.last(path)
            }
            path = end == path.startIndex ? "/" : String(path[..<end])
        }
    }

    private static func bytes(_ count: UInt64, of unit: UInt64) -> Int64 {
        let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: unit)
        return isTooLarge ? .max : Int64(clamping: bytes)
    }
}

/// What a file needs on a disk that is too small for it.
package struct SpaceNeeded: Hashable, Sendable {
    /// A file or folder on that disk.
    package let path: String
    package let neededBytes: Int64
    /// Bytes that it may take there.
    package let usableBytes: Int64

    package init(path: String, neededBytes: Int64, usableBytes: Int64) {
        (self.path, self.neededBytes, self.usableBytes) = (path, neededBytes, usableBytes)
    }

    /// - Parameter needs: how many bytes will be written where.
    /// - Returns: the first disk that is too small; `nil` if there is space for all.
    package static func missing(_ needs: [(path: String, bytes: Int64, disk: DiskSpace)]) -> SpaceNeeded? {
        for (path, _, disk) in needs {
            let bytes = needs.filter { $0.disk.device == disk.device }.reduce(0) { $0 + $1.bytes }
            if bytes > disk.usableBytes {
                return SpaceNeeded(path: path, neededBytes: bytes, usableBytes: disk.usableBytes)
            }
        }
        return nil
    }
}
