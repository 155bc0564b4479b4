/// The owner's records in the outbox that fronts were notified of: all up to a number, and those of this process beyond.
struct OwnReported {
    /// Then others' are taken as told, too.
    private static let beyondMax = 4_096

    private(set) var upTo: Int64?
    private var beyond: Set<Int64> = []

    /// - Parameter newest: records written earlier are not news.
    init(upTo newest: Int64?) {
        upTo = newest
    }

    /// This process wrote it, and notifies fronts by itself.
    mutating func wrote(_ number: Int64) {
        beyond.insert(number)
        if beyond.count > Self.beyondMax { settle(upTo: number) }
    }

    /// The newest record of this process.
    var newest: Int64? { beyond.max() ?? upTo }

    func contains(_ number: Int64) -> Bool { number <= upTo ?? .min || beyond.contains(number) }

    /// No record up to this one is left to notify of.
    mutating func settle(upTo number: Int64?) {
        guard let number, number > upTo ?? .min else { return }
        upTo = number
        beyond = beyond.filter { $0 > number }
    }
}
