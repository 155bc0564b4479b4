import Glibc

/// Which file is open, to tell whether it is still the one at its path: what is written to a file that was moved away, removed
/// or replaced is lost with it, and nothing says so.
struct OpenFile: Sendable {
    let path: String
    /// How often it is worth a system call.
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
