import Foundation
package import LatticeWire

extension RecordVerifier {
    /// A few milliseconds of work: little enough that whoever else waits for a thread gets one soon, and so much that
    /// handing it out costs nothing beside it.
    private static let portion = 64

    /// Checks many records on all cores, for imports and rebuilds. Each is judged alone; a bad one among them costs the
    /// others nothing.
    ///
    /// It goes on to its end when its task is cancelled: whoever has a million gives them a few thousand at a time.
    ///
    /// - Returns: what became of each, in the order of `records`.
    package static func verifyAll(_ records: [SignedRecord]) async -> [Result<VerifiedRecord, CryptoError>] {
        let portions = stride(from: 0, to: records.count, by: portion).map { start in
            start..<min(start + portion, records.count)
        }
        let children = min(ProcessInfo.processInfo.activeProcessorCount, portions.count)
        return await withTaskGroup(of: Portion.self) { group in
            var waiting = portions.enumerated().makeIterator()
            var judged = [[Result<VerifiedRecord, CryptoError>]](repeating: [], count: portions.count)
            func beginNext() {
                guard let (index, range) = waiting.next() else { return }
                group.addTask { Portion(index: index, results: verifyInTurn(records[range])) }
            }
            for _ in 0..<children { beginNext() }
            while let done = await group.next() {
                judged[done.index] = done.results
                beginNext()
            }
            return Array(judged.joined())
        }
    }

    /// What one child made of its part.
    private struct Portion: Sendable {
        let index: Int
        let results: [Result<VerifiedRecord, CryptoError>]
    }

    private static func verifyInTurn(_ records: ArraySlice<SignedRecord>) -> [Result<VerifiedRecord, CryptoError>] {
        var buffer = VerificationBuffer()
        return records.map { signed in
            Result { () throws(CryptoError) in try buffer.verify(signed) }
        }
    }
}
