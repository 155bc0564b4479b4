import Foundation

/// Bytes that JSON has as Base64.
@propertyWrapper package struct Base64Bytes: Hashable, Sendable, Codable {
    package var wrappedValue: [UInt8]

    package init(wrappedValue: [UInt8]) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        wrappedValue = Array(try decoder.singleValueContainer().decode(Data.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(wrappedValue))
    }
}
