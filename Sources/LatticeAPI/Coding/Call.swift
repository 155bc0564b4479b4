/// A named event and its parameters, as JSON.
package struct Call: Encodable, Sendable {
    fileprivate enum Params: Sendable {
        case fields([(CallField, any Encodable & Sendable)])
        /// The object that holds all parameters.
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

    /// Encodes the parameters as an object, even if it is empty; the caller writes the name.
    package func encode(to encoder: any Encoder) throws {
        switch params {
        case .fields(let fields):
            var container = encoder.container(keyedBy: CallField.self)
            for (field, value) in fields { try container.encode(value, forKey: field) }
        case .whole(let value): try value.encode(to: encoder)
        }
    }
}

/// The possible parameters of a call; each means the same in every call.
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

package struct UnknownCall: Error, CustomStringConvertible {
    package let name: String

    package init(name: String) { self.name = name }

    package var description: String { "unknown request '\(name.prefix(64))'" }
}

/// A duration that JSON writes as seconds with a fraction.
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
        // Some 31 years. Nothing here waits or lasts as long, and nanoseconds overflow 64 bits at 292 years.
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
    /// A missing field is `nil`.
    func decode(_ type: InSeconds.Type, forKey key: Key) throws -> InSeconds {
        try decodeIfPresent(type, forKey: key) ?? InSeconds(wrappedValue: nil)
    }
}
