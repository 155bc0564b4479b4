import Foundation

/// A Unix socket that is written and read line by line, on the calling thread.
// Safety: buffers are lent to read(2), write(2) and connect(2) for the length of each call, with their true sizes.
final class LineSocket {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// How many bytes of the buffer hold no end of a line.
    private var searched = 0
    private var chunk = [UInt8](repeating: 0, count: 1 << 18)

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw BenchError("\(path) is too long for a socket")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw BenchError("nobody listens at \(path)") }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws {
        guard Self.write(bytes, to: descriptor) else { throw BenchError("the node has closed its socket") }
    }

    /// Without its end.
    func line() throws -> [UInt8] {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer {
                    buffer.removeSubrange(...end)
                    searched = 0
                }
                return Array(buffer[..<end])
            }
            searched = buffer.count
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { throw BenchError("the node has closed its socket") }
            buffer += chunk[..<count]
        }
    }

    /// How long it takes to write all this into one end of a pair of sockets and to read it from the other.
    static func seconds(toCarry parts: [[UInt8]]) throws -> Double {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw BenchError.limitFailed }
        let (input, output) = (ends[0], ends[1])
        defer { close(output) }
        let began = lattice_bench.seconds()
        Thread.detachNewThread {
            for part in parts where !write(part, to: input) { break }
            close(input)
        }
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        var rest = parts.reduce(0) { $0 + $1.count }
        while rest > 0 {
            let count = read(output, &chunk, chunk.count)
            guard count > 0 else { throw BenchError.limitFailed }
            rest -= count
        }
        return lattice_bench.seconds() - began
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
