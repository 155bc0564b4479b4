import ArgumentParser
import CBaseline
import Foundation

/// Round trip of a chat line, typed, stored and read at both ends, compared with two processes in C that do the same
/// with libsodium and SQLite, and with a plain TCP ping-pong of the same size.
struct ChatBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Round trip of a chat line between two processes on loopback.")

    @OptionGroup var target: TargetOptions

    @Option(help: "Number of round trips.")
    var count = 2_000

    func run() throws {
        try withScratch { folder in
            let first = try ChatProcess(
                target.path, prefix: nil, name: "first", directory: folder, ["--discovery", "off"])
            try first.start()
            defer { first.end() }
            let port = try first.wait { $0["event"] as? String == "ready" }["port"] as? Int ?? 0
            let second = try ChatProcess(
                target.path, prefix: nil, name: "second", directory: folder,
                ["--discovery", "off", "--peer", "127.0.0.1:\(port)"])
            try second.start()
            defer { second.end() }
            for peer in [first, second] { try peer.wait { $0["state"] as? String == "connected" } }
            let chat = Sample(try roundTrips(first, second))
            let limit = Sample(try leastRoundTrips(below: folder))
            let bare = Sample(try LoopbackPingPong(bytes: 256).roundTrips(count))
            try report([
                "bench": "chat", "count": count, "rtt_p50_us": rounded(chat.median * 1e6),
                "rtt_p99_us": rounded(chat.percentile(99) * 1e6), "limit_p50_us": rounded(limit.median * 1e6),
                "limit_p99_us": rounded(limit.percentile(99) * 1e6),
                "rtt_p50_times_limit": rounded(chat.median / limit.median), "tcp_p50_us": rounded(bare.median * 1e6),
                "tcp_p99_us": rounded(bare.percentile(99) * 1e6), "ratio_p50": rounded(chat.median / bare.median),
            ])
        }
    }

    /// What signing, verifying and storing take by themselves.
    private func leastRoundTrips(below folder: URL) throws -> [Double] {
        let path = folder.appending(path: "limit").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var times = [Double](repeating: 0, count: count)
        let code = path.withCString { path in
            var plan = baseline_chat_plan(bytes: 312, folder: path)
            return baseline_stored_trips(&plan, Int32(count), &times)
        }
        guard code == 0 else { throw BenchError.limitFailed }
        return times.map { $0 / 1e6 }
    }

    private func roundTrips(_ first: ChatProcess, _ second: ChatProcess) throws -> [Double] {
        let padding = String(repeating: "x", count: 200)
        return try (0..<count).map { number in
            let start = seconds()
            try first.say("there-\(number)- \(padding)")
            try second.wait(forText: "there-\(number)-")
            try second.say("back-\(number)- \(padding)")
            try first.wait(forText: "back-\(number)-")
            return seconds() - start
        }
    }
}

/// Two threads and a TCP connection: the round trip of the machine itself.
// Safety: buffers are lent to read(2) and write(2) for the length of the call, with their true sizes; the address is a
// value of its own that outlives the call it is lent to.
struct LoopbackPingPong {
    let bytes: Int

    func roundTrips(_ count: Int) throws -> [Double] {
        let (near, far) = try connectedPair()
        defer {
            close(near)
            close(far)
        }
        let bytes = bytes
        let echo = Thread {
            var buffer = [UInt8](repeating: 0, count: bytes)
            while Self.readAll(far, &buffer) { _ = write(far, buffer, bytes) }
        }
        echo.start()
        var buffer = [UInt8](repeating: 1, count: bytes)
        return (0..<count).map { _ in
            let start = seconds()
            _ = write(near, buffer, bytes)
            _ = Self.readAll(near, &buffer)
            return seconds() - start
        }
    }

    private static func readAll(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Bool {
        var done = 0
        while done < buffer.count {
            let count = buffer.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    private func connectedPair() throws -> (Int32, Int32) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        guard isListening else { throw BenchError("no loopback to compare with") }
        let near = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(near, $0, length) == 0 }
        }
        let far = accept(listener, nil, nil)
        close(listener)
        guard isConnected, far >= 0 else { throw BenchError("no loopback to compare with") }
        var on: Int32 = 1
        for end in [near, far] {
            setsockopt(end, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        return (near, far)
    }
}
