/// Why a key file cannot be used; each message suggests a remedy.
package enum IdentityFileError: Error, Equatable, CustomStringConvertible {
    case missing(path: String)
    case readableByOthers(path: String, mode: UInt32)
    case damaged(path: String, reason: String)
    /// A directory, device, pipe or socket.
    case notAFile(path: String)
    /// - Parameter owner: the user id that it belongs to.
    case notYours(path: String, owner: UInt32)
    case unreadable(path: String, reason: String)
    /// Something exists at this path; it is never overwritten.
    case alreadyExists(path: String)
    case cannotCreate(path: String, reason: String)
    case underPassphrase(path: String)
    case cannotReplace(path: String, reason: String)

    package var description: String {
        switch self {
        case .missing(let path):
            "There is no key file \(path)."
        case .readableByOthers(let path, let mode):
            "Other users can get at the key file \(path) (mode \(String(mode, radix: 8))); run: chmod 600 \(path)"
        case .damaged(let path, let reason):
            "The key file \(path) is damaged: \(reason); restore it from a backup, "
                + "or move it away to start as somebody new."
        case .notAFile(let path):
            "The key file \(path) is not a regular file; move it away or name another one."
        case .notYours(let path, let owner):
            "The key file \(path) belongs to user \(owner); run as that user, or name a file of your own."
        case .unreadable(let path, let reason):
            "The key file \(path) cannot be read: \(reason)."
        case .alreadyExists(let path):
            "There is something at \(path) already, and it is not overwritten; move it away or name another file."
        case .cannotCreate(let path, let reason):
            "The key file \(path) cannot be created: \(reason); make room or a writable directory, or name another file."
        case .underPassphrase(let path):
            "The key file \(path) is under a passphrase."
        case .cannotReplace(let path, let reason):
            "The key file \(path) cannot be replaced: \(reason); it is as it was."
        }
    }
}
