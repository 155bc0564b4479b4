import Glibc
package import LatticeCore
package import LatticeCrypto

/// Why a data directory cannot be used; the description says what to do.
package enum DataDirectoryError: Error, Equatable {
    case noHome
    case cannotMake(path: String, reason: String)
    /// `isBrief`: only to hand over what a command wrote.
    /// `name` is `nil` if the folder itself was named, whatever name its owner uses.
    case inUse(path: String, name: String?, process: String?, isBrief: Bool)
    case cannotRead(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case badList(path: String, line: Int)
    /// Refuses to remove links: their targets would stay.
    case linked(path: String, target: String)
    case linkedFolder(path: String, target: String)
    case tokenReadableByOthers(path: String, mode: UInt32)
}

/// One person's folder: identity, name, history. One process owns it at a time.
package struct DataDirectory: Sendable {
    package let path: String
    package let name: PeerName
    /// File with the name used last; `nil` for a folder that was named itself.
    let lastNamePath: String?

    /// Finds the folder, and makes it if needed.
    ///
    /// - Parameters:
    ///   - name: selects the folder below `$XDG_DATA_HOME/lattice`; `nil` is the last used name, at first the login name.
    ///   - directory: the folder itself, instead of a name.
    ///   - isReadOnly: accepts a folder that is missing, without making it, or that cannot be written to.
    package init(name: PeerName?, directory: String?, isReadOnly: Bool = false) throws(DataDirectoryError) {
        if let directory {
            path = directory
            lastNamePath = nil
            self.name = name ?? Self.storedName(TextFile(path: "\(directory)/name")) ?? Self.loginName
        } else {
            let base = try Self.base()
            let last = "\(base)/.last"
            let chosen = name ?? Self.storedName(TextFile(path: last)) ?? Self.loginName
            path = "\(base)/\(Self.folder(of: chosen.text))"
            lastNamePath = last
            self.name = chosen
        }
        try Self.make(path, isReadOnly: isReadOnly)
    }

    /// An existing folder below the one of all names.
    init(path: String, name: PeerName) {
        (self.path, self.name) = (path, name)
        lastNamePath = nil
    }

    /// Whether the folder exists; readers do not need it to.
    package var isThere: Bool { access(path, F_OK) == 0 }

    /// The last used name on this machine; `nil` if there is none, or the folder itself was named.
    package var lastUsed: PeerName? { lastNamePath.flatMap { Self.storedName(TextFile(path: $0)) } }

    package var identityFile: IdentityFile { IdentityFile(path: "\(path)/identity") }
    package var historyPath: String { "\(path)/history" }
    package var accounts: AccountBook { AccountBook(folder: path) }
    package var people: PeopleBook { PeopleBook(folder: path) }

    /// The store of one mesh. Each mesh has its own, so that nothing leaks from one to another. A closed mesh differs from the
    /// open one of its name. No mesh name contains `%closed`.
    package func storePath(of mesh: MeshName, key: MeshKey? = nil) -> String {
        "\(path)/\(Self.folder(of: mesh.text))\(key.map { "%closed-\($0.storeTag)" } ?? "").sqlite"
    }

    /// Tags of the keys for which there are stores of this closed mesh; see `MeshKey.storeTag`.
    package func storeTags(of mesh: MeshName) throws(DataDirectoryError) -> [String] {
        let start = "\(Self.folder(of: mesh.text))%closed-"
        return try fileNames().filter { $0.hasPrefix(start) && $0.hasSuffix(".sqlite") }.map {
            String($0.dropFirst(start.utf8.count).dropLast(".sqlite".utf8.count))
        }
    }

    /// Makes this process the folder's only user, for as long as it lives.
    ///
    /// - Parameters:
    ///   - isBrief: only to hand over what a command wrote; others that want the folder wait for that.
    ///   - isRemembered: whether this name is the default at the next start.
    package func claim(isBrief: Bool = false, isRemembered: Bool = true) throws(DataDirectoryError) {
        try lock(isBrief: isBrief)
        if isRemembered { remember() }
    }

    /// Makes the caller the folder's only user, until it releases the lock.
    package func hold() throws(DataDirectoryError) -> FolderLock { FolderLock(try lock(isBrief: false)) }

    @discardableResult
    private func lock(isBrief: Bool) throws(DataDirectoryError) -> Int32 {
        let lock = TextFile(path: "\(path)/lock")
        let descriptor: Int32
        do {
            descriptor = try lock.lock(writing: isBrief ? "\(getpid()) \(Self.briefMark)\n" : "\(getpid())\n")
        } catch {
            guard error.code == EWOULDBLOCK else { throw .cannotMake(path: path, reason: error.description) }
            let holder = Self.holder(of: lock)
            throw .inUse(
                path: path, name: lastNamePath == nil ? nil : name.text, process: holder.process,
                isBrief: holder.mark == Self.briefMark)
        }
        // Nobody else is working on it now.
        identityFile.eraseDrafts()
        return descriptor
    }

    /// Removes half-written identity drafts of a killed process, unless another process uses the folder and does so.
    package func tidy() {
        guard identityFile.hasDrafts() else { return }
        let descriptor = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { identityFile.eraseDrafts() }
    }

    /// Makes this name the default at the next start.
    package func remember() {
        for path in ["\(path)/name", lastNamePath].compactMap(\.self) { Self.remember(name, in: TextFile(path: path)) }
    }

    /// Like `claim`, but waits for a process that only hands over.
    package func claim(waiting limit: Duration, isRemembered: Bool = true) async throws(DataDirectoryError) {
        let end = Clocks.now.advanced(by: limit)
        while true {
            do {
                return try claim(isRemembered: isRemembered)
            } catch let held {
                guard case .inUse(_, _, _, isBrief: true) = held, Clocks.now < end else { throw held }
                do {
                    try await Task.sleep(for: Self.claimInterval)
                } catch {
                    throw held
                }
            }
        }
    }

    private static let briefMark = "hands over"
    private static let claimInterval: Duration = .milliseconds(50)

    private static func holder(of lock: TextFile) -> (process: String?, mark: String) {
        do {
            let text = try lock.read() ?? ""
            let process = text.prefix { $0.isNumber }
            let mark = text.dropFirst(process.count + 1).prefix { $0 != "\n" }
            return (process.isEmpty ? nil : String(process), String(mark))
        } catch {
            return (nil, "")
        }
    }

    private static func remember(_ name: PeerName, in file: TextFile) {
        do {
            let text = "\(name.text)\n"
            if try file.read() != text { try file.replace(with: text) }
        } catch {
            return  // Only a convenience for the next start, and the disk may be full.
        }
    }

    /// Peers that the policy `contacts` lets in: the file `contacts`, one id a line; `#` begins a comment.
    package func contacts() throws(DataDirectoryError) -> Set<PeerID> {
        let path = "\(path)/contacts"
        var contacts: Set<PeerID> = []
        let text: String?
        do {
            text = try TextFile(path: path).read()
        } catch {
            throw .cannotRead(path: path, reason: error.description)
        }
        let lines = (text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let word = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
            if word.isEmpty { continue }
            guard let peer = PeerID(hex: word) else { throw .badList(path: path, line: index + 1) }
            contacts.insert(peer)
        }
        return contacts
    }

    static func storedName(_ file: TextFile) -> PeerName? {
        do {
            guard let text = try file.read() else { return nil }
            return try PeerName(String(text.prefix { $0 != "\n" }))
        } catch {
            return nil  // A name that somebody broke by hand is only a preference; the login name will do.
        }
    }

    private static var loginName: PeerName {
        for wish in [environment("USER"), environment("LOGNAME"), "me"].compactMap(\.self) {
            do {
                return try PeerName(wish)
            } catch {
                continue
            }
        }
        preconditionFailure("'me' is a name")
    }

    static func base() throws(DataDirectoryError) -> String {
        // Relative paths must be ignored (XDG Base Directory Specification).
        if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/lattice" }
        guard let home = environment("HOME"), home.hasPrefix("/") else { throw .noHome }
        return "\(home)/.local/share/lattice"
    }

    /// The folder of a name: `/`, `%` and a leading dot become `%2F`, `%25`, `%2E`.
    static func folder(of name: String) -> String {
        var folder = ""
        for character in name {
            switch character {
            case "/": folder += "%2F"
            case "%": folder += "%25"
            case "." where folder.isEmpty: folder += "%2E"
            default: folder.append(character)
            }
        }
        return folder
    }

    private static func make(_ path: String, isReadOnly: Bool) throws(DataDirectoryError) {
        if isReadOnly, access(path, F_OK) != 0, errno == ENOENT { return }
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/\(part)"
            guard mkdir(made, 0o700) != 0, errno != EEXIST, errno != EISDIR else { continue }
            throw .cannotMake(path: made, reason: String(cString: strerror(errno)))
        }
        guard access(path, isReadOnly ? X_OK : W_OK | X_OK) == 0 else {
            throw .cannotMake(path: path, reason: String(cString: strerror(errno)))
        }
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}
