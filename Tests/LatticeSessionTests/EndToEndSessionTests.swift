import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire
import Testing

struct EndToEndSessionTests {
    private let alice = SessionIdentity(identity: .generate())
    private let bob = SessionIdentity(identity: .generate())

    private func handshake(
        _ role: Handshake.Role, _ me: SessionIdentity, prologue: [UInt8] = EndToEndSession.prologue
    ) throws -> Handshake {
        let introduction = me.introduction(
            name: try PeerName("peer"), instance: 1, clock: WallTime(milliseconds: 0), port: 1)
        return Handshake(
            role: role, me: me, introduction: introduction, prologue: prologue, rekeyIntervalMessages: 4)
    }

    private func body(_ message: [UInt8]?) throws -> ArraySlice<UInt8> { try #require(message).dropFirst(2) }

    @Test func messagesOpenInTheirOrderOverManyKeysBothWays() throws {
        var left = try handshake(.initiator, alice)
        var right = try handshake(.responder, bob)
        let first = try body(left.begin())
        let second = try body(try right.receive(first))
        let third = try body(try left.receive(second))
        _ = try right.receive(third)
        var mine = left.finishEndToEnd()
        var theirs = right.finishEndToEnd()
        let names = (mine.peer.peer, theirs.peer.peer)
        #expect(names == (bob.peer, alice.peer))
        for number: UInt8 in 0..<19 {
            let there = try theirs.open(mine.seal([number])[...])
            let back = try mine.open(theirs.seal([number, 1])[...])
            #expect(there == [number] && back == [number, 1])
        }
        let (skipped, next) = (mine.seal([1]), mine.seal([2]))
        #expect(skipped.count == 17)
        // Once failed it stays so.
        for message in [next, skipped] {
            do throws(SessionError) {
                _ = try theirs.open(message[...])
                Issue.record("it opened")
            } catch {
                #expect(error == .decryptionFailed)
            }
        }
    }

    @Test func datagramsHaveKeysOfTheirOwnBothWays() throws {
        var left = try handshake(.initiator, alice)
        var right = try handshake(.responder, bob)
        let second = try body(try right.receive(try body(left.begin())))
        _ = try right.receive(try body(try left.receive(second)))
        var mine = left.finishEndToEnd()
        var theirs = right.finishEndToEnd()
        let message = mine.seal([1])
        let there = (0..<3 as Range<UInt8>).map { mine.datagrams.seal([$0], authenticating: [7]) }
        let back = theirs.datagrams.seal([9], authenticating: [7])
        #expect(there.map(\.sequence) == [0, 1, 2] && back.sequence == 0)
        // In any order, and again: what has come before is for the caller to know.
        for number in [2, 0, 1, 1] {
            let opened = theirs.datagrams.open(there[number].octets, sequence: UInt64(number), authenticating: [7])
            #expect(opened == [UInt8(number)])
        }
        let backOpened = mine.datagrams.open(back.octets, sequence: 0, authenticating: [7])
        #expect(backOpened == [9])
        let wrong = [
            theirs.datagrams.open(there[0].octets, sequence: 1, authenticating: [7]),
            theirs.datagrams.open(there[0].octets, sequence: 0, authenticating: [8]),
            mine.datagrams.open(there[0].octets, sequence: 0, authenticating: [7]),
            theirs.datagrams.open(message, sequence: 0, authenticating: []),
        ]
        #expect(wrong.allSatisfy { $0 == nil })
        // Messages go on beside them.
        let opened = try theirs.open(message[...])
        #expect(opened == [1])
    }

    @Test func aHandshakeOfALinkIsNoneOfAStream() throws {
        var left = try handshake(.initiator, alice, prologue: Handshake.prologue)
        var right = try handshake(.responder, bob)
        let second = try body(try right.receive(try body(left.begin())))
        do throws(SessionError) {
            _ = try left.receive(second)
            Issue.record("it opened")
        } catch {
            #expect(error == .decryptionFailed)
        }
    }
}
