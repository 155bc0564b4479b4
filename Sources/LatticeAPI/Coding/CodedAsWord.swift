/// One of a few words wherever values are written down as JSON; who says another is told which there are.
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
    /// A number of things within a range; one that no integer holds is told by the name of its field, too.
    ///
    /// - Parameter rule: what the range is, as whoever asked reads it.
    /// - Returns: `nil` for what is `null` or not there.
    func count(in range: ClosedRange<Int>, forKey key: Key, _ rule: String) throws -> Int? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        do {
            let count = try decode(Int.self, forKey: key)
            if range.contains(count) { return count }
        } catch DecodingError.typeMismatch(let type, let context) {
            throw DecodingError.typeMismatch(type, context)
        } catch {
            // A fraction, or beyond 64 bits: a decoder of JSON says so by an error of its own, which names no field.
        }
        throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: rule)
    }
}
