import LatticeCore
import LatticeWire
import Testing

struct OverlayFrameTests {
    private func error(type: UInt64, _ write: (inout ByteWriter) -> Void) -> WireError? {
        let message = Samples.frame(type: type, Samples.written(write))
        return wireError { () throws(WireError) in try Frame.decode(message: message[...]) }
    }

    private func comesBack(_ frame: Frame) throws -> Bool {
        try Frame.decode(message: frame.bytes[...]) == [frame]
    }

    private let thirtyTwo = [UInt8](repeating: 1, count: 32)

    private func putCard(_ writer: inout ByteWriter, host: String = "10.0.0.1", port: UInt64 = 4_000) {
        writer.fixed(thirtyTwo)
        writer.text(host)
        writer.integer(port, bytes: 2)
    }

    @Test(arguments: [0, 1, 2, 1_023, 1_024, 1_025])
    func aHaveNames1To1024Records(count: Int) {
        let error = error(type: 10) { writer in
            writer.varint(UInt64(count))
            for _ in 0..<count {
                writer.fixed(thirtyTwo)
                writer.varint(1)
            }
        }
        #expect(error == ((1...1_024).contains(count) ? nil : .outOfRange(field: "have entries")))
    }

    @Test(arguments: [0, 1, 2, 63, 64, 65, 256, .max] as [UInt64])
    func whatIsHadTravelled1To64Links(hops: UInt64) {
        let error = error(type: 10) { writer in
            writer.varint(1)
            writer.fixed(thirtyTwo)
            writer.varint(hops)
        }
        #expect(error == ((1...64).contains(hops) ? nil : .outOfRange(field: "have hops")))
    }

    @Test(arguments: [0, 1, 1_023, 1_024, 1_025])
    func aGraftAsksForAtMost1024Records(count: Int) {
        let error = error(type: 11) { writer in
            writer.varint(UInt64(count))
            for _ in 0..<count { writer.fixed(thirtyTwo) }
        }
        #expect(error == (count > 1_024 ? .outOfRange(field: "graft ids") : nil))
    }

    @Test(arguments: [10, 11, 14] as [UInt64])
    func aCountWithoutWhatItCountsIsRefused(type: UInt64) {
        for count in [1, 16, 1_024, .max] as [UInt64] {
            #expect(
                error(type: type) { writer in
                    if type == 14 { writer.fixed([0, 0] + thirtyTwo) }
                    writer.varint(count)
                } != nil)
        }
    }

    @Test(arguments: [0, 1, 2, 3, 255] as [UInt8])
    func aWalkJoinsSeeksOrOffers(kind: UInt8) {
        let error = error(type: 13) { writer in
            writer.byte(kind)
            writer.varint(0)
            putCard(&writer)
        }
        #expect(error == (kind > 2 ? .outOfRange(field: "walk kind") : nil))
    }

    @Test(arguments: [0, 1, 31, 32, 33, 256, .max] as [UInt64])
    func walksAndShufflesGoAtMost32LinksFurther(timeToLive: UInt64) {
        let walk = error(type: 13) { writer in
            writer.byte(1)
            writer.varint(timeToLive)
            putCard(&writer)
        }
        #expect(walk == (timeToLive > 32 ? .outOfRange(field: "walk TTL") : nil))
        let shuffle = error(type: 14) { writer in
            writer.byte(1)
            writer.varint(timeToLive)
            writer.fixed(thirtyTwo)
            writer.varint(0)
        }
        #expect(shuffle == (timeToLive > 32 ? .outOfRange(field: "shuffle TTL") : nil))
    }

    @Test(arguments: [0, 1, 2, 255] as [UInt8])
    func aShuffleAsksOrAnswers(direction: UInt8) {
        let error = error(type: 14) { writer in
            writer.byte(direction)
            writer.varint(0)
            writer.fixed(thirtyTwo)
            writer.varint(0)
        }
        #expect(error == (direction > 1 ? .outOfRange(field: "shuffle direction") : nil))
    }

    @Test(arguments: [0, 1, 15, 16, 17])
    func aShuffleHasAtMost16Cards(count: Int) {
        let error = error(type: 14) { writer in
            writer.byte(0)
            writer.varint(0)
            writer.fixed(thirtyTwo)
            writer.varint(UInt64(count))
            for _ in 0..<count { putCard(&writer) }
        }
        #expect(error == (count > 16 ? .outOfRange(field: "shuffle cards") : nil))
    }

    @Test func aCardOnTheWireKeepsTheRulesOfCards() {
        func cardError(_ host: String, _ port: UInt64) -> WireError? {
            error(type: 13) { writer in
                writer.fixed([0, 0])
                putCard(&writer, host: host, port: port)
            }
        }
        #expect(cardError("10.0.0.1", 1) == nil && cardError("::1", 65_535) == nil && cardError("", 0) == nil)
        for (host, port) in [("10.0.0.1", 0), ("", 1), ("camp.example", 1), ("fe80::1%eth0", 1)] as [(String, UInt64)] {
            #expect(cardError(host, port) == .outOfRange(field: "card address"))
        }
        let long = String(repeating: "1", count: 46)
        #expect(cardError(long, 1) == .tooLong(field: "card host", bytes: 46, bytesMax: 45))
    }

    @Test func theLargestFramesFitAMessage() throws {
        let peer = try Samples.peer(255)
        let entries = [Have.Entry](repeating: Have.Entry(id: try Samples.recordID(255), hops: 64), count: 1_024)
        let card = try Samples.card(255, "1111:2222:3333:4444:5555:6666:177.177.177.177", port: 65_535)
        let name = try PeerName(String(repeating: "n", count: 63))
        let stop = Probe.Stop(peer: peer, name: name, signature: [UInt8](repeating: 255, count: 64))
        let frames: [Frame] = [
            .have(Have(entries: entries)), .graft(Graft(ids: entries.map(\.id))),
            .walk(Walk(kind: .offer, timeToLive: 32, origin: card)),
            .shuffle(
                Shuffle(
                    direction: .answer, timeToLive: 32, origin: peer, cards: [PeerCard](repeating: card, count: 16))),
            .probe(
                Probe(
                    direction: .back, nonce: .max, from: peer, to: peer, timeToLive: 64,
                    path: [Probe.Stop](repeating: stop, count: 64))),
        ]
        for frame in frames {
            #expect(frame.bytes.count <= Frame.plaintextBytesMax)
            #expect(frame.byteCount == frame.bytes.count)
            #expect(try comesBack(frame))
        }
    }

    @Test func theSmallestFramesComeBack() throws {
        #expect(try comesBack(.graft(Graft(ids: []))))
        #expect(
            try comesBack(
                .shuffle(Shuffle(direction: .answer, timeToLive: 0, origin: try Samples.peer(1), cards: []))))
    }
}
