package enum StoreFault: Error, Hashable, Codable, Sendable {
    case cannotOpen(path: String, reason: String)
    /// Pages are not as SQLite wrote them.
    case damaged(path: String, reason: String)
    /// Written by a later version of this program.
    case tooNew(path: String)
    case diskFull(path: String)
    case readOnly(path: String)
    /// Another process held the lock for longer than a write takes.
    case busy(path: String)
    case failed(path: String, reason: String)
    /// It could not be opened when the node began.
    case missing
    case quotaFull
    /// Which rooms are private cannot be read.
    case roomsUnknown
    /// A record that was just written cannot be read.
    case unreadable
    /// The machine's clock is so wrong that a new record has expired.
    case alreadyExpired
}

package enum FileFault: Hashable, Codable, Sendable {
    case locked(path: String)
    case diskFull(path: String)
    /// A file that would not fit on the disk of `path`; nothing of it was written. `freeBytes` is what files may still take there.
    case tooLittleSpace(path: String, neededBytes: Int64, freeBytes: Int64)
    case readOnly(path: String, reason: String)
    case broken(path: String, reason: String)
    case badLine(path: String, line: Int)
    /// A folder, pipe or device in place of a bundle.
    case notPlain(path: String, use: Use)
    case failed(path: String, use: Use, reason: String, isDiskFull: Bool)
    case notABundle(path: String)

    package enum Use: String, Hashable, Codable, Sendable {
        case read
        case write
    }
}
