/// The id of a client's request, a whole number or a string, which the response repeats (JSON-RPC 2.0, section 4).
package enum ControlID: Hashable, Sendable, Codable {
    case number(Int64)
    /// At most 64 bytes.
    case text(String)

    private static let bytesMax = 64
    /// 18 digits, all nines.
    private static let numberMax: Int64 = 999_999_999_999_999_999

    /// - Returns: `nil` if the id is `null` or missing.
    static func found(in members: KeyedDecodingContainer<ControlLine.Member>) throws -> ControlID? {
        guard try members.contains(.id) && !members.decodeNil(forKey: .id) else { return nil }
        do {
            return try members.decode(ControlID.self, forKey: .id)
        } catch {
            throw DecodingError.dataCorruptedError(
                forKey: .id, in: members,
                debugDescription: "an id is a whole number of at most 18 digits, or a text of at most \(bytesMax) bytes"
            )
        }
    }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        do {
            self = .text(try value.decode(String.self))
        } catch {
            self = .number(try value.decode(Int64.self))
        }
        let isShort =
            switch self {
            case .text(let text): text.utf8.count <= Self.bytesMax
            case .number(let number): number.magnitude <= Self.numberMax.magnitude
            }
        guard !isShort else { return }
        throw DecodingError.dataCorruptedError(in: value, debugDescription: "this id is too long")
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        }
    }
}
