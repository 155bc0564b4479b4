import Glibc
import LatticeCore

/// Identifies the time since the machine started: what was written before is on the disk only if it was synced.
package struct BootID: Hashable, Sendable {
    static let byteCount = 16

    let bytes: [UInt8]

    /// - Parameter bytes: 16 bytes.
    package init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount, "a boot id is a UUID")
        self.bytes = bytes
    }

    /// `nil` if the system does not say; then it may have been restarted at any time.
    package static var current: BootID? {
        do {
            let text = try DiskFile("/proc/sys/kernel/random/boot_id", O_RDONLY).read(at: 0, count: 64)
            let digits = String(decoding: text, as: UTF8.self).filter(\.isHexDigit)
            return Hex.bytes(digits).flatMap { $0.count == byteCount ? BootID($0) : nil }
        } catch {
            return nil
        }
    }
}
