import LatticeCore

/// How many records one neighbour is asked for at a time: more while it answers, fewer when it is late.
struct FetchWindow: Sendable {
    private static let silenceMax = MeshLimit.fetchSilenceMax.nanoseconds
    private var idsMax = MeshLimit.fetchWindowStart
    private(set) var inFlight = 0
    /// Requested from it and not needed from it any more; it may still answer.
    private var excused = 0
    private var bytesMean = MeshLimit.fetchBytesGuess
    /// When it answered last, or was asked while it owed nothing.
    private var heardAt = Instant.zero

    /// When it has been silent for too long; `nil` while it owes nothing.
    var silentAt: Instant? {
        inFlight > 0 ? heardAt.advanced(byNanoseconds: Self.silenceMax) : nil
    }

    /// How many more ids it may be asked for. It gets portions: none before half of what it owes has arrived.
    func room(share: Int) -> Int {
        let fitting = max(MeshLimit.fetchWindowMin, MeshLimit.fetchWindowBytes / max(1, bytesMean))
        let most = min(idsMax, share, fitting)
        return inFlight <= most / 2 ? most - inFlight : 0
    }

    mutating func asked(_ count: Int, at now: Instant) {
        if inFlight == 0 { heardAt = now }
        inFlight += count
    }

    /// - Parameter bytes: the record's size; `nil` if it does not have the record.
    mutating func answered(bytes: Int?, at now: Instant) {
        precondition(inFlight > 0, "an answer is to a question")
        inFlight -= 1
        heardAt = now
        idsMax = min(idsMax + 1, MeshLimit.fetchWindowMax)
        if let bytes { bytesMean = (7 * bytesMean + bytes) / 8 }
    }

    /// That many records that it owes are not needed from it any more.
    mutating func excuse(_ count: Int) {
        precondition(inFlight >= count, "only what is owed is excused")
        inFlight -= count
        excused += count
    }

    /// - Returns: whether an unexpected answer was requested earlier.
    mutating func takeExcuse() -> Bool {
        guard excused > 0 else { return false }
        excused -= 1
        return true
    }

    mutating func wasLate() {
        idsMax = max(MeshLimit.fetchWindowMin, idsMax / 2)
    }
}
