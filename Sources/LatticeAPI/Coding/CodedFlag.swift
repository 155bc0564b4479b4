/// A flag that JSON has as one value.
package protocol CodedBool: Codable {
    var wrappedValue: Bool { get }

    init(wrappedValue: Bool)
}

extension CodedBool {
    package init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Bool.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

/// A flag that JSON has only if it is set.
@propertyWrapper package struct CodedFlag: Hashable, Sendable, CodedBool {
    package var wrappedValue: Bool

    package init(wrappedValue: Bool) {
        self.wrappedValue = wrappedValue
    }
}

/// A flag that is `true` if JSON leaves it out.
@propertyWrapper package struct OrTrue: Hashable, Sendable, CodedBool {
    package var wrappedValue: Bool

    package init(wrappedValue: Bool) {
        self.wrappedValue = wrappedValue
    }
}

extension KeyedDecodingContainer {
    /// A missing field is `false`.
    func decode(_ type: CodedFlag.Type, forKey key: Key) throws -> CodedFlag {
        try decodeIfPresent(type, forKey: key) ?? CodedFlag(wrappedValue: false)
    }

    /// `null` counts as missing.
    func decode(_ type: OrTrue.Type, forKey key: Key) throws -> OrTrue {
        OrTrue(wrappedValue: try decodeIfPresent(Bool.self, forKey: key) ?? true)
    }
}

extension KeyedEncodingContainer {
    /// `false` is left out.
    mutating func encode(_ flag: CodedFlag, forKey key: Key) throws {
        if flag.wrappedValue { try encode(true, forKey: key) }
    }
}

/// A list that JSON leaves out if it is empty.
@propertyWrapper package struct OrNone<Element: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    package var wrappedValue: [Element]

    package init(wrappedValue: [Element]) {
        self.wrappedValue = wrappedValue
    }

    package init(from decoder: any Decoder) throws {
        wrappedValue = try [Element](from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try wrappedValue.encode(to: encoder)
    }
}

extension KeyedDecodingContainer {
    /// A missing list is empty.
    func decode<Element>(_ type: OrNone<Element>.Type, forKey key: Key) throws -> OrNone<Element> {
        try decodeIfPresent(type, forKey: key) ?? OrNone(wrappedValue: [])
    }
}

extension KeyedEncodingContainer {
    mutating func encode<Element>(_ list: OrNone<Element>, forKey key: Key) throws {
        if !list.wrappedValue.isEmpty { try encode(list.wrappedValue, forKey: key) }
    }
}
