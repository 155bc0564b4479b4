package import LatticeCore
package import LatticeGeo

/// Unix milliseconds within 100,000,000 days of 1970 (ECMA-262, section 21.4.1.1): sums of a few fit into 64 bits.
extension WallTime: Codable {
    private static let codedRange: ClosedRange<Int64> = -8_640_000_000_000_000...8_640_000_000_000_000

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let milliseconds = try container.decode(Int64.self)
        guard Self.codedRange.contains(milliseconds) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a date is in milliseconds since 1970; this one is out of range")
        }
        self.init(milliseconds: milliseconds)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

/// Degrees to seven decimals, as in a record.
extension Coordinate: Codable {
    private enum Field: String, CodingKey {
        case latitude
        case longitude
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let (latitude, longitude) = (
            try fields.decode(Double.self, forKey: .latitude), try fields.decode(Double.self, forKey: .longitude)
        )
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
            throw DecodingError.dataCorruptedError(
                forKey: .latitude, in: fields,
                debugDescription: "a latitude is from -90 to 90, a longitude from -180 to 180")
        }
        self = place
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(latitude, forKey: .latitude)
        try fields.encode(longitude, forKey: .longitude)
    }
}

/// Counts by reason; zeros are left out.
extension RefusalCounts: Codable {
    package init(from decoder: any Decoder) throws {
        self.init()
        for (name, count) in try decoder.singleValueContainer().decode([String: Int].self) {
            // A later version may count more reasons.
            guard let reason = RefusalReason(rawValue: name) else { continue }
            add(reason, count)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(uniqueKeysWithValues: happened.map { ($0.reason.rawValue, $0.count) }))
    }
}
