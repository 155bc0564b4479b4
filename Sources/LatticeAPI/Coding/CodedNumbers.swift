package import LatticeCore
package import LatticeGeo

/// Unix milliseconds.
extension WallTime: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

/// Degrees, as in a record: to seven decimals.
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

/// By reason; what never happened is left out.
extension RefusalCounts: Codable {
    package init(from decoder: any Decoder) throws {
        self.init()
        for (name, count) in try decoder.singleValueContainer().decode([String: Int].self) {
            // A later version counts more.
            guard let reason = RefusalReason(rawValue: name) else { continue }
            add(reason, count)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(uniqueKeysWithValues: happened.map { ($0.reason.rawValue, $0.count) }))
    }
}
