import LatticeCore

/// Who says which line when, and who leaves and returns when, generated from a seed.
struct EndurancePlan: Equatable {
    enum Leaving: Equatable, CaseIterable {
        case killed
        case asked
        /// Ended normally, and its folder is deleted: a new peer that has nothing takes its place.
        case replaced
    }

    enum Act: Equatable {
        case say(line: Int, peer: Int)
        case leave(peer: Int, Leaving)
        case comeBack(peer: Int)
    }

    struct Step: Equatable {
        /// Seconds from the start.
        let at: Double
        let act: Act
    }

    /// How long a peer is absent, in seconds.
    static let away = 1.0...15.0
    /// Seconds at the end in which nobody leaves, so that all are back before the last line.
    static let calm = 20.0

    let steps: [Step]
    let duration: Double

    /// - Parameters:
    ///   - steadfast: how many of the peers, the first ones, never leave.
    ///   - rate: lines a second, of all peers together.
    ///   - churn: average interval between two departures in seconds; 0 for none.
    init(peers: Int, steadfast: Int, lines: Int, rate: Double, churn: Double, seed: UInt64) {
        precondition(peers > 0 && steadfast <= peers && rate > 0, "somebody says something")
        var dice = SeededGenerator(seed: seed)
        duration = Double(lines) / rate
        var steps = (0..<lines).map { line in
            Step(at: Double(line) / rate, act: .say(line: line, peer: Int.random(in: 0..<peers, using: &dice)))
        }
        var back = [Double](repeating: 0, count: peers)
        var now = churn
        while churn > 0, now < duration - Self.calm {
            if let peer = (steadfast..<peers).filter({ back[$0] < now }).randomElement(using: &dice) {
                let way = Leaving.allCases[Int.random(in: 0..<Leaving.allCases.count, using: &dice)]
                back[peer] = now + Double.random(in: Self.away, using: &dice)
                steps.append(Step(at: now, act: .leave(peer: peer, way)))
                steps.append(Step(at: back[peer], act: .comeBack(peer: peer)))
            }
            now += churn * Double.random(in: 0.5...1.5, using: &dice)
        }
        self.steps = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
            \.element)
    }
}
