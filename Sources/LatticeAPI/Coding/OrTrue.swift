/// A flag that is `true` if JSON leaves it out.
@propertyWrapper package struct OrTrue: Hashable, Sendable, Codable {
    package var wrappedValue: Bool

    package init(wrappedValue: Bool) {
        self.wrappedValue = wrappedValue
    }

    package init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Bool.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension KeyedDecodingContainer {
    /// `null` counts as missing.
    func decode(_ type: OrTrue.Type, forKey key: Key) throws -> OrTrue {
        OrTrue(wrappedValue: try decodeIfPresent(Bool.self, forKey: key) ?? true)
    }
}
