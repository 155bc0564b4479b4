import Glibc
import LatticeCore
import LatticeSettings
import Logging
import Testing

@testable import LatticeHost

/// What a service and its manager say to each other.
@Suite struct ServiceTests {
    @Test func noticesAreAssignmentsALineEach() {
        #expect(ServiceNotice.ready(status: "a\nSTOPPING=1").text == "READY=1\nSTATUS=a STOPPING=1\n")
        #expect(ServiceNotice.reloading(microseconds: 12).text == "RELOADING=1\nMONOTONIC_USEC=12\n")
        #expect(ServiceNotice.stopping.text == "STOPPING=1\n")
        #expect(ServiceNotice.alive.text == "WATCHDOG=1\n")
    }

    @Test func theWatchdogIsToldTwiceInItsTime() {
        func interval(_ variables: [String: String]) -> Duration? {
            ServiceSupervisor.watchdogInterval(process: 7) { variables[$0] }
        }
        #expect(interval(["WATCHDOG_USEC": "30000000"]) == .seconds(15))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"]) == .seconds(15))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"]) == nil)
        for nonsense in ["", "0", "1", "-5", "soon"] { #expect(interval(["WATCHDOG_USEC": nonsense]) == nil) }
    }

    @Test(arguments: [false, true])
    func aRealSocketIsTold(isAbstract: Bool) throws {
        let name = "\(isAbstract ? "@" : "/tmp/")lattice-notify-\(getpid())-\(UInt32.random(in: 0...9_999_999))"
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer {
            close(descriptor)
            unlink(name)
        }
        try #require(UnixAddress.with(name) { bind(descriptor, $0, $1) } == 0)
        let manager = try #require(ServiceSupervisor(process: 7) { $0 == "NOTIFY_SOCKET" ? name : nil })
        try manager.tell(.stopping)
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        #expect(count > 0 && String(decoding: buffer[..<max(0, count)], as: UTF8.self) == "STOPPING=1\n")
    }

    @Test func whoIsNotThereIsAFaultAndNoEnd() throws {
        let manager = try #require(
            ServiceSupervisor(process: 7) { $0 == "NOTIFY_SOCKET" ? "/tmp/lattice-nobody-\(getpid())" : nil })
        #expect(throws: SystemFault.self) { try manager.tell(.alive) }
        for address in [nil, "", "relative", "vsock:2:1", "/" + String(repeating: "x", count: 200)] {
            #expect(ServiceSupervisor(process: 7) { $0 == "NOTIFY_SOCKET" ? address : nil } == nil)
        }
    }

    @Test func onlyWhatIsHandedToThisProcessCounts() throws {
        func handed(_ variables: [String: String]) throws -> [InheritedSockets.Handed] {
            try InheritedSockets.handed(process: 7) { variables[$0] }
        }
        #expect(try handed([:]) == [])
        #expect(try handed(["LISTEN_PID": "8", "LISTEN_FDS": "1"]) == [])
        #expect(
            try handed(["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "control"])
                == [.init(descriptor: 3, name: "control"), .init(descriptor: 4, name: "")])
        #expect(try handed(["LISTEN_PID": "7", "LISTEN_FDS": "0"]) == [])
        for nonsense in ["-1", "x", "65", "4294967296"] {
            #expect(throws: Failure.self) { try handed(["LISTEN_PID": "7", "LISTEN_FDS": nonsense]) }
        }
    }

    @Test func whatIsNoSocketThatListensIsRefused() throws {
        #expect(try InheritedSockets.control([]) == nil)
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        #expect(throws: Failure.self) { try InheritedSockets.control([.init(descriptor: file, name: "control")]) }
        #expect(throws: Failure.self) { try InheritedSockets.control([.init(descriptor: 9_999, name: "")]) }
        #expect(throws: Failure.self) {
            try InheritedSockets.control([.init(descriptor: file, name: "a"), .init(descriptor: file, name: "b")])
        }
    }

    @Test func aLogLineIsOneLineWhateverIsInIt() {
        let (time, metadata) = (WallTime(milliseconds: 0), ["b": "2\nforged", "a": "\u{1B}[31mred"] as Logger.Metadata)
        #expect(
            ServiceLog.line(.warning, "text", metadata, .dated, at: time)
                == "1970-01-01T00:00:00.000Z warning: text a=[31mred b=2 forged")
        let levels: [(Logger.Level, Int)] = [
            (.trace, 7), (.debug, 7), (.info, 6), (.notice, 5), (.warning, 4), (.error, 3), (.critical, 2),
        ]
        for (level, number) in levels {
            #expect(ServiceLog.line(level, "text", [:], .journal, at: time) == "<\(number)>text")
        }
    }

    @Test func aLogLineOfProgramsIsOneObjectWhateverIsInIt() {
        let metadata: Logger.Metadata = [
            "b": "2\n\"forged\"", "a": .stringConvertible(7), "list": ["x", "y"], "deep": ["k": "\u{1B}[31m"],
        ]
        #expect(
            ServiceLog.line(.warning, "it \"is\" so", metadata, .json, at: WallTime(milliseconds: 1))
                == #"{"ts":"1970-01-01T00:00:00.001Z","level":"warning","label":"lattice","message":"it \"is\" so","#
                + #""metadata":{"a":"7","b":"2\n\"forged\"","deep":{"k":"\u001b[31m"},"list":["x","y"]}}"#)
        #expect(ServiceLog.line(.info, "text", [:], .json, at: WallTime(milliseconds: 0)).hasSuffix(#""metadata":{}}"#))
    }

    @Test func allLoggersGoByOneThreshold() {
        let threshold = ServiceLog.Threshold(.info)
        let logger = ServiceLog.logger(threshold)
        #expect(logger.logLevel == .info)
        threshold.level = .debug
        #expect(logger.logLevel == .debug)
    }
}
