package struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// A numeric IPv4 or IPv6 address (a link-local one with its `%interface`), or a host name that a person gave.
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses `HOST:PORT` or `[IPV6]:PORT`; the port is 1–65535.
    package init(parsing text: String) throws(PeerAddressError) {
        guard let colon = text.lastIndex(of: ":") else { throw .noPort(text) }
        var host = text[..<colon]
        let digits = text[text.index(after: colon)...]
        // `UInt16` alone would accept "+80", too.
        guard !digits.hasPrefix("+"), let port = UInt16(digits), port > 0 else { throw .badPort(text) }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            throw .unbracketed(text)
        }
        guard !host.isEmpty, host.utf8.count <= 255 else { throw .noHost(text) }
        let isPlain = host.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "[") && byte != UInt8(ascii: "]")
        }
        guard isPlain else { throw .noHost(text) }
        self.init(host: String(host), port: port)
    }

    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// Why a text is not an address; the description says what is.
package enum PeerAddressError: Error, Equatable, CustomStringConvertible {
    case noPort(String)
    case badPort(String)
    case noHost(String)
    case unbracketed(String)

    package var description: String {
        switch self {
        case .noPort(let text): "'\(text)' names no port; write HOST:PORT, as in 192.168.1.7:4000"
        case .badPort(let text): "'\(text)' has no valid port; a port is a number from 1 to 65535"
        case .noHost(let text): "'\(text)' names no host; write HOST:PORT, as in 192.168.1.7:4000"
        case .unbracketed(let text): "'\(text)' has an IPv6 address without brackets; write [fe80::1%eth0]:4000"
        }
    }
}
