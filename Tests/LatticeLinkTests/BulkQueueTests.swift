import Synchronization
import Testing

@testable import LatticeLink

/// The bulk lane of a queue.
struct BulkQueueTests {
    /// Counts for 50 bytes.
    private func frame(_ number: Int) -> [UInt8] { [1, UInt8(number)] }

    private func piece(_ number: Int) -> [UInt8] { [2, UInt8(number)] }

    private func queue(batchBytesMax: Int = 10_000) -> OutboundQueue {
        OutboundQueue(bytesMax: 100_000, framesMax: 1_000, batchBytesMax: batchBytesMax, piecesMax: 8)
    }

    private func taken(_ number: Int, left: Int) -> OutboundQueue.Piece {
        OutboundQueue.Piece(frame: piece(number), leftCount: left)
    }

    @Test func theNinthPieceIsRefused() {
        let queue = queue()
        for number in 1...8 { #expect(queue.pushPiece(piece(number))) }
        #expect(!queue.pushPiece(piece(9)))
        #expect(queue.takePiece() == taken(1, left: 7))
        #expect(queue.pushPiece(piece(9)) && !queue.pushPiece(piece(10)))
        for (number, left) in zip([2, 3, 4, 5, 6, 7, 8, 9], (0..<8).reversed()) {
            #expect(queue.takePiece() == taken(number, left: left))
        }
        #expect(queue.takePiece() == nil && queue.take() == nil)
    }

    @Test func piecesTakeNoneOfTheLimitsOfSpeech() async {
        let queue = OutboundQueue(bytesMax: 50, framesMax: 1, batchBytesMax: 10_000, piecesMax: 8)
        #expect(queue.pushPiece(piece(1)) && queue.pushPiece(piece(2)))
        #expect(queue.waitingBytes == 0)
        await queue.drained(below: 0)
        #expect(queue.push(frame(1)) && !queue.push(frame(2)))
        #expect(queue.waitingBytes == 50 && queue.pushPiece(piece(3)))
    }

    @Test func speechGoesFirstInItsOwnOrder() {
        let queue = queue()
        #expect(queue.pushPiece(piece(1)) && queue.push(frame(1)) && queue.pushPiece(piece(2)))
        #expect(queue.push(frame(2), .fence) && queue.push(frame(3)) && queue.push(frame(4), .urgent))
        #expect(queue.rest == nil)
        #expect(queue.take() == .speech([frame(1), frame(2), frame(4), frame(3)]))
        #expect(queue.take() == nil && queue.rest == .onlyPieces)
        #expect(queue.takePiece() == taken(1, left: 1) && queue.takePiece() == taken(2, left: 0))
        #expect(queue.rest == nil)
    }

    @Test func oneBatchOfNineIsAPieceWhenSpeechNeverEnds() {
        let queue = queue(batchBytesMax: 100)
        for number in 1...3 { #expect(queue.pushPiece(piece(number))) }
        var batches: [OutboundQueue.Batch] = []
        for _ in 0..<30 {
            while queue.waitingBytes < 1_000 { #expect(queue.push(frame(0))) }
            if let batch = queue.take() { batches.append(batch) }
        }
        let speech = OutboundQueue.Batch.speech([frame(0), frame(0)])
        let eight = [OutboundQueue.Batch](repeating: speech, count: 8)
        #expect(
            batches == eight + [.piece(taken(1, left: 2))] + eight + [.piece(taken(2, left: 1))] + eight
                + [.piece(taken(3, left: 0))] + [speech, speech, speech])
    }

    /// Otherwise lines on a slow link would wait for more and more pieces.
    @Test func shortBatchesDoNotBringAPieceForward() {
        let queue = queue()
        #expect(queue.pushPiece(piece(1)))
        for number in 0..<100 {
            #expect(queue.push(frame(number)))
            #expect(queue.take() == .speech([frame(number)]))
        }
    }

    @Test func speechBeforeAPieceDoesNotCount() {
        let queue = queue(batchBytesMax: 100)
        for number in 0..<80 { #expect(queue.push(frame(number))) }
        for _ in 0..<20 { #expect(queue.take() != nil) }
        #expect(queue.pushPiece(piece(1)))
        for turn in 20..<28 { #expect(queue.take() == .speech([frame(2 * turn), frame(2 * turn + 1)])) }
        #expect(queue.take() == .piece(taken(1, left: 0)))
    }

    @Test func theEndDropsPieces() {
        let queue = queue()
        #expect(queue.push(frame(1)) && queue.pushPiece(piece(1)))
        queue.finish(last: frame(2))
        #expect(!queue.pushPiece(piece(2)) && queue.takePiece() == nil)
        #expect(queue.take() == .speech([frame(1), frame(2)]))
        #expect(queue.rest == .over)
    }

    @Test func theFirstPieceIsReportedLikeTheFirstFrame() {
        let queue = queue()
        let reports = Atomic(0)
        #expect(queue.pushPiece(piece(1)))
        queue.onFirst { reports.add(1, ordering: .relaxed) }
        #expect(reports.load(ordering: .relaxed) == 1)
        #expect(queue.pushPiece(piece(2)))
        #expect(reports.load(ordering: .relaxed) == 1)
        #expect(queue.push(frame(1)))
        #expect(reports.load(ordering: .relaxed) == 2)
        #expect(queue.takePiece() != nil && queue.takePiece() != nil)
        #expect(queue.pushPiece(piece(3)))
        #expect(reports.load(ordering: .relaxed) == 3)
    }
}
