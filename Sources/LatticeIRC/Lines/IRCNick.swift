import LatticeCore

/// Nicknames: 1–32 bytes of UTF-8, with the characters of RFC 2812 section 2.3.1 and all non-ASCII ones. They compare
/// without regard to the case of ASCII letters (CASEMAPPING=ascii).
enum IRCNick {
    static let bytesMax = 32

    static func folded(_ nick: some StringProtocol) -> String {
        String(decoding: nick.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    static func isValid(_ nick: String) -> Bool {
        guard (1...bytesMax).contains(nick.utf8.count), let first = nick.unicodeScalars.first,
            nick.unicodeScalars.allSatisfy(isAllowed)
        else { return false }
        return !isDigit(first) && first != "-"
    }

    static func name(_ nick: String) -> PeerName? {
        do {
            return try PeerName(nick)
        } catch {
            return nil  // A mesh has rules of its own for names.
        }
    }

    /// Names of services in IRC networks, to which people and clients send their passwords: `NickServ`, `ChanServ` and
    /// others.
    static func isReserved(_ nick: some StringProtocol) -> Bool {
        let folded = folded(nick)
        return folded.hasSuffix("serv") || ["global", "services", "server"].contains(folded)
    }

    /// A nick for somebody who has not chosen one.
    ///
    /// - Parameter isTaken: whether somebody else has it. A nick with the person's short id is almost never taken.
    static func made(from name: PeerName?, _ id: PeerID, isTaken: (String) -> Bool) -> String {
        let plain = base(name?.text, bytesMax: bytesMax)
        if isValid(plain), !isReserved(plain), !isTaken(plain) { return plain }
        let suffixed = suffixed(name, id)
        if isValid(suffixed), !isTaken(suffixed) { return suffixed }
        return "k\(id.hex.prefix(bytesMax - 1))"
    }

    /// The nick with the owner's short id, which tells namesakes apart.
    static func suffixed(_ name: PeerName?, _ id: PeerID) -> String { suffixed(name?.text, id) }

    static func suffixed(_ name: String?, _ id: PeerID) -> String {
        "\(base(name, bytesMax: bytesMax - 5))|\(id.short)"
    }

    /// Splits a nick made by `suffixed` into name and short id.
    static func parts(_ nick: String) -> (name: String, short: String)? {
        guard let bar = nick.lastIndex(of: "|"), nick[bar...].utf8.count == 5 else { return nil }
        return (String(nick[..<bar]), String(nick[bar...].dropFirst()))
    }

    /// The name, with the short id if there is one, from a nick made by `made`.
    static func reference(_ nick: String) -> String {
        parts(nick).map { "\($0.name)#\($0.short)" } ?? nick
    }

    private static func base(_ name: String?, bytesMax: Int) -> String {
        guard let name else { return "somebody" }
        var base = String.UnicodeScalarView()
        var bytes = 0
        for scalar in name.unicodeScalars {
            let kept = isAllowed(scalar) ? scalar : "_"
            bytes += String(kept).utf8.count
            guard bytes <= bytesMax else { break }
            base.append(kept)
        }
        let text = String(base)
        guard let first = base.first, isDigit(first) || first == "-" else { return text }
        return "_" + String(text.utf8.count < bytesMax ? text[...] : text.dropLast())
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "[", "]", "\\", "`", "_", "^", "{", "|", "}": true
        case _ where scalar.isASCII: false
        default: !scalar.properties.isWhitespace && !DisplayText.isUnsafe(scalar)
        }
    }
}
