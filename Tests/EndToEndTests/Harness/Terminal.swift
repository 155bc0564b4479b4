import Foundation
import Glibc
import Synchronization

/// `lattice chat` on a pseudo-terminal, with what a person would see of it.
// Safety: pointers are lent to the calls of the terminal for their length, with the true sizes.
final class Terminal: Sendable {
    // TIOCGPTN and TIOCSPTLCK of ioctl_tty(2), which Glibc does not import; nor does it posix_openpt.
    private static let getNumber: UInt = 0x8004_5430
    private static let setLock: UInt = 0x4004_5431

    let child: Child
    private let leader: Int32
    /// Kept open: when the last one is closed the terminal forgets its modes.
    private let follower: Int32
    private let output: Transcript
    private let isTakenAway = Mutex(false)
    /// The screen after this number of bytes: tests look far more often than something is sent.
    private let seen = Mutex((bytes: 0, lines: [String]()))
    private let columns: Int
    private let rows: Int

    init(_ command: [String], environment: [String: String], columns: Int, rows: Int) throws {
        leader = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: Int32 = 0
        var unlocked: Int32 = 0
        guard leader >= 0, ioctl(leader, Self.setLock, &unlocked) == 0, ioctl(leader, Self.getNumber, &number) == 0
        else {
            throw Child.Fault(description: "no pseudo-terminal: errno \(errno)")
        }
        let name = "/dev/pts/\(number)"
        follower = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        (self.columns, self.rows) = (columns, rows)
        try Self.setSize(leader, columns, rows)
        before = try Self.mode(of: follower)
        output = Transcript(reading: fcntl(leader, F_DUPFD_CLOEXEC, 0))
        child = try Child(command, environment: environment, streams: .terminal(name))
    }

    /// Ends the program and takes the terminal away. Safe to call again: by then the numbers of its descriptors may belong to
    /// another test.
    func end() {
        child.end()
        isTakenAway.withLock { isTakenAway in
            if !isTakenAway { for descriptor in [follower, leader] { close(descriptor) } }
            isTakenAway = true
        }
    }

    /// The modes of a terminal, as far as a program changes them.
    struct Mode: Equatable, Sendable {
        let flags: [tcflag_t]
        let characters: [UInt8]
    }

    /// How the terminal was before the program came.
    let before: Mode

    func mode() throws -> Mode { try Self.mode(of: follower) }

    private static func mode(of descriptor: Int32) throws -> Mode {
        var mode = termios()
        guard tcgetattr(descriptor, &mode) == 0 else { throw Child.Fault(description: "no mode: errno \(errno)") }
        return Mode(
            flags: [mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag],
            characters: withUnsafeBytes(of: &mode.c_cc) { Array($0) })
    }

    /// Makes the window larger or smaller; what `lines` tells is of no use any more.
    func resize(columns: Int, rows: Int) throws { try Self.setSize(leader, columns, rows) }

    private static func setSize(_ descriptor: Int32, _ columns: Int, _ rows: Int) throws {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else {
            throw Child.Fault(description: "no size for the terminal: errno \(errno)")
        }
    }

    func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        let count = Glibc.write(leader, bytes, bytes.count)
        precondition(count == bytes.count, "a terminal takes a few keys at once")
    }

    /// Every byte that it was sent, escape sequences and all.
    var raw: String { output.text }

    /// The lines on the screen, those that scrolled off it included.
    var lines: [String] {
        let bytes = output.bytes
        return seen.withLock { seen in
            if seen.bytes != bytes.count || bytes.isEmpty {
                var screen = Screen(columns: columns, rows: rows)
                screen.write(String(decoding: bytes, as: UTF8.self))
                seen = (bytes.count, screen.lines)
            }
            return seen.lines
        }
    }

    func shows(_ what: String, where fits: ([String]) -> Bool) async throws {
        try await eventually("the terminal shows \(what)") { fits(lines) }
    }

    func shows(_ text: String) async throws {
        try await shows("'\(text)'") { lines in lines.contains { $0.contains(text) } }
    }

    /// Whether `text` stands in the last line, after the prompt.
    func prompts(_ text: String) async throws {
        try await shows("the prompt with '\(text)'") { $0.last == "#lobby> \(text)".trimmingSuffix() }
    }

    func exitCode() async throws -> Int32 {
        try await eventually("the program on the terminal ends") { child.exitCode }
    }

    var transcript: String {
        "--- the terminal shows:\n\(lines.joined(separator: "\n"))\n--- it was sent:\n\(raw.debugDescription)"
    }
}

extension String {
    /// Without spaces at the end, which no screen shows.
    func trimmingSuffix() -> String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }
}
