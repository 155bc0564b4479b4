import Glibc
package import LatticeAPI

/// What the page and the HTTP API keep in a person's folder.
extension DataDirectory {
    /// The token that opens both; anyone who can read this file can write in this person's name.
    static let webTokenName = "http-token"
    /// Who owns the events that API clients made.
    static let webUsersName = "http-users"
    /// Who writes through the node from browsers.
    static let webVisitorsName = "http-visitors"
    static let webDamagedVisitorsName = "http-visitors.damaged"
    /// The certificate that the page makes for itself, with its key.
    static let webCertificateName = "http-tls.pem"
    /// The page's address, while it is served.
    static let webAddressName = "http-address"
    /// Leads a browser to the page. A file keeps the token out of process arguments.
    static let webLeadName = "http-open.html"
    /// Enough for a thousand users and ten thousand events, or for a thousand visitors in many rooms.
    private static let usersBytesMax = 1 << 24

    package var webTokenPath: String { "\(path)/\(Self.webTokenName)" }

    /// - Returns: `nil` if there is none yet; empty if the file is.
    /// - Throws: also if others could have read it.
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

    /// - Returns: the empty string if there is no file.
    package func webUsers() throws(DataDirectoryError) -> String { try read(Self.webUsersName) ?? "" }

    /// - Throws: `RequestError`, for the client that asked to save it.
    package func keepWebUsers(_ text: String) throws(RequestError) {
        let path = "\(path)/\(Self.webUsersName)"
        do {
            try TextFile(path: path).replace(with: text)
        } catch {
            throw RequestError(error, writing: path)
        }
    }

    /// - Returns: the empty string if there is no file.
    package func webVisitors() throws(DataDirectoryError) -> String { try read(Self.webVisitorsName) ?? "" }

    /// - Throws: `RequestError`, for the client that asked to save it.
    package func keepWebVisitors(_ text: String) throws(RequestError) {
        let path = "\(path)/\(Self.webVisitorsName)"
        do {
            try TextFile(path: path).replace(with: text)
        } catch {
            throw RequestError(error, writing: path)
        }
    }

    /// Keeps what was there beside the file, under another name.
    ///
    /// - Returns: the path of the copy.
    package func keepDamagedWebVisitors(_ text: String) throws(DataDirectoryError) -> String {
        try keep(text, Self.webDamagedVisitorsName)
        return "\(path)/\(Self.webDamagedVisitorsName)"
    }

    package func keepWebLead(_ text: String) throws(DataDirectoryError) -> String {
        try keep(text, Self.webLeadName)
        return "\(path)/\(Self.webLeadName)"
    }

    package var webCertificatePath: String { "\(path)/\(Self.webCertificateName)" }

    package func keepWebCertificate(_ pem: String) throws(DataDirectoryError) { try keep(pem, Self.webCertificateName) }

    /// Records for other processes of this person where the page is; `nil` removes the note.
    package func noteWebPlace(_ place: WebPlace?) {
        guard let place else {
            for name in [Self.webAddressName, Self.webLeadName] { unlink("\(path)/\(name)") }
            return
        }
        do {
            try keep("\(getpid()) \(place.text)\n", Self.webAddressName)
        } catch {
            return  // Only opening the page needs it; the disk may be full.
        }
    }

    /// - Returns: where a running process serves the page.
    package func webPlace() -> WebPlace? {
        do {
            let parts = try read(Self.webAddressName)?.split { $0 == " " || $0 == "\n" } ?? []
            guard let process = parts.first.flatMap({ Int32($0) }), process > 0, kill(process, 0) == 0 else {
                return nil
            }
            return try WebPlace(parts.dropFirst().map(String.init))
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
