/// A flag that JSON has only if it is set.
@propertyWrapper package struct CodedFlag: Hashable, Sendable, Codable {
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
    /// A missing field is `false`.
    func decode(_ type: CodedFlag.Type, forKey key: Key) throws -> CodedFlag {
        try decodeIfPresent(type, forKey: key) ?? CodedFlag(wrappedValue: false)
    }
}

extension KeyedEncodingContainer {
    /// `false` is left out.
    mutating func encode(_ flag: CodedFlag, forKey key: Key) throws {
        if flag.wrappedValue { try encode(true, forKey: key) }
    }
}
