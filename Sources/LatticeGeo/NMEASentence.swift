/// A line of a GPS receiver: GGA and RMC of NMEA 0183, of any talker, as in `$GPGGA,123519,4807.038,N,01131.000,E,1,08,…*47`.
package enum NMEASentence {
    /// The standard allows 82 characters; receivers exceed that a little.
    private static let bytesMax = 128

    /// - Returns: `nil` for other sentences, without a fix, and where the checksum is wrong.
    package static func coordinate(_ line: some StringProtocol) -> Coordinate? {
        guard line.utf8.count <= bytesMax, line.first == "$", isWhole(line) else { return nil }
        let fields = line.dropFirst().prefix { $0 != "*" }.split(separator: ",", omittingEmptySubsequences: false)
        guard let kind = fields.first, kind.utf8.count == 5 else { return nil }
        switch kind.suffix(3) {
        case "GGA":
            guard fields.count > 6, fields[6] != "0", !fields[6].isEmpty else { return nil }
            return coordinate(fields[2...5])
        case "RMC":
            guard fields.count > 6, fields[2] == "A" else { return nil }
            return coordinate(fields[3...6])
        default: return nil
        }
    }

    /// The checksum is the exclusive or of all bytes between `$` and `*`. A line without one counts as whole.
    private static func isWhole(_ line: some StringProtocol) -> Bool {
        let bytes = Array(line.utf8.dropFirst())
        guard let star = bytes.lastIndex(of: UInt8(ascii: "*")) else { return true }
        let sum = bytes[..<star].reduce(0, ^)
        return UInt8(String(decoding: bytes[(star + 1)...], as: UTF8.self), radix: 16) == sum
    }

    /// - Parameter fields: latitude, N or S, longitude, E or W.
    private static func coordinate(_ fields: ArraySlice<some StringProtocol>) -> Coordinate? {
        let fields = Array(fields)
        guard let latitude = degrees(fields[0], digits: 2), let longitude = degrees(fields[2], digits: 3),
            let north = sign(fields[1], "N", "S"), let east = sign(fields[3], "E", "W")
        else { return nil }
        return Coordinate(latitude: latitude * north, longitude: longitude * east)
    }

    private static func sign(_ field: some StringProtocol, _ plus: String, _ minus: String) -> Double? {
        field == plus ? 1 : field == minus ? -1 : nil
    }

    /// - Parameter digits: of the degrees; the minutes follow, as in `4807.038`.
    private static func degrees(_ field: some StringProtocol, digits: Int) -> Double? {
        guard field.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let whole = Double(field.prefix(digits)),
            field.prefix(digits).utf8.count == digits, let minutes = Double(field.dropFirst(digits)), minutes < 60
        else { return nil }
        return whole + minutes / 60
    }
}
