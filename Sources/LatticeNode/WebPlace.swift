package import LatticeCore

/// Where a process serves the page.
package struct WebPlace: Equatable, Sendable {
    package let address: PeerAddress
    package let isSecure: Bool
    /// Whether people write there in their own names.
    package let hasVisitors: Bool
    /// The SHA-256 fingerprint of a certificate that nobody else certified.
    package let fingerprint: String?

    package init(address: PeerAddress, isSecure: Bool = false, hasVisitors: Bool = false, fingerprint: String? = nil) {
        self.address = address
        self.isSecure = isSecure
        self.hasVisitors = hasVisitors
        self.fingerprint = fingerprint
    }

    /// Its words in a file: `http 127.0.0.1:8080 owner`, `https 0.0.0.0:8080 visitors AB:CD:…`.
    var text: String {
        let words = [isSecure ? "https" : "http", "\(address)", hasVisitors ? "visitors" : "owner"]
        return (words + [fingerprint].compactMap(\.self)).joined(separator: " ")
    }

    /// - Returns: `nil` if the words are others.
    /// - Throws: if there is no address in them.
    init?(_ words: [String]) throws {
        guard (3...4).contains(words.count) else { return nil }
        self.init(
            address: try PeerAddress(parsing: words[1]), isSecure: words[0] == "https",
            hasVisitors: words[2] == "visitors", fingerprint: words.count == 4 ? words[3] : nil)
    }
}
