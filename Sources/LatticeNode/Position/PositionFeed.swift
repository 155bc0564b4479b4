import Foundation
import Glibc
package import LatticeCore
package import LatticeGeo

/// Positions one after another, from gpsd or from a file or pipe of lines.
///
/// A line is a report of gpsd, a sentence of NMEA 0183, or a place such as `40.7128,-74.0060`. Other lines are skipped.
// Safety: a buffer is lent to the system for the length of a call, with its true size.
package actor PositionFeed {
    package enum Fault: Error, Hashable, Sendable {
        case cannotOpen(path: String, reason: String)
        /// It ended without a position.
        case noPosition(path: String)
    }

    private static let lineBytesMax = 64 << 10
    /// How long a cancelled reader waits on at most.
    private static let slice: Duration = .milliseconds(200)

    private let descriptor: Int32
    /// The file that is read; `nil` for gpsd.
    private let path: String?
    private var buffered: [UInt8] = []
    private var isAtEnd = false
    /// Whether a pipe has had a writer: before, its end is only a beginning.
    private var hasBegun = false
    private var hasPosition = false

    /// - Parameter descriptor: a non-blocking one, which the feed closes.
    private init(descriptor: Int32, path: String?) {
        (self.descriptor, self.path) = (descriptor, path)
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// - Throws: `unreachable`.
    package static func gpsd(_ address: PeerAddress) throws(GPSD.Fault) -> PositionFeed {
        PositionFeed(descriptor: try GPSD(address: address).watch(atMost: .seconds(10)), path: nil)
    }

    /// - Parameter path: of a file or a named pipe; `-` is standard input.
    package static func lines(_ path: String) throws(Fault) -> PositionFeed {
        guard path != "-" else { return PositionFeed(descriptor: STDIN_FILENO, path: path) }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, reason: String(cString: strerror(errno))) }
        return PositionFeed(descriptor: descriptor, path: path)
    }

    /// Waits for the next position.
    ///
    /// - Returns: `nil` at the end, and after the task was cancelled.
    /// - Throws: `noPosition` at the end of a file without any.
    package func next() async throws(Fault) -> Coordinate? {
        while !Task.isCancelled {
            if let line = takeLine() {
                guard let place = Self.coordinate(line) else { continue }
                hasPosition = true
                return place
            }
            if isAtEnd {
                if let path, !hasPosition { throw .noPosition(path: path) }
                return nil
            }
            await readMore()
        }
        return nil
    }

    private func takeLine() -> [UInt8]? {
        if let end = buffered.firstIndex(of: UInt8(ascii: "\n")) {
            defer { buffered.removeSubrange(...end) }
            return Array(buffered[..<end])
        }
        // Nothing that long is a position.
        if buffered.count > Self.lineBytesMax { buffered = [] }
        guard isAtEnd, !buffered.isEmpty else { return nil }
        defer { buffered = [] }
        return buffered
    }

    private func readMore() async {
        guard await Self.isReadable(descriptor) else { return }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &bytes, bytes.count)
        if count > 0 {
            hasBegun = true
            buffered += bytes[..<count]
        } else if count == 0 {
            if hasBegun || !isPipe { isAtEnd = true } else { await Self.pause() }
        } else if errno != EINTR, errno != EAGAIN {
            isAtEnd = true
        }
    }

    private var isPipe: Bool {
        var status = stat()
        return path != "-" && fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// On a thread of its own, as the system has no other way to wait for a file.
    private static func isReadable(_ descriptor: Int32) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                continuation.resume(returning: poll(&polled, 1, Int32(slice.milliseconds)) > 0)
            }
        }
    }

    /// A pipe without a writer is readable all the time.
    private static func pause() async {
        do {
            try await Task.sleep(for: slice)
        } catch {
            return  // It was cancelled, which the caller sees.
        }
    }

    static func coordinate(_ line: [UInt8]) -> Coordinate? {
        if line.first == UInt8(ascii: "{") { return GPSD.coordinate(line) }
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("$") { return NMEASentence.coordinate(text) }
        do {
            return try PlaceParser.parse(text).coordinate
        } catch {
            return nil  // A remark, or an empty line.
        }
    }
}
