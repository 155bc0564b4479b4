import Glibc

/// Identifies the open file, to check that it is still the one at its path. Writes to a file that was moved, removed or
/// replaced are lost without an error.
struct OpenFile: Sendable {
    let path: String
    /// Interval of checks; each costs a system call.
    let interval: Duration
    private let device: UInt
    private let number: UInt

    init(path: String, interval: Duration) throws(StoreError) {
        self.path = path
        self.interval = interval
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw Self.gone(path) }
        (device, number) = (UInt(facts.st_dev), UInt(facts.st_ino))
    }

    func checkStillThere() throws(StoreError) {
        var facts = stat()
        guard stat(path, &facts) == 0, UInt(facts.st_dev) == device, UInt(facts.st_ino) == number else {
            throw Self.gone(path)
        }
    }

    private static func gone(_ path: String) -> StoreError {
        .failed(
            path: path, reason: "it was moved, deleted or replaced while in use; restart the program")
    }
}
