/// Who can reach whom directly.
package enum Topology: Hashable, Sendable {
    case full(Int)
    case line(Int)
    case ring(Int)

    package var count: Int {
        switch self {
        case .full(let count), .line(let count), .ring(let count): count
        }
    }

    package func areAdjacent(_ left: Int, _ right: Int) -> Bool {
        guard left != right else { return false }
        return switch self {
        case .full: true
        case .line: abs(left - right) == 1
        case .ring(let count): abs(left - right) == 1 || abs(left - right) == count - 1
        }
    }
}
