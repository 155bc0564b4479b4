import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@testable import LatticeFuzz

/// The properties are tried out on readers and effects that are broken on purpose.
@Suite struct BrokenReaderTests {
    /// What a fuzzer does in a second or two: kept inputs, changed at a few places.
    private func isCaught(_ form: BodyForm, seed: UInt64 = 1) throws -> Bool {
        var dice = SeededGenerator(seed: seed)
        let inputs = try Corpus.inputs(of: "body").map { Array($0.bytes.dropFirst()) }
        for _ in 0..<20_000 {
            var bytes = try #require(inputs.randomElement(using: &dice))
            for _ in 0..<Int.random(in: 0...3, using: &dice) where !bytes.isEmpty {
                let place = Int.random(in: bytes.indices, using: &dice)
                switch Int.random(in: 0..<3, using: &dice) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &dice), at: place)
                default: bytes.remove(at: place)
                }
            }
            do {
                try form.check(bytes)
            } catch {
                return true
            }
        }
        return false
    }

    @Test func aReaderThatOverlooksWhatFollowsIsCaught() throws {
        #expect(
            try isCaught(
                BodyForm(.like) { bytes in
                    (try Statement(decoding: Array(bytes.prefix(1))).body, .exact)
                }))
    }

    @Test func aReaderThatTakesAnyFlagForYesIsCaught() throws {
        #expect(
            try isCaught(
                BodyForm(.like) { bytes in
                    (Statement(holds: bytes.first != 0).body, .exact)
                }))
    }

    @Test func aReaderThatFoldsLettersIsCaught() throws {
        #expect(
            try isCaught(
                BodyForm(.comment) { bytes in
                    let comment = try CommentBody(decoding: bytes)
                    return (CommentBody(name: comment.name, text: comment.text.uppercased()).body, .exact)
                }))
    }

    @Test func aReaderThatLosesAnItemIsCaught() throws {
        #expect(
            try isCaught(
                BodyForm(.presence) { bytes in
                    let presence = try Presence(decoding: bytes)
                    let rooms = Array(presence.rooms.dropLast())
                    return (Presence(isHere: presence.isHere, name: presence.name, rooms: rooms).body, .settling)
                }))
    }

    @Test func trueReadersAreNot() throws {
        for form in BodyForm.all { #expect(try !isCaught(form), "\(form.kinds)") }
    }

    // MARK: - Effects of a mesh

    private func opened(_ link: UInt64) -> MeshEvent {
        let cast = MeshCast.shared
        return .linkOpened(
            LinkID(rawValue: link),
            OpenedLink(
                peer: cast.others[0], name: cast.name, instance: 1, address: cast.address(1), dial: nil))
    }

    private func isCaught(_ effects: [MeshEffect], after events: [MeshEvent]) -> Bool {
        var watch = MeshWatch()
        for event in events { watch.happens(event) }
        do {
            try watch.saw(effects, of: .woke, by: MeshCast.shared.me)
            return false
        } catch {
            return true
        }
    }

    @Test func whatIsSentOnALinkThatIsGoneIsCaught() {
        let link = LinkID(rawValue: 1)
        let ping = MeshEffect.send(.ping(nonce: 1), to: link)
        #expect(!isCaught([ping], after: [opened(1)]))
        #expect(isCaught([ping], after: [opened(1), .linkClosed(link, .silent)]))
        #expect(isCaught([ping], after: []))
        #expect(isCaught([.close(link, Goodbye(.full, "")), ping], after: [opened(1)]))
    }

    @Test func whatIsDeliveredOrToldTwiceIsCaught() {
        let (cast, link) = (MeshCast.shared, LinkID(rawValue: 1))
        let record = cast.records[0]
        let delivered = MeshEffect.deliver(record, hops: 1)
        let connected = MeshEffect.stateChanged(cast.others[0], cast.name, .connected, nil)
        #expect(!isCaught([delivered, connected], after: [opened(1)]))
        #expect(isCaught([delivered, delivered], after: [opened(1)]))
        #expect(isCaught([connected, connected], after: [opened(1)]))
        #expect(isCaught([connected], after: []))
        #expect(isCaught([.forward(record, timeToLive: 0, hops: 1, to: [link])], after: [opened(1)]))
        #expect(isCaught([.forward(record, timeToLive: 3, hops: 65, to: [link])], after: [opened(1)]))
        #expect(isCaught([.forward(record, timeToLive: 3, hops: 1, to: [link, link])], after: [opened(1)]))
    }
}
