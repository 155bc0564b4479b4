enum PlaceToken: Equatable {
    case number(Angle.Number)
    /// −1 or 1.
    case sign(Double)
    case letter(Letter)
    /// A comma or semicolon.
    case comma

    /// A cardinal direction instead of a sign.
    enum Letter: Equatable {
        case north, south, east, west

        var isLatitude: Bool { self == .north || self == .south }
        var sign: Double { self == .north || self == .east ? 1 : -1 }
    }

    /// Every scalar belongs to a token or is a space.
    static func tokens(of scalars: ArraySlice<Unicode.Scalar>) throws(PlaceError) -> [PlaceToken] {
        var tokens: [PlaceToken] = []
        var rest = scalars
        // An `s` directly after a number means seconds only after minutes marked `m`; otherwise it means south.
        var wasLetterMinutes = false
        while let scalar = rest.first {
            if PlaceParser.isDigit(scalar) || scalar == "." {
                let digits = rest.prefix { PlaceParser.isDigit($0) || $0 == "." }
                rest = rest[digits.endIndex...]
                let mark = takeMark(&rest, isLetterSeconds: wasLetterMinutes)
                wasLetterMinutes = mark?.isLetter == true && mark?.place == 1
                tokens.append(.number(try number(digits, place: mark?.place)))
                continue
            }
            rest.removeFirst()
            switch scalar {
            case ",", ";": tokens.append(.comma)
            case "+": tokens.append(.sign(1))
            // Word processors replace the hyphen by these.
            case "-", "\u{2212}", "\u{2010}", "\u{2011}", "\u{2013}": tokens.append(.sign(-1))
            case "N", "n": tokens.append(.letter(.north))
            case "S", "s": tokens.append(.letter(.south))
            case "E", "e": tokens.append(.letter(.east))
            case "W", "w": tokens.append(.letter(.west))
            case _ where PlaceParser.isSpace(scalar): continue
            default: throw .unreadable
            }
        }
        return tokens
    }

    private static func number(_ digits: ArraySlice<Unicode.Scalar>, place: Int?) throws(PlaceError) -> Angle.Number {
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        // `.5` and `5.` are numbers; `.` and `1.2.3` are not.
        guard parts.count <= 2, digits.contains(where: PlaceParser.isDigit),
            let value = Double("0" + String(String.UnicodeScalarView(digits)) + (parts.count == 2 ? "0" : ""))
        else { throw .unreadable }
        return Angle.Number(value: value, hasFraction: parts.count == 2, place: place)
    }

    /// The mark of degrees (0), minutes (1) or seconds (2) after a number, with or without a space; a letter must
    /// follow directly.
    private static func takeMark(
        _ rest: inout ArraySlice<Unicode.Scalar>, isLetterSeconds: Bool
    ) -> (place: Int, isLetter: Bool)? {
        switch rest.first {
        case "d", "D": return take(1, place: 0, isLetter: true, from: &rest)
        case "m", "M": return take(1, place: 1, isLetter: true, from: &rest)
        case "s" where isLetterSeconds, "S" where isLetterSeconds: return take(1, place: 2, isLetter: true, from: &rest)
        default: break
        }
        var ahead = rest.drop(while: PlaceParser.isSpace)
        guard let mark = ahead.popFirst() else { return nil }
        let length = ahead.startIndex - rest.startIndex
        switch mark {
        case "°", "º", "˚": return take(length, place: 0, isLetter: false, from: &rest)
        // Two single marks are one double mark.
        case "'", "’", "′", "‘", "´":
            let isDouble = ahead.first == mark
            return take(isDouble ? length + 1 : length, place: isDouble ? 2 : 1, isLetter: false, from: &rest)
        case "\"", "”", "″", "“": return take(length, place: 2, isLetter: false, from: &rest)
        default: return nil
        }
    }

    private static func take(
        _ count: Int, place: Int, isLetter: Bool, from rest: inout ArraySlice<Unicode.Scalar>
    ) -> (place: Int, isLetter: Bool) {
        rest.removeFirst(count)
        return (place, isLetter)
    }
}
