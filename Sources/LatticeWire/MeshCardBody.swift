package import LatticeCore
package import LatticeGeo

/// The body of a `card` record: what the owner of a mesh says about it, and its defaults. The topic is empty.
///
/// `body := author:bytes name:bytes fields`
///
/// A node takes the card of one key only, which its owner has chosen.
package struct MeshCardBody: Hashable, Sendable {
    /// The part of the world that a map shows to somebody without a place.
    package struct Area: Hashable, Sendable {
        package static let metresRange = 10...1_000_000

        package let centre: Coordinate
        /// From the centre to the edge.
        package let metres: Int

        package init(_ centre: Coordinate, metres: Int) {
            precondition(Self.metresRange.contains(metres), "another area is refused where it is typed")
            (self.centre, self.metres) = (centre, metres)
        }
    }

    /// All but the author and the name; each may be missing.
    package struct Parts: Hashable, Sendable {
        /// Field 1, a description; empty without it.
        package var about = ""
        /// Field 2.
        package var area: Area?
        /// Field 3: the greatest length of a post or comment, in characters.
        package var textLength: Int?
        /// Field 4: how far away people may choose to read, in metres, ascending; empty without it.
        package var radiusChoices: [Int] = []
        /// Field 5: records of places that lists show first; empty without it.
        package var pins: [RecordID] = []
        /// Field 6: greets people; empty without it.
        package var welcome = ""
        /// Field 7: the rules of the house; empty without it.
        package var rules = ""

        package init() {}
    }

    package static let nameBytesMax = 64
    package static let aboutBytesMax = 1_024
    package static let textLengthRange = 1...1_000
    package static let radiusRange = 1...100_000
    package static let radiusChoicesMax = 8
    package static let pinsMax = 16
    package static let welcomeBytesMax = 512
    package static let rulesBytesMax = 4_096

    private enum Number {
        static let about: UInt64 = 1
        static let area: UInt64 = 2
        static let textLength: UInt64 = 3
        static let radiusChoices: UInt64 = 4
        static let pins: UInt64 = 5
        static let welcome: UInt64 = 6
        static let rules: UInt64 = 7
    }

    package let author: PeerName
    /// Not empty.
    package let name: String
    package let parts: Parts
    /// All fields, including those of later versions.
    private var fields: BodyFields

    package init(author: PeerName, name: String, _ parts: Parts = Parts()) {
        precondition((1...Self.nameBytesMax).contains(name.utf8.count), "another name is refused where it is typed")
        precondition(parts.about.utf8.count <= Self.aboutBytesMax, "a longer text is refused where it is typed")
        precondition(parts.welcome.utf8.count <= Self.welcomeBytesMax, "a longer text is refused where it is typed")
        precondition(parts.rules.utf8.count <= Self.rulesBytesMax, "a longer text is refused where it is typed")
        precondition(parts.pins.count <= Self.pinsMax, "more places are refused where they are named")
        precondition(
            parts.radiusChoices.count <= Self.radiusChoicesMax && Self.areChoices(parts.radiusChoices),
            "other choices are refused where they are typed")
        precondition(
            parts.textLength.map(Self.textLengthRange.contains) ?? true, "another length is refused where it is typed")
        (self.author, self.name, self.parts) = (author, name, parts)
        fields = BodyFields(Self.fields(parts))
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        author = try reader.peerName("card author")
        name = try reader.someText("card name", bytesMax: Self.nameBytesMax)
        fields = try BodyFields(reading: &reader, "card fields")
        var parts = Parts()
        parts.about = try Self.text(fields[Number.about], "card text", bytesMax: Self.aboutBytesMax)
        parts.area = try Self.area(fields[Number.area])
        parts.textLength = try Self.numbers(fields[Number.textLength], "card text length", in: Self.textLengthRange)
            .last
        parts.radiusChoices = try Self.numbers(
            fields[Number.radiusChoices], "card radius", in: Self.radiusRange, countMax: Self.radiusChoicesMax)
        guard Self.areChoices(parts.radiusChoices) else { throw .outOfRange(field: "card radius") }
        parts.pins = try Self.pins(fields[Number.pins])
        parts.welcome = try Self.text(fields[Number.welcome], "card welcome", bytesMax: Self.welcomeBytesMax)
        parts.rules = try Self.text(fields[Number.rules], "card rules", bytesMax: Self.rulesBytesMax)
        self.parts = parts
    }

    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.text(author.text)
        writer.text(name)
        fields.append(to: &writer)
        return writer.bytes
    }

    private static func areChoices(_ metres: [Int]) -> Bool {
        metres.allSatisfy(radiusRange.contains) && zip(metres, metres.dropFirst()).allSatisfy { $0 < $1 }
    }

    // MARK: Fields

    private static func fields(_ parts: Parts) -> [(number: UInt64, value: [UInt8])] {
        func numbers(_ values: [Int]) -> [UInt8] {
            var writer = ByteWriter()
            for value in values { writer.varint(UInt64(value)) }
            return writer.bytes
        }
        let all: [(number: UInt64, value: [UInt8])] = [
            (Number.about, Array(parts.about.utf8)), (Number.area, parts.area.map(bytes) ?? []),
            (Number.textLength, numbers(parts.textLength.map { [$0] } ?? [])),
            (Number.radiusChoices, numbers(parts.radiusChoices)), (Number.pins, parts.pins.flatMap(\.hash.bytes)),
            (Number.welcome, Array(parts.welcome.utf8)), (Number.rules, Array(parts.rules.utf8)),
        ]
        return all.filter { !$0.value.isEmpty }
    }

    private static func bytes(_ area: Area) -> [UInt8] {
        var writer = ByteWriter()
        writer.place(Place(area.centre))
        writer.varint(UInt64(area.metres))
        return writer.bytes
    }

    private static func text(
        _ value: ArraySlice<UInt8>?, _ field: String, bytesMax: Int
    ) throws(WireError) -> String {
        guard let value else { return "" }
        guard (1...bytesMax).contains(value.count) else { throw .outOfRange(field: field) }
        guard let text = String(validating: value, as: UTF8.self) else { throw .notUTF8(field: field) }
        return text
    }

    private static func area(_ value: ArraySlice<UInt8>?) throws(WireError) -> Area? {
        guard let value else { return nil }
        var reader = ByteReader(value)
        let place = try reader.place("card area")
        guard place.geohashCharacters == nil, let metres = Int(exactly: try reader.varint("card area")),
            Area.metresRange.contains(metres)
        else { throw .outOfRange(field: "card area") }
        try reader.end("card area")
        return Area(place.coordinate, metres: metres)
    }

    /// At least one if the field is there.
    private static func numbers(
        _ value: ArraySlice<UInt8>?, _ field: String, in range: ClosedRange<Int>, countMax: Int = 1
    ) throws(WireError) -> [Int] {
        guard let value else { return [] }
        var reader = ByteReader(value)
        var numbers: [Int] = []
        repeat {
            guard numbers.count < countMax, let number = Int(exactly: try reader.varint(field)), range.contains(number)
            else { throw .outOfRange(field: field) }
            numbers.append(number)
        } while reader.remaining > 0
        return numbers
    }

    private static func pins(_ value: ArraySlice<UInt8>?) throws(WireError) -> [RecordID] {
        guard let value else { return [] }
        var reader = ByteReader(value)
        var pins: [RecordID] = []
        repeat {
            let pin = RecordID(try reader.bytes32("card places"))
            guard pins.count < pinsMax, !pins.contains(pin) else { throw .outOfRange(field: "card places") }
            pins.append(pin)
        } while reader.remaining > 0
        return pins
    }
}
