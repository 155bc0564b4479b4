package import LatticeCore

/// A `lattice://` link: everything that somebody needs to join a mesh, for networks that block mDNS.
///
/// A link with a key lets in anybody who has it.
package struct InvitationLink: Hashable, Sendable {
    /// What the mesh requires of newcomers.
    package enum Access: Hashable, Sendable {
        case open
        /// The mesh is closed; the person must enter its passphrase.
        case passphrase
        /// The mesh is closed, and this is its key.
        case key(Bytes32)
    }

    package static let version = "1"
    package static let charactersMax = 1_024
    package static let addressesMax = 8
    private static let beginning = "lattice://join/"

    package let mesh: MeshName
    package let access: Access
    /// The addresses of the inviter, likeliest first.
    package let addresses: [PeerAddress]
    /// The peer expected at `addresses`.
    package let inviter: PeerID?
    /// The expiry, in Unix seconds.
    package let until: UInt64?
    /// Whose card of the mesh newcomers take.
    package let card: PeerID?

    /// - Throws: `tooLong` or `tooManyAddresses`.
    package init(
        mesh: MeshName, access: Access, addresses: [PeerAddress], inviter: PeerID?, until: UInt64? = nil,
        card: PeerID? = nil
    ) throws(InvitationLinkError) {
        (self.mesh, self.access, self.addresses, self.inviter, self.until) = (mesh, access, addresses, inviter, until)
        self.card = card
        guard addresses.count <= Self.addressesMax else { throw .tooManyAddresses }
        let characters = text.utf8.count
        guard characters <= Self.charactersMax else { throw .tooLong(characters: characters) }
    }

    /// Parses a link. Unknown parameters are ignored, for later versions.
    package init(parsing text: some StringProtocol) throws(InvitationLinkError) {
        guard text.utf8.count <= Self.charactersMax else { throw .tooLong(characters: text.utf8.count) }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .badCharacter }
        guard text.lowercased().hasPrefix(Self.beginning) else { throw .noLink }
        let rest = text.dropFirst(Self.beginning.count).prefix { $0 != "#" }
        let path = rest.prefix { $0 != "?" }
        let query = try LinkQuery(rest.dropFirst(path.count + 1))
        guard let version = try query.one("v") else { throw .missing("v") }
        guard version == Self.version else { throw .otherVersion }
        guard let name = PercentText.decoded(path) else { throw .badValue("mesh") }
        do {
            mesh = try MeshName(name)
        } catch {
            throw .badMesh(error)
        }
        addresses = try query.addresses(countMax: Self.addressesMax)
        inviter = try query.bytes32("id").map(PeerID.init)
        access = try query.access()
        until = try query.seconds("until")
        card = try query.bytes32("card").map(PeerID.init)
    }

    /// Allowed unescaped in paths and queries (RFC 3986, section 3.3).
    private static let unescaped = ":"

    package var text: String {
        var parameters = ["v=\(Self.version)"]
        parameters += addresses.map { "at=\(PercentText.encoded($0.description, keeping: Self.unescaped))" }
        if let inviter { parameters.append("id=\(Base64URL.string(inviter.key.bytes))") }
        switch access {
        case .open: break
        case .passphrase: parameters.append("closed=1")
        case .key(let key): parameters.append("key=\(Base64URL.string(key.bytes))")
        }
        if let until { parameters.append("until=\(until)") }
        if let card { parameters.append("card=\(Base64URL.string(card.key.bytes))") }
        return Self.beginning + PercentText.encoded(mesh.text, keeping: Self.unescaped) + "?"
            + parameters.joined(separator: "&")
    }

    package func isOver(at time: WallTime) -> Bool {
        guard let until, time.milliseconds >= 0 else { return false }
        return UInt64(time.milliseconds / 1_000) >= until
    }
}

/// The decoded parameters after the `?`.
private struct LinkQuery {
    private let pairs: [(name: String, value: String)]

    init(_ text: some StringProtocol) throws(InvitationLinkError) {
        var pairs: [(name: String, value: String)] = []
        for piece in text.split(separator: "&") {
            let name = piece.prefix { $0 != "=" }
            guard let value = PercentText.decoded(piece.dropFirst(name.count + 1)) else {
                throw .badValue(String(name.prefix(InvitationLinkError.nameCharactersMax)))
            }
            pairs.append((String(name), value))
        }
        self.pairs = pairs
    }

    /// - Throws: `repeated`, because it is unknown which of two values was meant.
    func one(_ name: String) throws(InvitationLinkError) -> String? {
        let values = pairs.filter { $0.name == name }
        guard values.count <= 1 else { throw .repeated(name) }
        return values.first?.value
    }

    func addresses(countMax: Int) throws(InvitationLinkError) -> [PeerAddress] {
        let texts = pairs.filter { $0.name == "at" }.map(\.value)
        guard texts.count <= countMax else { throw .tooManyAddresses }
        var addresses: [PeerAddress] = []
        for text in texts {
            do {
                addresses.append(try PeerAddress(parsing: text))
            } catch {
                throw .badValue("at")
            }
        }
        return addresses
    }

    func bytes32(_ name: String) throws(InvitationLinkError) -> Bytes32? {
        guard let text = try one(name) else { return nil }
        guard let bytes = Base64URL.bytes(text), let value = Bytes32(bytes) else { throw .badValue(name) }
        return value
    }

    func access() throws(InvitationLinkError) -> InvitationLink.Access {
        if let key = try bytes32("key") { return .key(key) }
        guard let closed = try one("closed") else { return .open }
        guard closed == "1" else { throw .badValue("closed") }
        return .passphrase
    }

    func seconds(_ name: String) throws(InvitationLinkError) -> UInt64? {
        guard let text = try one(name) else { return nil }
        guard !text.hasPrefix("+"), let seconds = UInt64(text) else { throw .badValue(name) }
        return seconds
    }
}

/// Why a text is not a valid invitation link. No error repeats a value, which may be a key.
package enum InvitationLinkError: Error, Equatable, CustomStringConvertible {
    fileprivate static let nameCharactersMax = 16

    case tooLong(characters: Int)
    case badCharacter
    case noLink
    case missing(String)
    case otherVersion
    case badMesh(NameError)
    case badValue(String)
    case repeated(String)
    case tooManyAddresses

    package var description: String {
        switch self {
        case .tooLong(let characters):
            "this link has \(characters) characters; \(InvitationLink.charactersMax) are allowed"
        case .badCharacter: "this link has spaces or characters that a link cannot have; copy it again, in quotes"
        case .noLink: "this is not an invitation link; one begins with lattice://join/"
        case .missing(let name):
            "'\(name)' is missing from this link; copy all of it, in quotes, because a shell ends the word at &"
        case .otherVersion: "this link is for another version of lattice; use the version of the person who invites you"
        case .badMesh(let error): "this link names no mesh: \(error)"
        case .badValue(let name): "'\(name)' in this link cannot be read; copy it again"
        case .repeated(let name): "'\(name)' is in this link twice; copy it again"
        case .tooManyAddresses: "a link names at most \(InvitationLink.addressesMax) addresses"
        }
    }
}
