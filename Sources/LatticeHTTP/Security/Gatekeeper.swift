import LatticeCore

/// First check of each request: whether it is meant for this server, comes from its own page, and has the token.
///
/// A browser sends a page's requests to any address that a name resolves to (DNS rebinding), and lets any page send
/// requests that change something (CSRF). `Host` is checked against the first. Against the second, `Origin` and
/// `Sec-Fetch-Site` are checked, and the token must be in a header that no form can send.
package struct Gatekeeper: Sendable {
    /// Whether the server accepts only local programs.
    package let isLoopback: Bool
    private let token: AccessToken
    /// Names of this machine in lower case. A numeric address leads nowhere else and is always accepted.
    private let names: Set<String>
    private let scheme: String

    /// - Parameters:
    ///   - host: the listening address.
    ///   - machine: the name of this machine in its network.
    ///   - certified: names in the certificate of this server, which lead here, too; `nil` for plain HTTP.
    package init(host: String, token: AccessToken, machine: String?, certified: Set<String>? = nil) {
        isLoopback = Self.isLoopback(host)
        self.token = token
        var names: Set<String> = ["localhost"]
        if !isLoopback {
            for name in [machine, host].compactMap({ $0?.lowercased() }) where !name.isEmpty {
                names.formUnion([name, "\(name).local"])
            }
        }
        names.formUnion(certified ?? [])
        self.names = names
        scheme = certified == nil ? "http" : "https"
    }

    package static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.") && isIPv4(host)
    }

    /// - Returns: whether it has the token.
    /// - Throws: `HTTPProblem` if the request is not allowed.
    package func admit(_ call: HTTPCall) throws(HTTPProblem) -> Bool {
        guard let host = call.headers["host"] else {
            throw HTTPProblem(
                400, "badRequest", "The header Host is missing. Send the name or address of this server in it.")
        }
        guard isOurs(host) else {
            throw HTTPProblem(
                421, "wrongHost", "This server has another name. Use the address that lattice printed.")
        }
        try checkSite(call, host)
        guard let authorization = call.headers["authorization"] else { return false }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", token.isSame(as: String(parts[1])) else {
            throw .tokenNeeded("The token is wrong. Open the link that 'lattice web' prints.")
        }
        return true
    }

    /// The token is also the secret that apps need: a client that has the one has the other.
    func isToken(_ text: String?) -> Bool { text.map(token.isSame(as:)) ?? false }

    private func checkSite(_ call: HTTPCall, _ host: String) throws(HTTPProblem) {
        let isOfAPI = call.path.first == "v1"
        guard isOfAPI || !call.method.isSafe else { return }
        let foreign = HTTPProblem(
            403, "foreignPage", "Pages from other sites may not use this address. Open it yourself.")
        if let site = call.headers["sec-fetch-site"], site != "same-origin", site != "none" { throw foreign }
        guard !call.method.isSafe, let origin = call.headers["origin"] else { return }
        guard origin.lowercased() == "\(scheme)://\(host.lowercased())" else { throw foreign }
    }

    private func isOurs(_ authority: String) -> Bool {
        let host: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]"), Self.isPort(authority[end...].dropFirst())
            else { return false }
            host = authority[authority.index(after: authority.startIndex)..<end]
            return !isLoopback || host == "::1"
        }
        host = authority.prefix { $0 != ":" }
        guard Self.isPort(authority[host.endIndex...]) else { return false }
        let name = host.lowercased()
        if names.contains(name) || names.contains("*\(name.drop { $0 != "." })") { return true }
        return isLoopback ? Self.isLoopback(name) : Self.isIPv4(name)
    }

    /// Whether it is empty, or a colon and digits.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isIPv4(_ host: some StringProtocol) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    && (Int(part) ?? 256) < 256
            }
    }
}
