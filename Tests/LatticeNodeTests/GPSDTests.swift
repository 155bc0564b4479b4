import Foundation
import Glibc
import LatticeCore
import LatticeGeo
import LatticeNode
import Synchronization
import Testing

/// Reading a position from gpsd.
@Suite(.timeLimit(.minutes(10)))
struct GPSDTests {
    private static let version = "{\"class\":\"VERSION\",\"release\":\"3.25\",\"proto_major\":3}\n"
    private static let patience: Duration = .seconds(3_600)

    private static func fix(_ answers: [String], atMost patience: Duration = patience) async throws -> Coordinate {
        let fake = try FakeGPSD(answers)
        defer { fake.end() }
        return try await GPSD(address: fake.address).fix(atMost: patience)
    }

    @Test func theFirstReportWithAPositionIsTaken() async throws {
        let place = try await Self.fix([
            Self.version, "{\"class\":\"DEVICES\",\"devices\":[]}\n{\"class\":\"TPV\",\"mode\":1}\n",
            "{\"class\":\"TPV\",\"mode\":3,\"lat\":40.71", "28,\"lon\":-74.006,\"alt\":10.5}\n{\"class\":\"TPV\"",
        ])
        #expect(place == Coordinate(latitude: 40.7128, longitude: -74.006))
    }

    @Test func gpsdIsAskedToWatch() async throws {
        let fake = try FakeGPSD(["{\"class\":\"TPV\",\"mode\":2,\"lat\":1,\"lon\":2}\n"])
        defer { fake.end() }
        _ = try await GPSD(address: fake.address).fix(atMost: Self.patience)
        #expect(fake.asked == "?WATCH={\"enable\":true,\"json\":true};\n")
    }

    @Test func withoutAFixThatIsSaid() async {
        await #expect(throws: GPSD.Fault.noFix) {
            try await Self.fix([Self.version, "{\"class\":\"TPV\",\"mode\":0}\n"])
        }
        await #expect(throws: GPSD.Fault.noFix) {
            try await Self.fix(["{\"class\":\"TPV\",\"mode\":3,\"lat\":91,\"lon\":2}\n"])
        }
    }

    @Test func aReceiverThatSaysNothingIsWaitedForOnlySoLong() async throws {
        let fake = try FakeGPSD([Self.version], staysOpen: true)
        defer { fake.end() }
        await #expect(throws: GPSD.Fault.noFix) {
            try await GPSD(address: fake.address).fix(atMost: .milliseconds(200))
        }
    }

    @Test(arguments: [
        "HTTP/1.1 400 Bad Request\r\n\r\n", "[1]\n", "\u{1}\u{2}\n", "", String(repeating: "x", count: 70_000),
    ])
    func whatIsNoGPSDIsNotBelieved(answer: String) async throws {
        let fake = try FakeGPSD([answer])
        defer { fake.end() }
        await #expect(throws: GPSD.Fault.notGPSD(fake.address)) {
            try await GPSD(address: fake.address).fix(atMost: Self.patience)
        }
    }

    @Test func whereNobodyListensThatIsTold() async throws {
        let fake = try FakeGPSD([])
        fake.end()
        do {
            _ = try await GPSD(address: fake.address).fix(atMost: Self.patience)
            Issue.record("nobody is there")
        } catch {
            #expect(error.code == "gpsdUnreachable")
            #expect(error == .unreachable(fake.address, reason: "Connection refused"))
        }
    }
}

/// Listens on loopback, answers one caller with what it was given, and hangs up.
private final class FakeGPSD: Sendable {
    let address: PeerAddress
    private let listener: Int32
    private let heard = Mutex("")
    private let isEnded = Mutex(false)

    init(_ answers: [String], staysOpen: Bool = false) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(listener >= 0)
        self.listener = listener
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Safety: the address is lent for the length of each call, with its true size.
        let bound = withUnsafePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        try #require(bound == 0 && listen(listener, 1) == 0)
        var length = size
        _ = withUnsafeMutablePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        address = PeerAddress(host: "127.0.0.1", port: UInt16(bigEndian: own.sin_port))
        if !answers.isEmpty { Thread { self.serve(answers, staysOpen) }.start() }
    }

    var asked: String { heard.withLock { $0 } }

    func end() {
        isEnded.withLock { isEnded in
            if !isEnded {
                shutdown(listener, Int32(SHUT_RDWR))
                close(listener)
            }
            isEnded = true
        }
    }

    private func serve(_ answers: [String], _ staysOpen: Bool) {
        let caller = accept(listener, nil, nil)
        guard caller >= 0 else { return }
        defer { close(caller) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = recv(caller, &buffer, buffer.count, 0)
        heard.withLock { $0 = String(decoding: buffer[..<max(0, count)], as: UTF8.self) }
        for answer in answers {
            let bytes = Array(answer.utf8)
            _ = send(caller, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
        // The caller hangs up when its patience ends.
        if staysOpen { _ = recv(caller, &buffer, buffer.count, 0) }
    }
}
