/// Which peers can reach each other directly.
package enum Topology: Hashable, Sendable, CustomStringConvertible {
    case full(Int)
    case line(Int)
    case ring(Int)
    case grid(width: Int, height: Int)
    /// A random tree with further random pairs, up to this mean number of neighbours.
    case random(Int, degree: Int)
    /// Full islands; the last peer of each also reaches the whole next island.
    case islands(Int, size: Int)

    package var count: Int {
        switch self {
        case .full(let count), .line(let count), .ring(let count), .random(let count, _): count
        case .grid(let width, let height): width * height
        case .islands(let count, let size): count * size
        }
    }

    package var description: String {
        switch self {
        case .full(let count): "full(\(count))"
        case .line(let count): "line(\(count))"
        case .ring(let count): "ring(\(count))"
        case .grid(let width, let height): "grid(\(width) x \(height))"
        case .random(let count, let degree): "random(\(count), degree \(degree))"
        case .islands(let count, let size): "islands(\(count) of \(size))"
        }
    }
}
