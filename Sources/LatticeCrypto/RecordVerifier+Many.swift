import Foundation
package import LatticeWire
import Synchronization

extension RecordVerifier {
    /// A millisecond of work or two: so little that all cores end at about the same time.
    private static let portion = 32

    /// Checks many records on all cores, for imports and rebuilds. Each is judged alone; a bad one among them costs the
    /// others nothing.
    ///
    /// It goes on to its end when its task is cancelled: whoever has a million gives them a few thousand at a time.
    ///
    /// - Returns: what became of each, in the order of `records`.
    package static func verifyAll(_ records: [SignedRecord]) async -> [Result<VerifiedRecord, CryptoError>] {
        await records.judged(inPortionsOf: portion) { signed in
            Result { () throws(CryptoError) in try verify(signed) }
        }
    }
}

extension [SignedRecord] {
    private static let cores = ProcessInfo.processInfo.activeProcessorCount

    /// Judges each on all cores, whatever thread the caller is bound to. Whoever is done with a portion takes the next.
    ///
    /// - Returns: what became of each, in this order.
    func judged(
        inPortionsOf portion: Int, _ judge: @escaping @Sendable (SignedRecord) -> Result<VerifiedRecord, CryptoError>
    ) async -> [Result<VerifiedRecord, CryptoError>] {
        let portions = (count + portion - 1) / portion
        let turns = Turns(count: portions)
        return await withTaskGroup(of: [(index: Int, results: [Result<VerifiedRecord, CryptoError>])].self) { group in
            for _ in 0..<Swift.min(Self.cores, portions) {
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    var judged: [(index: Int, results: [Result<VerifiedRecord, CryptoError>])] = []
                    while let index = turns.next() {
                        let range = index * portion..<Swift.min((index + 1) * portion, count)
                        judged.append((index, self[range].map(judge)))
                    }
                    return judged
                }
            }
            var all = [[Result<VerifiedRecord, CryptoError>]](repeating: [], count: portions)
            for await judged in group {
                for (index, results) in judged { all[index] = results }
            }
            return all.flatMap(\.self)
        }
    }
}

/// Which portion is next, for all who share the work.
private final class Turns: Sendable {
    private let count: Int
    private let taken = Atomic(0)

    init(count: Int) {
        self.count = count
    }

    func next() -> Int? {
        let index = taken.wrappingAdd(1, ordering: .relaxed).oldValue
        return index < count ? index : nil
    }
}
