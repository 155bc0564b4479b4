/// An enumeration that JSON writes as one of a few words. The error for another word lists the valid ones.
package protocol CodedAsWord: RawRepresentable, CaseIterable, Codable where RawValue == String {}

extension CodedAsWord {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let word = try container.decode(String.self)
        guard let value = Self(rawValue: word) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(word.prefix(64))' is not one of \(known)")
        }
        self = value
    }
}

extension KeyedDecodingContainer {
    /// A count within a range. The error for a number that is not an integer names the field as well.
    ///
    /// - Parameter rule: the range, in words for the error.
    /// - Returns: `nil` if the field is `null` or missing.
    func count(in range: ClosedRange<Int>, forKey key: Key, _ rule: String) throws -> Int? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        do {
            let count = try decode(Int.self, forKey: key)
            if range.contains(count) { return count }
        } catch DecodingError.typeMismatch(let type, let context) {
            throw DecodingError.typeMismatch(type, context)
        } catch {
            // A fraction, or beyond 64 bits: the JSON decoder's own error names no field.
        }
        throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: rule)
    }
}
