/// Distances as people write them: `18 m`, `1.8 km`, `1,204 km`.
package enum DistanceText {
    /// Whole metres below 1 km, one decimal below 10 km, else whole kilometres: readers compare at most three digits,
    /// and the coordinates are seldom more precise.
    ///
    /// - Parameter metres: negative values become 0; non-finite ones become `unknown distance`.
    package static func string(_ metres: Double) -> String {
        guard metres.isFinite else { return "unknown distance" }
        // Larger than any distance on the globe, and still safe for an Int.
        let metres = min(max(0, metres), 1e12)
        let whole = Int(metres.rounded())
        if whole < 1000 { return "\(whole) m" }
        let tenths = Int((metres / 100).rounded())
        if tenths < 100 { return "\(tenths / 10).\(tenths % 10) km" }
        return "\(grouped(Int((metres / 1000).rounded()))) km"
    }

    /// Parses a number, then `m`, `km`, `ft`, `yd` or `mi` (or their names), to metres. The unit is required, because 2
    /// means two metres to one reader and two kilometres to another.
    ///
    /// - Returns: 0…20,015,115.
    package static func parse(_ text: String) throws(DistanceError) -> Double {
        guard text.utf8.prefix(textBytesMax + 1).count <= textBytesMax else { throw .notADistance }
        let bytes = text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
        var rest = trimmed(bytes[...])
        guard let first = rest.first else { throw .empty }
        if first == UInt8(ascii: "-") { throw .negative }
        if first == UInt8(ascii: "+") { rest.removeFirst() }
        let digits = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
        let unit = String(decoding: trimmed(rest[digits.endIndex...]), as: UTF8.self)
        let number = try number(digits)
        guard !unit.isEmpty || number == 0 else { throw .unitMissing(String(decoding: digits, as: UTF8.self)) }
        guard let metresPerUnit = metresPerUnit(unit) else { throw .unknownUnit }
        let metres = number * metresPerUnit
        guard metres <= Globe.distanceMax.rounded(.up) else { throw .tooFar }
        return min(metres, Globe.distanceMax)
    }

    /// Twice the length of any distance.
    private static let textBytesMax = 64

    private static func metresPerUnit(_ unit: String) -> Double? {
        switch unit {
        case "", "m", "metre", "metres", "meter", "meters": 1
        case "km", "kilometre", "kilometres", "kilometer", "kilometers": 1000
        case "ft", "foot", "feet": 0.3048
        case "yd", "yard", "yards": 0.9144
        case "mi", "mile", "miles": 1609.344
        default: nil
        }
    }

    /// `1204`, `1204.5`, `.5`, `1,204.5`. A comma is allowed only between groups of three digits: elsewhere it is a
    /// decimal comma, and ignoring it would be wrong by a factor of a thousand.
    private static func number(_ digits: ArraySlice<UInt8>) throws(DistanceError) -> Double {
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let groups = parts[0].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        if groups.count > 1 {
            guard (1...3).contains(groups[0].count), groups[0].first != UInt8(ascii: "0"),
                groups.dropFirst().allSatisfy({ $0.count == 3 })
            else { throw .decimalComma }
        }
        if parts.count == 2, parts[1].contains(UInt8(ascii: ",")) { throw .decimalComma }
        // `.5` and `2.` are numbers; the library needs a digit on both sides.
        let plain = "0" + String(decoding: digits.filter { $0 != UInt8(ascii: ",") }, as: UTF8.self)
        guard digits.contains(where: isDigit), let number = Double(parts.count == 2 ? plain + "0" : plain) else {
            throw .notADistance
        }
        return number
    }

    private static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 32 || (9...13).contains($0) }
        var rest = bytes.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }
}

/// Why a text is not a distance, and what to write instead.
package enum DistanceError: Error, Equatable, CustomStringConvertible {
    case empty
    case notADistance
    case negative
    case decimalComma
    case unknownUnit
    /// The number without a unit.
    case unitMissing(String)
    case tooFar

    package var description: String {
        switch self {
        case .empty: "a distance is missing; write one such as 250m or 2km"
        case .notADistance: "not a distance; write a number and a unit, such as 250m or 2km"
        case .negative: "a distance cannot be negative; leave off the minus"
        case .decimalComma: "a comma is not a decimal point; write 1.5km"
        case .unknownUnit: "not a unit of distance; use m, km, ft, yd or mi"
        case .tooFar: "no place on Earth is more than 20,015 km away; write less"
        case .unitMissing(let number): "a unit is needed; write \(number)m or \(number)km"
        }
    }
}
