import Foundation
import Glibc
package import LatticeCore
package import LatticeGeo

/// Asks gpsd for this machine's position, in its JSON protocol (gpsd_json(5)).
// Safety: address lists and a buffer are lent to the system for the length of a call, with their true sizes.
package struct GPSD: Sendable {
    package enum Fault: Error, Hashable, Sendable {
        case unreachable(PeerAddress, reason: String)
        case noFix
        case notGPSD(PeerAddress)

        package var code: String {
            switch self {
            case .unreachable: "gpsdUnreachable"
            case .noFix: "noFix"
            case .notGPSD: "notGPSD"
            }
        }
    }

    /// Ten times a report with a sky full of satellites.
    private static let lineBytesMax = 64 << 10
    /// Bytes read in all before a fix: a minute of a busy receiver.
    private static let bytesMax = 4 << 20
    private static let watch = "?WATCH={\"enable\":true,\"json\":true};\n"

    private let address: PeerAddress

    package init(address: PeerAddress) {
        self.address = address
    }

    /// Waits for the first report that has a position.
    package func fix(atMost patience: Duration) async throws(Fault) -> Coordinate {
        let result = await withCheckedContinuation { continuation in
            DispatchQueue(label: "lattice.gpsd").async { continuation.resume(returning: self.read(patience)) }
        }
        return try result.get()
    }

    private func read(_ patience: Duration) -> Result<Coordinate, Fault> {
        let deadline = ContinuousClock.now.advanced(by: patience)
        do throws(Fault) {
            let descriptor = try watch(until: deadline)
            defer { close(descriptor) }
            return listen(descriptor, deadline)
        } catch {
            return .failure(error)
        }
    }

    /// A non-blocking socket on which gpsd reports; the caller closes it. Blocks for as long as connecting takes.
    func watch(atMost patience: Duration) throws(Fault) -> Int32 {
        try watch(until: ContinuousClock.now.advanced(by: patience))
    }

    private func watch(until deadline: ContinuousClock.Instant) throws(Fault) -> Int32 {
        let descriptor = try connected(deadline).get()
        let request = Array(Self.watch.utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            let reason = Self.reason
            close(descriptor)
            throw .unreachable(address, reason: reason)
        }
        return descriptor
    }

    /// - Returns: the position in a report; `nil` if it has none, or is none.
    static func coordinate(_ line: [UInt8]) -> Coordinate? { report(line)?.place }

    private func listen(_ descriptor: Int32, _ deadline: ContinuousClock.Instant) -> Result<Coordinate, Fault> {
        var isGPSD = false
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var count = 0
        while count < Self.bytesMax, Self.wait(for: Int16(POLLIN), descriptor, deadline) {
            let read = recv(descriptor, &buffer, buffer.count, 0)
            if read < 0, errno == EINTR || errno == EAGAIN { continue }
            guard read > 0 else { break }
            count += read
            for byte in buffer[..<read] {
                if byte != UInt8(ascii: "\n") {
                    line.append(byte)
                    if line.count > Self.lineBytesMax { return .failure(.notGPSD(address)) }
                    continue
                }
                guard let report = Self.report(line) else { return .failure(.notGPSD(address)) }
                isGPSD = true
                if let place = report.place { return .success(place) }
                line = []
            }
        }
        return .failure(isGPSD ? .noFix : .notGPSD(address))
    }

    /// Connects to the first of the host's addresses that answers.
    private func connected(_ deadline: ContinuousClock.Instant) -> Result<Int32, Fault> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(address.host, String(address.port), &hints, &list)
        guard failure == 0 else {
            return .failure(.unreachable(address, reason: String(cString: gai_strerror(failure))))
        }
        defer { freeaddrinfo(list) }
        var reason = "no address"
        var next = list
        while let entry = next {
            let info = entry.pointee
            let type = info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let descriptor = socket(info.ai_family, type, info.ai_protocol)
            if descriptor >= 0 {
                if Self.connect(descriptor, info, deadline) { return .success(descriptor) }
                reason = Self.reason
                close(descriptor)
            }
            next = info.ai_next
        }
        return .failure(.unreachable(address, reason: reason))
    }

    /// On failure `errno` says why.
    private static func connect(
        _ descriptor: Int32, _ info: addrinfo, _ deadline: ContinuousClock.Instant
    ) -> Bool {
        if Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return true }
        guard errno == EINPROGRESS else { return false }
        guard wait(for: Int16(POLLOUT), descriptor, deadline) else {
            errno = ETIMEDOUT
            return false
        }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 else { return false }
        errno = error
        return error == 0
    }

    private static func wait(
        for events: Int16, _ descriptor: Int32, _ deadline: ContinuousClock.Instant
    ) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            var polled = pollfd(fd: descriptor, events: events, revents: 0)
            let ready = poll(&polled, 1, Int32(clamping: Int64(left.milliseconds) + 1))
            if ready > 0 { return true }
            guard ready == 0 || errno == EINTR else { return false }
        }
    }

    private static var reason: String { String(cString: strerror(errno)) }

    /// Only a TPV of mode 2 or 3 has a position.
    private struct Report: Decodable {
        let `class`: String
        let mode: Int?
        let lat: Double?
        let lon: Double?

        var place: Coordinate? {
            guard `class` == "TPV", let mode, mode >= 2, let lat, let lon else { return nil }
            return Coordinate(latitude: lat, longitude: lon)
        }
    }

    /// - Returns: `nil` for anything gpsd does not send.
    private static func report(_ line: [UInt8]) -> Report? {
        do {
            return try JSONDecoder().decode(Report.self, from: Data(line))
        } catch {
            return nil
        }
    }
}
