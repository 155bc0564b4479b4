import Glibc
package import LatticeAPI
package import LatticeCore

/// What the page and the API for programs keep in a person's folder.
extension DataDirectory {
    /// What opens them; who may read this file may write in this person's name.
    static let webTokenName = "http-token"
    /// Whose the events are that clients of others made.
    static let webUsersName = "http-users"
    /// Where they are, while they are.
    static let webAddressName = "http-address"
    /// Leads a browser there: what stands in a file nobody reads among the arguments of a process.
    static let webLeadName = "http-open.html"
    /// A thousand users and ten thousand events.
    private static let usersBytesMax = 1 << 21

    package var webTokenPath: String { "\(path)/\(Self.webTokenName)" }

    /// - Returns: `nil` if there is none yet; empty where the file is.
    /// - Throws: also where others could have read it.
    package func webToken() throws(DataDirectoryError) -> String? {
        let path = webTokenPath
        var facts = stat()
        if stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_mode & 0o077 != 0 {
            throw .tokenReadableByOthers(path: path, mode: facts.st_mode & 0o7777)
        }
        guard let text = try read(Self.webTokenName) else { return nil }
        return String(text.prefix { $0 != "\n" })
    }

    package func keepWebToken(_ token: String) throws(DataDirectoryError) { try keep("\(token)\n", Self.webTokenName) }

    /// - Returns: nothing where there is nothing.
    package func webUsers() throws(DataDirectoryError) -> String { try read(Self.webUsersName) ?? "" }

    /// - Throws: `RequestError`, for whoever asked that it be kept.
    package func keepWebUsers(_ text: String) throws(RequestError) {
        let path = "\(path)/\(Self.webUsersName)"
        do {
            try TextFile(path: path).replace(with: text)
        } catch {
            throw RequestError(error, writing: path)
        }
    }

    /// - Returns: its path.
    package func keepWebLead(_ text: String) throws(DataDirectoryError) -> String {
        try keep(text, Self.webLeadName)
        return "\(path)/\(Self.webLeadName)"
    }

    /// Tells other processes of this person where the page is; `nil` that it is gone.
    package func noteWebAddress(_ address: PeerAddress?) {
        guard let address else {
            for name in [Self.webAddressName, Self.webLeadName] { unlink("\(path)/\(name)") }
            return
        }
        do {
            try keep("\(getpid()) \(address)\n", Self.webAddressName)
        } catch {
            return  // Only who would open it misses it; the disk may be full.
        }
    }

    /// - Returns: where the page of a process that runs is.
    package func webAddress() -> PeerAddress? {
        do {
            let parts = try read(Self.webAddressName)?.split { $0 == " " || $0 == "\n" } ?? []
            guard parts.count == 2, let process = Int32(parts[0]), process > 0, kill(process, 0) == 0 else {
                return nil
            }
            return try PeerAddress(parsing: String(parts[1]))
        } catch {
            return nil
        }
    }

    private func read(_ name: String) throws(DataDirectoryError) -> String? {
        let path = "\(path)/\(name)"
        do {
            return try TextFile(path: path, bytesMax: Self.usersBytesMax).read()
        } catch {
            throw .cannotRead(path: path, reason: error.description)
        }
    }

    private func keep(_ text: String, _ name: String) throws(DataDirectoryError) {
        let path = "\(path)/\(name)"
        do {
            try TextFile(path: path).replace(with: text)
        } catch {
            throw .cannotMake(path: path, reason: error.description)
        }
    }
}
