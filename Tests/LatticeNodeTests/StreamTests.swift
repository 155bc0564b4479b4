import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeLink
import LatticeWire
import Logging
import Synchronization
import Testing

@testable import LatticeNode

/// Streams between programs, over real links.
@Suite(.timeLimit(.minutes(10))) struct StreamTests {
    private let nodes = BareNodes(mesh: "streams")

    private static let patience: Duration = .seconds(500)

    private func streams(
        from left: Node, to right: Node, label: StreamLabel = .usual
    ) async throws -> (left: StreamInfo, right: StreamInfo) {
        let (l, r) = (await left.me.id, await right.me.id)
        async let listened = right.perform(ListenForStream(label: label))
        async let opened = left.perform(OpenStream(PeerReference(r), label: label, wait: Self.patience))
        let (mine, theirs) = (try await opened, try await listened)
        #expect(mine.peer == r && theirs.peer == l && theirs.label == label)
        return (mine, theirs)
    }

    /// Sends all of it, and says that it was all.
    private func say(_ bytes: [UInt8], on stream: StreamInfo, of node: Node) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(100_000))
            _ = try await node.perform(SendBytes(stream.stream, piece))
            rest = rest.dropFirst(piece.count)
        }
        _ = try await node.perform(FinishStream(stream.stream))
    }

    private func hear(_ stream: StreamInfo, of node: Node) async throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let received = try await node.perform(ReceiveBytes(stream.stream))
            if received.isEnd { return all }
            all += received.bytes
        }
    }

    private func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count / 8).flatMap { _ -> [UInt8] in
            let word = generator.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
    }

    private func goesBothWays(_ left: Node, _ right: Node) async throws {
        let (mine, theirs) = try await streams(from: left, to: right)
        let (there, back) = (bytes(3_000_000, seed: 1), bytes(2_000_008, seed: 2))
        async let saidThere: Void = say(there, on: mine, of: left)
        async let saidBack: Void = say(back, on: theirs, of: right)
        async let heardThere = hear(theirs, of: right)
        async let heardBack = hear(mine, of: left)
        let areSame = (try await heardThere == there, try await heardBack == back)
        #expect(areSame == (true, true))
        try await saidThere
        try await saidBack
    }

    @Test func bytesGoBothWaysAtOnceAndBothSidesKnowThatTheyHadAll() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        try await nodes.running([alice, bob]) { try await goesBothWays(alice, bob) }
    }

    @Test func overARelayTheyDoSoToo() async throws {
        let middle = try await nodes.node("middle")
        let left = try await nodes.node("left", given: [middle], invitations: .none)
        let right = try await nodes.node("right", given: [middle], invitations: .none)
        try await nodes.running([left, middle, right]) { try await goesBothWays(left, right) }
    }

    @Test func whereNobodyListensWhoeverOpensIsTold() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        try await nodes.running([alice, bob]) {
            _ = try await streams(from: alice, to: bob)
            let b = await bob.me.id
            let error = await #expect(throws: RequestError.self) {
                _ = try await alice.perform(OpenStream(PeerReference(b), label: .usual, wait: .zero))
            }
            #expect(error?.code == .nobodyListens)
            let other = try StreamLabel("other")
            let nobody = Identity.generate().peer
            async let listening: Void = expectStopped {
                _ = try await bob.perform(ListenForStream(label: other, from: PeerReference(nobody)))
            }
            try await eventually("a listener that waits for somebody else") {
                do {
                    _ = try await alice.perform(OpenStream(PeerReference(b), label: other, wait: .zero))
                    return false
                } catch let error as RequestError {
                    return error.code == .notForYou
                }
            }
            await bob.stop()
            try await listening
        }
    }

    private func expectStopped(_ work: () async throws -> Void) async throws {
        let error = await #expect(throws: RequestError.self) { try await work() }
        #expect(error?.code == .stopped)
    }

    @Test func ofOneLabelOneProgramListensAtATime() async throws {
        let alice = try await nodes.node("alice")
        try await nodes.running([alice]) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                // One of those that only look may have come first, and is then in the way for a moment.
                group.addTask {
                    while !Task.isCancelled { _ = try? await alice.perform(ListenForStream(label: .usual)) }
                }
                try await eventually("the first listens") {
                    do {
                        let second = Task { try await alice.perform(ListenForStream(label: .usual)) }
                        second.cancel()
                        _ = try await second.value
                        return false
                    } catch let error as RequestError {
                        return error.code == .busy
                    }
                }
                // A cancelled listener no longer listens.
                group.cancelAll()
            }
            try await eventually("nobody listens") {
                let next = Task { try await alice.perform(ListenForStream(label: .usual)) }
                next.cancel()
                do {
                    _ = try await next.value
                    return false
                } catch let error as RequestError {
                    return error.code == .stopped
                }
            }
        }
    }

    @Test func whoeverGivesUpSaysWhy() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        try await nodes.running([alice, bob]) {
            let (mine, theirs) = try await streams(from: alice, to: bob)
            _ = try await alice.perform(SendBytes(mine.stream, [1, 2, 3]))
            #expect(try await bob.perform(ReceiveBytes(theirs.stream)) == .init([1, 2, 3], isEnd: false))
            _ = try await bob.perform(ResetStream(theirs.stream, .diskFull))
            let error = await #expect(throws: RequestError.self) {
                _ = try await alice.perform(ReceiveBytes(mine.stream))
            }
            #expect(error == .stream(fault: .reset(reason: .diskFull)))
            let own = await #expect(throws: RequestError.self) {
                _ = try await bob.perform(SendBytes(theirs.stream, [1]))
            }
            #expect(own?.code == .streamReset)
        }
    }

    @Test func whatTheReaderHasNotDealtWithIsNotTaken() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        try await nodes.running([alice, bob]) {
            let (mine, theirs) = try await streams(from: alice, to: bob)
            _ = try await alice.perform(SendBytes(mine.stream, [7]))
            let finished = Counter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try await alice.perform(FinishStream(mine.stream))
                    finished.add()
                }
                #expect(try await bob.perform(ReceiveBytes(theirs.stream)) == .init([7], isEnd: false))
                // Messages that follow go the same way, so what is not known after them is not known.
                for _ in 0..<20 { _ = try await bob.perform(SendBytes(theirs.stream, [8])) }
                var heard = 0
                while heard < 20 {
                    heard += try await alice.perform(ReceiveBytes(mine.stream)).bytes.count
                }
                #expect(finished.value == 0)
                #expect(try await bob.perform(ReceiveBytes(theirs.stream)) == .init([], isEnd: true))
                try await group.next()
                #expect(finished.value == 1)
            }
        }
    }

    @Test func aReaderThatDoesNotReadHoldsUpWhoeverSendsAndNobodyElse() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        try await nodes.running([alice, bob]) {
            let (slow, unread) = try await streams(from: alice, to: bob)
            let (mine, theirs) = try await streams(from: alice, to: bob, label: try StreamLabel("other"))
            let sent = Counter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    // Far more than waits anywhere.
                    for _ in 0..<64 {
                        _ = try await alice.perform(SendBytes(slow.stream, [UInt8](repeating: 1, count: 256 << 10)))
                        sent.add()
                    }
                    _ = try await alice.perform(FinishStream(slow.stream))
                }
                let other = bytes(4_000_000, seed: 3)
                async let said: Void = say(other, on: mine, of: alice)
                let heard = try await hear(theirs, of: bob)
                let isSame = heard == other
                #expect(isSame)
                try await said
                #expect(sent.value < 16)
                #expect(try await hear(unread, of: bob).count == 64 * 256 << 10)
                try await group.waitForAll()
            }
        }
    }

    @Test func whenANodeEndsTheOtherSideIsTold() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        try await nodes.running([alice, bob]) {
            let (mine, theirs) = try await streams(from: alice, to: bob)
            _ = try await bob.perform(SendBytes(theirs.stream, [1]))
            #expect(try await alice.perform(ReceiveBytes(mine.stream)) == .init([1], isEnd: false))
            await bob.stop()
            let error = await #expect(throws: RequestError.self) {
                _ = try await alice.perform(ReceiveBytes(mine.stream))
            }
            #expect(error?.code == .streamReset)
        }
    }

    @Test func aStreamGoesOnWhereItsWayIsLost() async throws {
        let middle = try await nodes.node("middle")
        let left = try await nodes.node("left", given: [middle], invitations: .ask)
        let right = try await nodes.node("right", given: [middle], invitations: .ask)
        try await nodes.running([left, middle, right]) {
            let (mine, theirs) = try await streams(from: left, to: right)
            let all = bytes(6_000_000, seed: 4)
            async let said: Void = say(all, on: mine, of: left)
            var heard: [UInt8] = []
            while heard.count < 1_000_000 {
                heard += try await right.perform(ReceiveBytes(theirs.stream)).bytes
            }
            // From now on they are neighbours, and what was on its way over the relay is given up.
            let (l, r, port) = (await left.me.id, await right.me.id, await right.me.port)
            _ = try await left.perform(DialAddress(PeerAddress(host: "127.0.0.1", port: port)))
            try await eventually("they are neighbours") {
                for (node, other) in [(left, r), (right, l)] {
                    _ = try await node.perform(AnswerInvitation(PeerReference(other), accept: true))
                    _ = try await node.perform(InvitePeer(other.prefix))
                }
                let peers = try await left.perform(ListPeers()).peers
                return peers.contains { $0.id == r && $0.state == .connected }
            }
            heard += try await hear(theirs, of: right)
            let isSame = heard == all
            #expect(isSame)
            try await said
        }
    }

    /// One end of a stream as a connection uses it.
    private final class End: Sendable {
        private let news: AsyncStream<Void>
        let attachment: any StreamAttachment

        init(_ stream: StreamInfo, of node: Node) throws {
            let (news, input) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            self.news = news
            attachment = try node.streams.attach(to: stream.stream) { input.yield() }
        }

        func carry(_ bytes: [UInt8]) async -> [UInt8] {
            var (rest, isOver, heard, looks) = (bytes[...], false, [UInt8](), news.makeAsyncIterator())
            while true {
                while !rest.isEmpty, attachment.send(UnsafeRawBufferPointer(start: nil, count: 0)) == .free {
                    _ = rest.prefix(200_000).withUnsafeBytes { attachment.send($0) }
                    rest = rest.dropFirst(200_000)
                }
                if rest.isEmpty, !isOver {
                    isOver = true
                    attachment.finish()
                }
                switch attachment.receive(atMost: 100_000) {
                case .bytes(let parts): for part in parts { heard += part }
                case .nothing: _ = await looks.next()
                case .end where isOver: return heard
                case .end: _ = await looks.next()
                case .over: return []
                }
            }
        }
    }

    @Test func connectionsCarryBytesBothWaysAndRequestsSayHowItEnded() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        try await nodes.running([alice, bob]) {
            let (mine, theirs) = try await streams(from: alice, to: bob)
            let (left, right) = (try End(mine, of: alice), try End(theirs, of: bob))
            let requests: [any StreamTransfer] = [SendBytes(mine.stream, [1]), ReceiveBytes(mine.stream)]
            for request in requests {
                let error = await #expect(throws: RequestError.self) { _ = try await alice.perform(request) }
                #expect(error?.code == .busy)
            }
            let again = #expect(throws: RequestError.self) { _ = try End(mine, of: alice) }
            #expect(again?.code == .busy)
            let (there, back) = (bytes(3_000_000, seed: 5), bytes(2_000_008, seed: 6))
            async let heardBack = left.carry(there)
            async let heardThere = right.carry(back)
            let areSame = (await heardThere == there, await heardBack == back)
            #expect(areSame == (true, true))
            // The end is confirmed by requests, on both sides.
            async let finished = alice.perform(FinishStream(mine.stream))
            for (node, stream) in [(alice, mine), (bob, theirs)] {
                #expect(try await node.perform(ReceiveBytes(stream.stream)) == .init([], isEnd: true))
            }
            for (node, stream) in [(alice, mine), (bob, theirs)] {
                #expect(try await node.perform(ReceiveBytes(stream.stream)) == .init([], isEnd: true))
            }
            _ = try await finished
            left.attachment.detach()
            right.attachment.detach()
        }
    }

    @Test func aConnectionThatEndsEarlyResetsItsStream() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        try await nodes.running([alice, bob]) {
            let (mine, theirs) = try await streams(from: alice, to: bob)
            let end = try End(mine, of: alice)
            end.attachment.finish()
            end.attachment.detach()
            let error = await #expect(throws: RequestError.self) {
                while true { _ = try await bob.perform(ReceiveBytes(theirs.stream)) }
            }
            #expect(error?.code == .streamReset)
        }
    }

    @Test func aRequestEndsWhatAConnectionHasSent() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        try await nodes.running([alice, bob]) {
            let (mine, theirs) = try await streams(from: alice, to: bob)
            let end = try End(mine, of: alice)
            async let finished = alice.perform(FinishStream(mine.stream))
            for byte in UInt8(0)..<100 {
                await Task.yield()
                #expect([byte].withUnsafeBytes { end.attachment.send($0) } == .free)
            }
            end.attachment.giveBack()
            var heard: [UInt8] = []
            while case let received = try await bob.perform(ReceiveBytes(theirs.stream)), !received.isEnd {
                heard += received.bytes
            }
            #expect(heard == Array(0..<100))
            _ = try await finished
        }
    }

    @Test func oneCannotOpenAStreamToOneself() async throws {
        let alice = try await nodes.node("alice")
        let me = await alice.me.id
        let error = await #expect(throws: RequestError.self) {
            _ = try await alice.perform(OpenStream(PeerReference(me), label: .usual, wait: .zero))
        }
        #expect(error?.code == .invalid)
        let unknown = await #expect(throws: RequestError.self) { _ = try await alice.perform(SendBytes(7, [1])) }
        #expect(unknown?.code == .unknownStream)
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}
