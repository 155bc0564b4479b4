import Foundation
import Glibc

/// A disk of few bytes, in memory, at a folder of its own; only root can have one.
final class SmallDisk {
    let path: String
    private var filler: String { "\(path)/filler" }

    init(at path: String, bytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else {
            throw Child.Fault(description: "no tmpfs at \(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Writes until nothing more fits.
    func fill() throws {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Child.Fault(description: "no filler: errno \(errno)") }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 4_096)
        while write(descriptor, block, block.count) > 0 {}
    }

    func makeRoom() { unlink(filler) }

    func end() { umount2(path, Int32(MNT_DETACH)) }

    static let isPossible = geteuid() == 0
}
