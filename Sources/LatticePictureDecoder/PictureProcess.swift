import CPicture
import Glibc
import LatticePicture
import Synchronization

/// One child process, from its start until it is gone. What it says is not trusted.
// Safety: buffers are lent to send(2), recv(2) and waitpid(2) for the length of each call, with their true sizes.
final class PictureProcess: Sendable {
    private enum State {
        /// Next: running, gone.
        case ready
        /// Next: gone.
        case running(pid_t)
        /// The number may belong to another process by now. Next: none.
        case gone
    }

    /// How a conversation ended.
    private enum Ending {
        /// The child says nothing more.
        case silent
        case late
        case tooMuch
    }

    private struct Shared {
        var state = State.ready
        var isCancelled = false
    }

    private static let chunkBytes = 64 << 10
    /// Between two looks at a process that is about to end.
    private static let pauseMicroseconds: UInt32 = 500

    private let program: String
    private let request: PictureRequest
    private let picture: [UInt8]
    private let timeMax: Duration
    private let shared = Mutex(Shared())

    init(program: String, _ request: PictureRequest, _ picture: [UInt8], timeMax: Duration) {
        precondition(request.pictureBytes == picture.count, "a request says how long its picture is")
        self.program = program
        self.request = request
        self.picture = picture
        self.timeMax = timeMax
    }

    func cancel() {
        shared.withLock { shared in
            shared.isCancelled = true
            if case .running(let child) = shared.state { kill(child, SIGKILL) }
        }
    }

    /// Starts the child, talks with it and waits until it is gone. Blocks its thread, which has to be its own: the child
    /// ends with the thread that started it.
    func run() -> Result<PictureAnswer, PictureFault> {
        let deadline = ContinuousClock.now + timeMax
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            return .failure(.failed("no socket for a child: errno \(errno)"))
        }
        defer { close(ends[0]) }
        let fault = start(ends[1])
        close(ends[1])
        if fault == ECANCELED { return .failure(.failed("cancelled")) }
        if fault != 0 { return .failure(.failed("\(program) does not start: errno \(fault)")) }
        let (said, ending) = talk(ends[0], until: deadline)
        if ending != .silent { end() }
        let status = reap(until: deadline)
        if shared.withLock({ $0.isCancelled }) { return .failure(.failed("cancelled")) }
        switch ending {
        case .late: return .failure(.tooSlow)
        case .tooMuch: return .failure(.failed("a child said more than it was asked for"))
        case .silent: return judged(said, status)
        }
    }

    private func judged(_ said: [UInt8], _ status: Int32?) -> Result<PictureAnswer, PictureFault> {
        let signal = (status ?? 0) & 0x7F
        if signal == SIGXCPU { return .failure(.tooSlow) }
        if signal != 0 { return .failure(.failed("a child ended with signal \(signal)")) }
        guard let answer = PictureAnswer(said, to: request) else {
            return .failure(.failed("a child said what means nothing"))
        }
        if case .fault(let fault) = answer { return .failure(fault) }
        return .success(answer)
    }

    // MARK: - The process

    /// - Returns: an errno, or 0.
    private func start(_ descriptor: Int32) -> Int32 {
        shared.withLock { shared in
            if shared.isCancelled { return ECANCELED }
            var child = pid_t()
            let fault = cpicture_spawn(program, PictureChild.argument, descriptor, &child)
            shared.state = fault == 0 ? .running(child) : .gone
            return fault
        }
    }

    private func end() {
        shared.withLock { shared in
            if case .running(let child) = shared.state { kill(child, SIGKILL) }
        }
    }

    /// Waits until the child is gone, and ends it if it is late.
    ///
    /// - Returns: its status; `nil` if somebody else has it.
    private func reap(until deadline: ContinuousClock.Instant) -> Int32? {
        var status: Int32 = 0
        while true {
            let isGone = shared.withLock { shared in
                guard case .running(let child) = shared.state else { return true }
                let result = waitpid(child, &status, WNOHANG)
                if result == 0 || result < 0 && errno == EINTR { return false }
                // SIGCHLD may be ignored: then the system has thrown the status away.
                if result < 0 { status = -1 }
                shared.state = .gone
                return true
            }
            if isGone { return status < 0 ? nil : status }
            if ContinuousClock.now >= deadline { end() }
            usleep(Self.pauseMicroseconds)
        }
    }

    // MARK: - The conversation

    private func talk(_ socket: Int32, until deadline: ContinuousClock.Instant) -> ([UInt8], Ending) {
        var unsent = [request.head[...], picture[...]]
        var said: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        while true {
            unsent.removeAll(where: \.isEmpty)
            let left = deadline - ContinuousClock.now
            if left <= .zero { return (said, .late) }
            let events = POLLIN | (unsent.isEmpty ? 0 : POLLOUT)
            var wait = pollfd(fd: socket, events: Int16(events), revents: 0)
            let count = poll(&wait, 1, Self.milliseconds(left))
            if count <= 0 { continue }
            if Int32(wait.revents) & POLLOUT != 0, !send(&unsent, to: socket) { unsent = [] }
            guard Int32(wait.revents) & ~POLLOUT != 0 else { continue }
            let got = recv(socket, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            if got < 0, errno == EAGAIN || errno == EINTR { continue }
            // A child that ended before it had read everything resets the connection.
            if got <= 0 { return (said, .silent) }
            if said.count + got > request.answerBytesMax { return (said, .tooMuch) }
            said += chunk[..<got]
        }
    }

    /// - Returns: whether the child may read more.
    private func send(_ unsent: inout [ArraySlice<UInt8>], to socket: Int32) -> Bool {
        guard let first = unsent.first else { return false }
        let count = first.withUnsafeBytes {
            Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        unsent[0] = first.dropFirst(count)
        return true
    }

    /// Rounded up, so that a wait that is over is not repeated.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
