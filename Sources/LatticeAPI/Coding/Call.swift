/// An event as JSON has it: a name, and what belongs to it.
package struct Call: Encodable, Sendable {
    fileprivate enum Params: Sendable {
        case fields([(CallField, any Encodable & Sendable)])
        /// An object that has all of it.
        case whole(any Encodable & Sendable)
    }

    package let name: String
    private let params: Params

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
        case .fields(let fields):
            var container = encoder.container(keyedBy: CallField.self)
            for (field, value) in fields { try container.encode(value, forKey: field) }
        case .whole(let value): try value.encode(to: encoder)
        }
    }
}

/// What may stand in a call; each means the same in all of them.
enum CallField: String, CodingKey {
    case peer, name, context, missed, was, records
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

    package init(_ decoder: any Decoder) {
        self.decoder = decoder
    }

    subscript<Value: Decodable>(field: CallField) -> Value {
        get throws {
            try decoder.container(keyedBy: CallField.self).decode(Value.self, forKey: field)
        }
    }

    func whole<Value: Decodable>() throws -> Value {
        try Value(from: decoder)
    }
}

/// A name that nothing has here.
package struct UnknownCall: Error, CustomStringConvertible {
    package let name: String

    package init(name: String) { self.name = name }

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
