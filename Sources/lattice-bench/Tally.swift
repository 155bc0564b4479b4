import Foundation

/// Figures of one round or several, each with its limit: of a time or of memory, `…_times_limit` says how many limits it takes; of a
/// rate, `…_of_limit` says what part of the limit it is.
struct Tally {
    private var rounds: [String: [Double]] = [:]

    mutating func add(_ name: String, _ value: Double) {
        rounds[name, default: []].append(value)
    }

    /// Of a time or a size: the less, the better.
    ///
    /// - Parameter limit: what it takes at least, in the same round.
    mutating func add(cost name: String, _ value: Double, limit: Double) {
        add(name, value, limit: limit, ratio: "_times_limit")
    }

    /// Of memory, in kilobytes, the limit is a Swift program that does nothing; there is none without a compiler.
    mutating func add(memory name: String, _ value: Double, beside empty: EmptyProgram?) throws {
        guard let empty else { return add(name, value) }
        add(cost: name, value, limit: Double(try empty.memory()))
    }

    mutating func add(rate name: String, _ value: Double, limit: Double) {
        add(name, value, limit: limit, ratio: "_of_limit")
    }

    private mutating func add(_ name: String, _ value: Double, limit: Double, ratio: String) {
        add(name, value)
        add("limit_\(name)", limit)
        add(name + ratio, value / limit)
    }

    /// Medians of the rounds. What is no number is left out: nothing is measured by a limit of nothing.
    var figures: [String: Any] {
        rounds.mapValues { Sample($0).median }.filter(\.value.isFinite).mapValues(Self.digits)
    }

    /// On one line, with what else there is to say of the run.
    func report(_ facts: [String: Any]) throws {
        try lattice_bench.report(figures.merging(facts) { _, fact in fact })
    }

    /// To four digits, or to the whole: a share of a processor is small, a count of messages is not.
    private static func digits(_ value: Double) -> Double {
        guard value != 0 else { return 0 }
        let scale = pow(10, max(0, 3 - log10(abs(value)).rounded(.down)))
        return (value * scale).rounded() / scale
    }
}
