import Foundation
package import LatticeWire
import Synchronization

extension RecordVerifier {
    /// One or two milliseconds of work: small enough that all cores finish at about the same time.
    private static let portion = 32

    /// Verifies many records on all cores, for imports and rebuilds. Each is judged independently.
    ///
    /// It does not stop when its task is cancelled: callers with a million records pass a few thousand at a time.
    ///
    /// - Returns: the result for each, in the order of `records`.
    package static func verifyAll(_ records: [SignedRecord]) async -> [Result<VerifiedRecord, CryptoError>] {
        await records.judged(inPortionsOf: portion) { signed in
            Result { () throws(CryptoError) in try verify(signed) }
        }
    }
}

extension [SignedRecord] {
    private static let cores = ProcessInfo.processInfo.activeProcessorCount

    /// Judges each record, on all cores, whatever executor the caller runs on. A worker that finishes a portion takes
    /// the next one.
    ///
    /// - Returns: the result for each, in this order.
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

/// Hands out portions to the workers.
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
