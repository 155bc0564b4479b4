package import LatticeCore

/// A value that JSON writes as one string.
package protocol CodedAsText: Codable {
    var codedText: String { get }

    /// - Throws: an error whose description says what is valid.
    init(codedText: String) throws
}

extension CodedAsText {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            try self.init(codedText: text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(codedText)
    }
}

/// A string that is not valid; says what is.
struct TextFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension PeerID: CodedAsText {
    package var codedText: String { hex }

    package init(codedText: String) throws {
        guard let id = PeerID(hex: codedText) else { throw TextFault("a peer id has 64 hexadecimal digits") }
        self = id
    }
}

/// Encoded as a member name, in objects that hold one entry for each peer.
extension PeerID: CodingKeyRepresentable {
    package var codingKey: any CodingKey { AnyName(hex) }

    package init?(codingKey: some CodingKey) {
        self.init(hex: codingKey.stringValue)
    }
}

extension PeerPrefix: CodedAsText {
    package var codedText: String { description }

    package init(codedText: String) throws {
        guard let prefix = PeerPrefix(hex: codedText) else {
            throw TextFault("the start of a peer id has 16 hexadecimal digits")
        }
        self = prefix
    }
}

extension RecordID: CodedAsText {
    package var codedText: String { hex }

    package init(codedText: String) throws {
        guard let hash = Bytes32(hex: codedText) else { throw TextFault("a record id has 64 hexadecimal digits") }
        self.init(hash)
    }
}

extension PeerName: CodedAsText {
    package var codedText: String { text }

    package init(codedText: String) throws { try self.init(codedText) }
}

extension RoomName: CodedAsText {
    package var codedText: String { text }

    package init(codedText: String) throws { try self.init(codedText) }
}

extension MeshName: CodedAsText {
    package var codedText: String { text }

    package init(codedText: String) throws { try self.init(codedText) }
}

extension PeerAddress: CodedAsText {
    package var codedText: String { description }

    package init(codedText: String) throws { try self.init(parsing: codedText) }
}

extension Colour: CodedAsText {
    package var codedText: String { description }

    package init(codedText: String) throws {
        guard let colour = Colour(parsing: codedText) else { throw TextFault("a colour is six hexadecimal digits") }
        self = colour
    }
}

extension ItemReference: CodedAsText {
    package var codedText: String { text }

    package init(codedText: String) { self.init(codedText) }
}

extension PlaceReference: CodedAsText {
    package var codedText: String { text }

    package init(codedText: String) { self.init(codedText) }
}

extension PeerReference: CodedAsText {
    package var codedText: String { text }

    package init(codedText: String) { self.init(codedText) }
}

extension PageCursor: CodedAsText {
    package var codedText: String { text }

    package init(codedText: String) { self.init(codedText) }
}

extension Sighting.Source: Codable {}

extension RefusalReason: Codable {}
