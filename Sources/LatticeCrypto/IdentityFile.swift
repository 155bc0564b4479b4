import Glibc
package import LatticeCore

/// The file that stores an identity: readable only by its owner, never partially written, never overwritten.
package struct IdentityFile: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    package enum Content: Sendable {
        case open(Identity)
        case sealed(SealedIdentity)

        package var peer: PeerID {
            switch self {
            case .open(let identity): identity.peer
            case .sealed(let sealed): sealed.peer
            }
        }
    }

    /// The identity of a file without a passphrase.
    package func load() throws(IdentityFileError) -> Identity {
        guard case .open(let identity) = try content() else { throw .underPassphrase(path: path) }
        return identity
    }

    /// Follows symbolic links; the checks apply to the opened file.
    ///
    /// - Parameter isPrivate: whether a file that others can read, or that belongs to somebody else, is refused.
    package func content(isPrivate: Bool = true) throws(IdentityFileError) -> Content {
        // O_NONBLOCK: a pipe at this path must not block the start.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .missing(path: path) : .unreadable(path: path, reason: lastError())
        }
        defer { close(descriptor) }
        if isPrivate { try checkStatus(descriptor) }
        var text = try readText(descriptor)
        defer { IdentityText.wipe(&text) }
        do {
            return SealedIdentity.isOne(text)
                ? .sealed(try SealedIdentity(reading: text)) : .open(try IdentityText.read(text))
        } catch {
            throw .damaged(path: path, reason: error.description)
        }
    }

    /// Writes a complete file under another name and links it here: readers see nothing or all of it, and if two
    /// processes race, one gets `alreadyExists`.
    package func create(_ identity: Identity) throws(IdentityFileError) {
        var text = IdentityText.write(identity)
        defer { IdentityText.wipe(&text) }
        try create(text)
    }

    /// The same under a passphrase.
    package func create(_ sealed: SealedIdentity) throws(IdentityFileError) { try create(sealed.text) }

    private func create(_ text: [UInt8]) throws(IdentityFileError) {
        let temporary = "\(path).\(String(SecureRandom.word(), radix: 36)).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: lastError()) }
        defer { unlink(temporary) }
        try writeText(text, descriptor)
        guard link(temporary, path) == 0 else {
            let (code, reason) = (errno, lastError())
            // The process that won may have removed our draft.
            let isTaken = code == EEXIST || code == ENOENT && access(path, F_OK) == 0
            throw isTaken ? .alreadyExists(path: path) : .cannotCreate(path: path, reason: reason)
        }
        try syncDirectory()
    }

    /// - Returns: the identity, and whether this call created it. If two processes race, both get the same one.
    package func loadOrCreate() throws(IdentityFileError) -> (Identity, isNew: Bool) {
        let (content, isNew) = try contentOrCreate()
        guard case .open(let identity) = content else { throw .underPassphrase(path: path) }
        return (identity, isNew)
    }

    /// Like `loadOrCreate`, but also for a file under a passphrase.
    package func contentOrCreate() throws(IdentityFileError) -> (Content, isNew: Bool) {
        do {
            return (try content(), false)
        } catch .missing {
            let identity = Identity.generate(isGuarded: true)
            do {
                try create(identity)
                return (.open(identity), true)
            } catch .alreadyExists {
                return (try content(), false)
            }
        }
    }

    func checkStatus(_ descriptor: Int32) throws(IdentityFileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, reason: lastError()) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        guard status.st_uid == geteuid() else { throw .notYours(path: path, owner: status.st_uid) }
        let mode = status.st_mode & 0o7777
        guard mode & 0o077 == 0 else { throw .readableByOthers(path: path, mode: mode) }
    }

    /// Reads one byte more than a valid file has, to detect trailing bytes.
    private func readText(_ descriptor: Int32) throws(IdentityFileError) -> [UInt8] {
        let bytesMax = max(IdentityText.bytesCount, SealedIdentity.bytesMax) + 1
        var text: [UInt8] = []
        text.reserveCapacity(bytesMax)
        var chunk = [UInt8](repeating: 0, count: bytesMax)
        defer { IdentityText.wipe(&chunk) }
        while text.count < bytesMax {
            let count = read(descriptor, &chunk, bytesMax - text.count)
            if count == 0 { break }
            if count > 0 {
                text += chunk[..<count]
            } else if errno != EINTR {
                let reason = lastError()
                IdentityText.wipe(&text)
                throw .unreadable(path: path, reason: reason)
            }
        }
        return text
    }

    /// Closes the descriptor in any case.
    func writeText(_ text: [UInt8], _ descriptor: Int32) throws(IdentityFileError) {
        var rest = text
        defer { IdentityText.wipe(&rest) }
        var failure: String?
        // The umask may have removed too many permissions.
        if fchmod(descriptor, 0o600) != 0 { failure = lastError() }
        while !rest.isEmpty, failure == nil {
            let count = write(descriptor, rest, rest.count)
            if count >= 0 {
                rest.removeFirst(count)
            } else if errno != EINTR {
                failure = lastError()
            }
        }
        if failure == nil, fsync(descriptor) != 0 { failure = lastError() }
        if close(descriptor) != 0, failure == nil { failure = lastError() }
        if let failure { throw .cannotCreate(path: path, reason: failure) }
    }

    /// The name must survive a power failure, too.
    func syncDirectory() throws(IdentityFileError) {
        let directory: String
        switch path.lastIndex(of: "/") {
        case nil: directory = "."
        case path.startIndex?: directory = "/"
        case let slash?: directory = String(path[..<slash])
        }
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: lastError()) }
        defer { close(descriptor) }
        // EINVAL: the file system does not support this; the file exists anyway.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .cannotCreate(path: path, reason: lastError()) }
    }

    func lastError() -> String {
        String(cString: strerror(errno))
    }
}
