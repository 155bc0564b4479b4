import Foundation

/// Receives lines that contain the time at which they were said: `@NANOSECONDS@`.
// Safety: a buffer is lent to read(2) for the length of the call, with its true size.
final class Listener {
    let connection: SocketConnection
    private var rest: [UInt8] = []

    init(_ connection: SocketConnection) {
        self.connection = connection
    }

    /// Does one read.
    ///
    /// - Parameter delays: receives the delay of each line that ends in it, in seconds.
    /// - Returns: the number of lines, and how many more were reported as lost; `nil` at the end.
    func read(into delays: inout [Double]) -> (lines: Int, missed: Int)? {
        var count = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: 262_144) { bytes, used in
            count = Foundation.recv(connection.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
            used = max(0, count)
        }
        guard count > 0 else { return count < 0 && errno == EAGAIN ? (0, 0) : nil }
        let now = DispatchTime.now().uptimeNanoseconds
        rest += chunk
        var (start, lines, missed) = (0, 0, 0)
        rest.withUnsafeBufferPointer { bytes in
            while let end = Self.find(UInt8(ascii: "\n"), in: bytes, from: start) {
                if let stamp = Self.stamp(bytes, start, end) {
                    lines += 1
                    delays.append(Double(now &- stamp) / 1e9)
                } else {
                    missed += Self.missed(bytes, start, end)
                }
                start = end + 1
            }
        }
        rest.removeFirst(start)
        return (lines, missed)
    }

    /// Reads everything that waits, until nothing comes for a second or the connection ends.
    func readAll() -> (lines: Int, missed: Int, isOver: Bool) {
        var (lines, missed) = (0, 0)
        var delays: [Double] = []
        while true {
            var wish = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wish, 1, 1_000) > 0 else { return (lines, missed, false) }
            guard let got = read(into: &delays) else { return (lines, missed, true) }
            lines += got.lines
            missed += got.missed
        }
    }

    private static func find(_ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(byte), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// The number between two at signs; the part that names the speaker may contain other at signs.
    private static func stamp(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> UInt64? {
        var from = start
        while let at = find(UInt8(ascii: "@"), in: bytes, from: from), at < end {
            var (number, index) = (UInt64(0), at + 1)
            while index < end, (48...57).contains(bytes[index]) {
                number = number &* 10 &+ UInt64(bytes[index] &- 48)
                index += 1
            }
            if index > at + 1, index < end, bytes[index] == UInt8(ascii: "@") { return number }
            from = at + 1
        }
        return nil
    }

    /// `{"missed":N}`
    private static func missed(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        let line = String(decoding: bytes[start..<end], as: UTF8.self)
        guard let range = line.range(of: "\"missed\":") else { return 0 }
        return Int(line[range.upperBound...].prefix(while: \.isNumber)) ?? 0
    }
}

/// Reads for many listeners at once, on a thread of its own, until all of them have all lines.
// Safety: what the thread writes is only read after it has ended.
final class Reading: @unchecked Sendable {
    private let listeners: [Listener]
    private let wanted: Int
    private let ended = DispatchSemaphore(value: 0)
    private var delays: [Double] = []
    private(set) var lost = 0

    /// - Parameter wanted: the total number of lines for all of them.
    init(_ listeners: [Listener], wanted: Int) {
        self.listeners = listeners
        self.wanted = wanted
        delays.reserveCapacity(wanted)
        Thread { [self] in
            run()
            ended.signal()
        }.start()
    }

    /// - Returns: the delay of each line to each listener, in seconds.
    func end() -> [Double] {
        ended.wait()
        return delays
    }

    private func run() {
        var wishes = listeners.map { pollfd(fd: $0.connection.descriptor, events: Int16(POLLIN), revents: 0) }
        while delays.count + lost < wanted {
            // After a silence of ten seconds nothing more will come.
            guard poll(&wishes, nfds_t(wishes.count), 10_000) > 0 else { break }
            for index in wishes.indices where wishes[index].revents != 0 {
                if let got = listeners[index].read(into: &delays) {
                    lost += got.missed
                } else {
                    wishes[index].fd = -1  // Ended: poll(2) skips negative descriptors.
                }
            }
        }
        lost = max(lost, wanted - delays.count)
    }
}
