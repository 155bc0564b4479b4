/// One angle as written: degrees, and optionally minutes, seconds and a sign or letter.
struct Angle: Equatable {
    struct Number: Equatable {
        let value: Double
        let hasFraction: Bool
        /// 0 degrees, 1 minutes, 2 seconds; `nil` if unmarked.
        let place: Int?
    }

    var sign: Double?
    var letter: PlaceToken.Letter?
    var numbers: [Number] = []

    /// Whether a further number may be minutes or seconds of this angle.
    func takes(_ number: Number) -> Bool {
        guard let last = numbers.last else { return true }
        return !last.hasFraction && number.place != 0
    }

    /// Signed degrees.
    func degrees() throws(PlaceError) -> Double {
        guard (1...3).contains(numbers.count) else { throw .unreadable }
        if sign != nil, letter != nil { throw .signAndLetter }
        var (degrees, unit) = (0.0, 1.0)
        for (place, number) in numbers.enumerated() {
            guard number.place == nil || number.place == place else { throw .unreadable }
            guard place == 0 || number.value < 60 else { throw .minutesOutOfRange }
            degrees += number.value / unit
            unit *= 60
        }
        return degrees * (sign ?? letter?.sign ?? 1)
    }
}

/// Two angles as written, and which of them is the latitude.
struct AnglePair {
    private var angles: [Angle] = []
    private var current = Angle()

    init(_ tokens: [PlaceToken]) throws(PlaceError) {
        // Several commas and no points: the commas are decimal ones.
        if tokens.count(where: { $0 == .comma }) > 1 {
            let hasPoint = tokens.contains { if case .number(let number) = $0 { number.hasFraction } else { false } }
            throw hasPoint ? .unreadable : .decimalComma
        }
        // Letters must come before both angles or after both: `40 W 74 N` must not be ambiguous.
        let isPrefix = if case .letter = tokens.first { true } else { false }
        for token in tokens {
            switch token {
            case .number(let number):
                if !current.takes(number) { try finish() }
                current.numbers.append(number)
            case .sign(let sign):
                if !current.numbers.isEmpty { try finish() }
                guard current.sign == nil else { throw .unreadable }
                current.sign = sign
            case .letter(let letter):
                if isPrefix, !current.numbers.isEmpty { try finish() }
                guard current.letter == nil, current.numbers.isEmpty == isPrefix else { throw .unreadable }
                current.letter = letter
                if !isPrefix { try finish() }
            case .comma:
                if !current.numbers.isEmpty {
                    try finish()
                } else if angles.count != 1 || current != Angle() {
                    throw .unreadable
                }
            }
        }
        if current != Angle() { try finish() }
        splitUnmarked()
    }

    func coordinate() throws(PlaceError) -> Coordinate {
        guard angles.count == 2 else { throw angles.isEmpty ? .unreadable : .onlyOneNumber }
        let degrees = (try angles[0].degrees(), try angles[1].degrees())
        switch (angles[0].letter, angles[1].letter) {
        case (nil, nil):
            return try Self.coordinate(latitude: degrees.0, longitude: degrees.1)
        case (.some(let first), .some(let second)) where first.isLatitude != second.isLatitude:
            let (latitude, longitude) = first.isLatitude ? degrees : (degrees.1, degrees.0)
            return try Self.coordinate(latitude: latitude, longitude: longitude, mayBeSwapped: false)
        case (.some, _), (nil, .some):
            throw .lettersDoNotPair
        }
    }

    /// - Parameter mayBeSwapped: whether only the order says which one is the latitude.
    static func coordinate(
        latitude: Double, longitude: Double, mayBeSwapped: Bool = true
    ) throws(PlaceError) -> Coordinate {
        if let coordinate = Coordinate(latitude: latitude, longitude: longitude) { return coordinate }
        guard abs(latitude) > 90 else { throw .longitudeOutOfRange(longitude) }
        let swapped = mayBeSwapped ? Coordinate(latitude: longitude, longitude: latitude) : nil
        throw .latitudeOutOfRange(latitude, swapped: swapped)
    }

    private mutating func finish() throws(PlaceError) {
        guard angles.count < 2, !current.numbers.isEmpty else { throw .unreadable }
        angles.append(current)
        current = Angle()
    }

    /// `40 -74` splits at its sign and `40.7 74.0` at its points, but `40 74` and `40 42 46 74 0 22` only in the
    /// middle.
    private mutating func splitUnmarked() {
        guard angles.count == 1, let whole = angles.first, whole.letter == nil,
            [2, 4, 6].contains(whole.numbers.count), whole.numbers.allSatisfy({ $0.place == nil })
        else { return }
        let half = whole.numbers.count / 2
        angles = [
            Angle(sign: whole.sign, numbers: Array(whole.numbers[..<half])),
            Angle(numbers: Array(whole.numbers[half...])),
        ]
    }
}
