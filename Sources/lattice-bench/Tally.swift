import Foundation

/// Figures of one or several rounds, each with its limit. For times and memory `…_times_limit` is the ratio to the
/// limit; for rates `…_of_limit` is the share of the limit.
struct Tally {
    private var rounds: [String: [Double]] = [:]

    mutating func add(_ name: String, _ value: Double) {
        rounds[name, default: []].append(value)
    }

    /// A time or size: less is better.
    ///
    /// - Parameter limit: the least possible in the same round.
    mutating func add(cost name: String, _ value: Double, limit: Double) {
        add(name, value, limit: limit, ratio: "_times_limit")
    }

    /// Memory in kilobytes. The limit is an empty Swift program; there is none without a compiler.
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

    /// Medians of the rounds. Non-numbers, such as a ratio to a limit of zero, are left out.
    var figures: [String: Any] {
        rounds.mapValues { Sample($0).median }.filter(\.value.isFinite).mapValues(Self.digits)
    }

    /// Prints them on one line, with further facts of the run.
    func report(_ facts: [String: Any]) throws {
        try lattice_bench.report(figures.merging(facts) { _, fact in fact })
    }

    /// Four significant digits, or whole numbers: a share of a processor is small, a count of messages is not.
    private static func digits(_ value: Double) -> Double {
        guard value != 0 else { return 0 }
        let scale = pow(10, max(0, 3 - log10(abs(value)).rounded(.down)))
        return (value * scale).rounded() / scale
    }
}
