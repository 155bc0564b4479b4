package import LatticeCore

/// What is asked, answered or told, as JSON has it: a name, and what belongs to it.
package struct Call: Encodable, Sendable {
    fileprivate enum Params: Sendable {
        case none
        case fields([(CallField, any Encodable & Sendable)])
        /// An object that has all of it.
        case whole(any Encodable & Sendable)
    }

    package let name: String
    private let params: Params

    init(_ name: String) {
        self.name = name
        params = .none
    }

    init(_ name: String, _ fields: KeyValuePairs<CallField, any Encodable & Sendable>) {
        self.name = name
        params = .fields(Array(fields.map { ($0.key, $0.value) }))
    }

    init(_ name: String, of value: some Encodable & Sendable) {
        self.name = name
        params = .whole(value)
    }

    /// An object, an empty one too; the name is the caller's to write.
    package func encode(to encoder: any Encoder) throws {
        switch params {
        case .none: _ = encoder.container(keyedBy: CallField.self)
        case .fields(let fields):
            var container = encoder.container(keyedBy: CallField.self)
            for (field, value) in fields { try container.encode(value, forKey: field) }
        case .whole(let value): try value.encode(to: encoder)
        }
    }
}

/// What may stand in a call; each means the same in all of them.
enum CallField: String, CodingKey {
    case text, style, room, name, peer, address, prefix, accept, timeout, limit, query
    case record, isWaiting, unkept, unconfirmed, lines, peers, messages
    case item, on, likes, follows, attends, from, event, place, path, selection
    case person, people, petname, right, blocked, ignored, muted, entries, new, rooms
    case key, members, hasSelf
    case before, after, records, bytes, missed, context, was
    case audience, isNotice, at
}

/// A member of an object whose name is data.
package struct AnyName: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(_ name: String) { stringValue = name }
    package init(stringValue: String) { self.init(stringValue) }
    package init?(intValue: Int) { nil }
}

/// What came with a name.
package struct CallParams {
    private let decoder: any Decoder
    private let peer: PeerID?

    /// - Parameter peer: stands for what `peer` says, where that is not read here.
    package init(_ decoder: any Decoder, peer: PeerID? = nil) {
        self.decoder = decoder
        self.peer = peer
    }

    subscript<Value: Decodable>(field: CallField) -> Value {
        get throws {
            if field == .peer, let peer = peer as? Value { return peer }
            return try decoder.container(keyedBy: CallField.self).decode(Value.self, forKey: field)
        }
    }

    /// - Returns: `nil` for what is `null` or not there.
    func optional<Value: Decodable>(_ field: CallField) throws -> Value? {
        if field == .peer, let peer = peer as? Value { return peer }
        return try decoder.container(keyedBy: CallField.self).decodeIfPresent(Value.self, forKey: field)
    }

    func whole<Value: Decodable>() throws -> Value {
        try Value(from: decoder)
    }
}

/// A name that nothing has here.
package struct UnknownCall: Error, CustomStringConvertible {
    package let name: String

    package var description: String { "unknown request '\(name.prefix(64))'" }
}

/// A duration that JSON has in seconds, with their fraction.
@propertyWrapper package struct InSeconds: Hashable, Sendable, Codable {
    package var wrappedValue: Duration?

    package init(wrappedValue: Duration?) {
        self.wrappedValue = wrappedValue
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try Self.duration(try container.decode(Double.self), container)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue.map(Self.seconds))
    }

    private static func duration(
        _ seconds: Double, _ container: any SingleValueDecodingContainer
    ) throws -> Duration {
        // Some 31 years: nothing here waits or lasts as long, and 292 years of nanoseconds do not fit into 64 bits.
        guard seconds.magnitude < 1e9 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "this length of time is too long")
        }
        return .seconds(seconds)
    }

    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

extension KeyedDecodingContainer {
    /// A field that is left out is none.
    func decode(_ type: InSeconds.Type, forKey key: Key) throws -> InSeconds {
        try decodeIfPresent(type, forKey: key) ?? InSeconds(wrappedValue: nil)
    }
}
