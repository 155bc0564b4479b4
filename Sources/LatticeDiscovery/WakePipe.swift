import Glibc

/// Wakes a thread that waits in `poll`.
// Safety: both descriptors belong to this object from `init` to `deinit` and are never passed on to be closed; reading
// and writing use this file's own buffers. Any thread may call it: the kernel synchronises pipes.
final class WakePipe: Sendable {
    /// Readable after `wake`.
    let descriptor: Int32
    private let writing: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "no descriptor is left to wake a thread with; raise the limit on open files")
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// A full pipe refuses the byte: then it is readable already.
    func wake() {
        var byte: UInt8 = 1
        write(writing, &byte, 1)
    }

    /// Makes it unreadable again.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }

    /// Blocks the calling thread until `wake`; −1 waits forever.
    ///
    /// - Returns: whether `wake` was called.
    @discardableResult
    func wait(millisecondsMax: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, millisecondsMax) > 0
    }
}
