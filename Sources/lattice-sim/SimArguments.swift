import ArgumentParser
import LatticeSimulator

enum SimArguments {
    /// `10..50`, or one number for both ends.
    static func milliseconds(_ text: String) throws -> ClosedRange<Int64> {
        let parts = text.split(separator: ".", omittingEmptySubsequences: true)
        let isRange = text.contains("..")
        guard let first = parts.first.flatMap({ Int64($0) }), let last = parts.last.flatMap({ Int64($0) }),
            parts.count == (isRange ? 2 : 1), 0 <= first, first <= last, last <= 60_000
        else { throw ValidationError("'\(text)' is not a range of milliseconds; write FIRST..LAST, such as 10..50") }
        return first...last
    }

    static func sabotage(_ text: String) throws -> Sabotage {
        guard let sabotage = Sabotage(rawValue: text) else {
            let known = Sabotage.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(text)' is not a kind of sabotage; use one of \(known)")
        }
        return sabotage
    }

    static func shape(_ text: String) throws -> Shape {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        let number = parts.count == 2 ? Int(parts[1]) : nil
        switch (parts.first, number) {
        case ("full", nil) where parts.count == 1: return .full
        case ("line", nil) where parts.count == 1: return .line
        case ("ring", nil) where parts.count == 1: return .ring
        case ("grid", nil) where parts.count == 1: return .grid
        case ("random", let degree?) where (2...64).contains(degree): return .random(degree: degree)
        case ("islands", let count?) where (2...1_000).contains(count): return .islands(count)
        default:
            throw ValidationError(
                "'\(text)' is not a topology; use full, line, ring, grid, random:DEGREE or islands:COUNT")
        }
    }
}

/// A topology without its size.
enum Shape: Hashable, Sendable {
    case full
    case line
    case ring
    case grid
    case random(degree: Int)
    case islands(Int)

    /// - Throws: if the shape does not allow this number of peers.
    func topology(of peers: Int) throws -> Topology {
        switch self {
        case .full: return .full(peers)
        case .line: return .line(peers)
        case .ring: return .ring(peers)
        case .random(let degree): return .random(peers, degree: degree)
        case .grid:
            let width = (1...peers).last { $0 * $0 <= peers && peers % $0 == 0 } ?? 1
            guard width > 1 else { throw ValidationError("\(peers) peers form no grid; use a number with divisors") }
            return .grid(width: peers / width, height: width)
        case .islands(let count):
            guard peers % count == 0, peers / count > 1 else {
                throw ValidationError("\(peers) peers do not fill \(count) islands evenly")
            }
            return .islands(count, size: peers / count)
        }
    }
}
