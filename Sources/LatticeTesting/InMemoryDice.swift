import LatticeCore
import LatticeCrypto

/// All chance of a network. Each direction between two hosts has generators of its own: what happens there depends on nothing
/// that happens elsewhere.
struct InMemoryDice: Sendable {
    private enum Purpose: UInt64 {
        case loss = 1
        case latency
        case identity
        case mesh
        case dial
    }

    private let seed: UInt64
    private var losses: [InMemoryDirection: SeededGenerator] = [:]
    private var latencies: [InMemoryDirection: SeededGenerator] = [:]
    private var dials: [InMemoryDirection: SeededGenerator] = [:]

    init(seed: UInt64) {
        self.seed = seed
    }

    /// Whether the next datagram in this direction is lost.
    mutating func losesDatagram(_ direction: InMemoryDirection, perMille: Int) -> Bool {
        var losing = losses[direction] ?? generator(.loss, direction)
        defer { losses[direction] = losing }
        return Int.random(in: 0..<1_000, using: &losing) < perMille
    }

    /// Nanoseconds for what is written next in this direction.
    mutating func latency(_ direction: InMemoryDirection, in range: ClosedRange<Int64>) -> Int64 {
        var drawing = latencies[direction] ?? generator(.latency, direction)
        defer { latencies[direction] = drawing }
        return Int64.random(in: range, using: &drawing)
    }

    /// Nanoseconds for what the next dial sends in this direction. It delays nothing else.
    mutating func dialLatency(_ direction: InMemoryDirection, in range: ClosedRange<Int64>) -> Int64 {
        var drawing = dials[direction] ?? generator(.dial, direction)
        defer { dials[direction] = drawing }
        return Int64.random(in: range, using: &drawing)
    }

    /// The seed of decisions that a host makes.
    func meshSeed(of host: Int) -> UInt64 {
        var generator = generator(.mesh, InMemoryDirection(from: host, to: 0))
        return generator.next()
    }

    /// Who a host without a folder is.
    func identity(of host: Int) -> Identity {
        var generator = generator(.identity, InMemoryDirection(from: host, to: 0))
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Identity(seed: SecretBytes(copying: bytes))
    }

    private func generator(_ purpose: Purpose, _ direction: InMemoryDirection) -> SeededGenerator {
        var mixed = seed
        for part in [purpose.rawValue, UInt64(direction.from), UInt64(direction.to)] {
            var generator = SeededGenerator(seed: mixed ^ part)
            mixed = generator.next()
        }
        return SeededGenerator(seed: mixed)
    }
}
