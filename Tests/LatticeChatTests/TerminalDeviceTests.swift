import Glibc
import LatticeChat
import Testing

/// On a pseudo-terminal. Serialized: raw mode and the signal belong to the process.
@Suite(.serialized)
struct TerminalDeviceTests {
    private struct PseudoTerminal {
        let outside: Int32
        let inside: Int32

        /// Glibc's module leaves `posix_openpt` and its kin out; these are the ioctls beneath them (TIOCSPTLCK, TIOCGPTN).
        init() throws {
            outside = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var lock: Int32 = 0
            var number: UInt32 = 0
            try #require(ioctl(outside, 0x4004_5431, &lock) == 0 && ioctl(outside, 0x8004_5430, &number) == 0)
            inside = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
            try #require(inside >= 0)
        }

        func close() {
            Glibc.close(inside)
            Glibc.close(outside)
        }

        var mode: termios {
            var mode = termios()
            tcgetattr(inside, &mode)
            return mode
        }

        func type(_ text: String) {
            var bytes = Array(text.utf8)
            _ = Glibc.write(outside, &bytes, bytes.count)
        }
    }

    private func isRaw(_ mode: termios) -> Bool {
        mode.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0 && mode.c_oflag & tcflag_t(OPOST) != 0
    }

    @Test func rawModeIsEnteredAndRestored() throws {
        let terminal = try PseudoTerminal()
        defer { terminal.close() }
        let before = terminal.mode
        let device = try TerminalDevice(input: terminal.inside, output: terminal.inside)
        #expect(!isRaw(before))
        try device.enterRaw()
        try device.enterRaw()
        #expect(isRaw(terminal.mode))
        TerminalDevice.restore()
        TerminalDevice.restore()
        device.leaveRaw()
        #expect(terminal.mode.c_lflag == before.c_lflag)
        #expect(terminal.mode.c_iflag == before.c_iflag)
        try device.enterRaw()
        #expect(isRaw(terminal.mode))
        device.leaveRaw()
    }

    @Test func theReaderTellsBytesSilenceWakesSizesAndTheEnd() throws {
        let terminal = try PseudoTerminal()
        let device = try TerminalDevice(input: terminal.inside, output: terminal.inside)
        try device.enterRaw()
        terminal.type("\u{03}漢")
        #expect(device.next(awaitingSilence: false) == .bytes([0x03] + Array("漢".utf8)))
        #expect(device.next(awaitingSilence: true) == .silent)
        device.wake()
        device.wake()
        #expect(device.next(awaitingSilence: false) == .woken)
        kill(getpid(), SIGWINCH)
        #expect(device.next(awaitingSilence: false) == .resized)
        var size = winsize(ws_row: 7, ws_col: 33, ws_xpixel: 0, ws_ypixel: 0)
        #expect(ioctl(terminal.outside, UInt(TIOCSWINSZ), &size) == 0)
        #expect(device.size == TerminalDevice.Size(columns: 33, rows: 7))
        device.leaveRaw()
        close(terminal.outside)
        #expect(device.next(awaitingSilence: false) == .endOfInput)
        close(terminal.inside)
    }

    @Test func aReaderThatWaitsIsWoken() async throws {
        let terminal = try PseudoTerminal()
        defer { terminal.close() }
        let device = try TerminalDevice(input: terminal.inside, output: terminal.inside)
        let input = await withCheckedContinuation { continuation in
            Thread.start { continuation.resume(returning: device.next(awaitingSilence: false)) }
            device.wake()
        }
        #expect(input == .woken)
    }

    @Test func plainLinesAreWantedWhereNoEditorCanBe() throws {
        let terminal = try PseudoTerminal()
        defer { terminal.close() }
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        let inside = terminal.inside
        #expect(!TerminalDevice.plainWanted(term: "xterm", input: inside, output: inside))
        for term in [nil, "", "dumb"] {
            #expect(TerminalDevice.plainWanted(term: term, input: inside, output: inside))
        }
        #expect(TerminalDevice.plainWanted(term: "xterm", input: file, output: inside))
        #expect(TerminalDevice.plainWanted(term: "xterm", input: inside, output: file))
    }
}

/// A thread of its own, as the reader has in the program: waiting must not take one from the tasks of others.
private enum Thread {
    static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let boxed = Unmanaged.passRetained(Body(run: body)).toOpaque()
        pthread_create(
            &thread, nil,
            { boxed in
                boxed.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, boxed)
        pthread_detach(thread)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
