import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

@testable import Lattice

@Suite(.timeLimit(.minutes(5))) struct ResourceTests {
    /// Nothing, less than a leaf, whole leaves, one node, and two levels of nodes.
    @Test(arguments: [0, 1, 32_768, 32_769, 3_000_000, 34 << 20])
    func aFileArrivesAsItIs(size: Int) async throws {
        try await trial { ada, bob, folder in
            let (source, target) = (folder.appending(path: "a.png"), folder.appending(path: "b"))
            let content = Content.bytes(size)
            try content.write(to: source)
            async let sent = steps(of: ada.sendResource(at: source, to: try await Loopback.peer(bob, of: ada)))
            let resource = try await next(of: bob)
            #expect(resource.name == "a.png" && resource.mediaType == "image/png" && resource.bytes == size)
            #expect(resource.peer.name == "ada")
            let received = try await steps(of: resource.save(to: target))
            for steps in [received, try await sent] {
                #expect(steps.last == ResourceStep(completedBytes: Int64(size), totalBytes: Int64(size)))
                #expect(steps.last?.fraction == 1)
                #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.completedBytes <= $1.completedBytes })
            }
            #expect(try Data(contentsOf: target) == content)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.png", "b"])
        }
    }

    @Test func aFileCrossesARelay() async throws {
        try await Loopback.folder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let (source, target) = (folder.appending(path: "a"), folder.appending(path: "b"))
            try Content.bytes(100_000).write(to: source)
            try await withSession(Loopback.open("relay")) { relay in
                let address = try await Loopback.address(of: relay)
                try await withSession(Loopback.configuration("ada", to: [address])) { ada in
                    try await withSession(Loopback.configuration("bob", to: [address])) { bob in
                        let peer = try await Loopback.peer(bob, of: ada)
                        async let sent: Void = ada.sendResource(at: source, named: "other", to: peer).finish()
                        let resource = try await next(of: bob)
                        #expect(resource.name == "other")
                        try await resource.save(to: target).finish()
                        try await sent
                    }
                }
            }
            #expect(try Data(contentsOf: target) == Content.bytes(100_000))
        }
    }

    struct Remains: Sendable {
        /// Bytes that an earlier transfer left.
        let there: Int
        /// One of them that is another one now.
        var wrong: Int?
        /// How many of them need not come again.
        let kept: Int
    }

    private static let remains = [
        Remains(there: 100_000, kept: 98_304), Remains(there: 34 << 20, kept: 34 << 20),
        Remains(there: 33 << 20, kept: 33 << 20), Remains(there: 32 << 20, kept: 32 << 20),
        Remains(there: 33 << 20, wrong: 40_000, kept: 32_768), Remains(there: 34 << 20, wrong: 0, kept: 0),
        Remains(there: 34 << 20, wrong: 32 << 20, kept: 32 << 20), Remains(there: 40 << 20, kept: 34 << 20),
    ]

    @Test(arguments: remains)
    func whatIsThereIsVerifiedAndNotFetchedAgain(remains: Remains) async throws {
        try await trial { ada, bob, folder in
            let (source, target) = (folder.appending(path: "a"), folder.appending(path: "b"))
            let content = Content.bytes(34 << 20)
            try content.write(to: source)
            var part = Content.bytes(remains.there)
            if let wrong = remains.wrong { part[wrong] ^= 1 }
            try part.write(to: folder.appending(path: try partName("b", of: content)))
            let peer = try await Loopback.peer(bob, of: ada)
            async let sent: Void = ada.sendResource(at: source, to: peer).finish()
            let received = try await steps(of: try await next(of: bob).save(to: target))
            #expect(received.first?.completedBytes == Int64(remains.kept))
            try await sent
            #expect(try Data(contentsOf: target) == content)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a", "b"])
        }
    }

    @Test func anInterruptedTransferGoesOn() async throws {
        try await trial { ada, bob, folder in
            let (source, target) = (folder.appending(path: "a"), folder.appending(path: "b"))
            let content = Content.bytes(10 * BlobShape.leafBytes)
            try content.write(to: source)
            let peer = try await Loopback.peer(bob, of: ada)
            var tree = BlobTree.Builder()
            _ = tree.append(Array(content)[...])
            let (name, nodes) = tree.finish()
            let raw = try await RawSender(ada, to: peer, offer: RawSender.offer(name))
            let first = try await next(of: bob)
            // The node, four leaves, and half of one.
            try await raw.stream.send(nodes[0] + content.prefix(4 * BlobShape.leafBytes + 100))
            async let broken = failure { try await first.save(to: target).finish() }
            // Returns when the other side has taken everything.
            await raw.stream.end()
            #expect(await broken?.code == .interrupted)
            async let sent: Void = ada.sendResource(at: source, to: peer).finish()
            let received = try await steps(of: try await next(of: bob).save(to: target))
            #expect(received.first?.completedBytes == Int64(4 * BlobShape.leafBytes))
            try await sent
            #expect(try Data(contentsOf: target) == content)
        }
    }

    // MARK: - What is not wanted

    @Test func whoDeclinesOrDropsItIsHeard() async throws {
        try await trial { ada, bob, folder in
            let source = folder.appending(path: "a")
            try Content.bytes(10).write(to: source)
            let peer = try await Loopback.peer(bob, of: ada)
            for isDropped in [false, true] {
                async let sent = failure { try await ada.sendResource(at: source, to: peer).finish() }
                var resource: IncomingResource? = try await next(of: bob)
                if !isDropped { resource?.decline() }
                if isDropped { resource = nil }
                let error = await sent
                #expect(error?.code == .declined && error?.refusal == .declined && error?.peers == [peer.id])
                if let resource {
                    await expect(.interrupted) {
                        try await resource.save(to: folder.appending(path: "b")).finish()
                    }
                }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
        }
    }

    @Test func whatIsWithdrawnIsNotOfferedAnyMore() async throws {
        try await trial { ada, bob, folder in
            let source = folder.appending(path: "a")
            try Content.bytes(10).write(to: source)
            let peer = try await Loopback.peer(bob, of: ada)
            let sending = Task { try await ada.sendResource(at: source, named: "first", to: peer).finish() }
            let first = try await next(of: bob)
            sending.cancel()
            await expect(.cancelled) { try await sending.value }
            await expect(.interrupted) { try await first.save(to: folder.appending(path: "b")).finish() }
            let withdrawn = Task { try await ada.sendResource(at: source, named: "second", to: peer).finish() }
            _ = await bob.resourceQueue.first { queue in queue.waitingCount == 1 ? () : nil }
            withdrawn.cancel()
            await expect(.cancelled) { try await withdrawn.value }
            async let sent: Void = ada.sendResource(at: source, named: "third", to: peer).finish()
            var last = try await next(of: bob)
            // The news of the withdrawal may come after the look.
            while last.name == "second" { last = try await next(of: bob) }
            #expect(last.name == "third")
            try await last.save(to: folder.appending(path: "c")).finish()
            try await sent
        }
    }

    @Test func fourOfOnePeerWait() async throws {
        try await trial { ada, bob, folder in
            let source = folder.appending(path: "a")
            try Content.bytes(10).write(to: source)
            let peer = try await Loopback.peer(bob, of: ada)
            await withTaskGroup { group in
                for _ in 0..<ResourceQueue.waitingPerPeerMax {
                    group.addTask {
                        await expect(.declined) { try await ada.sendResource(at: source, to: peer).finish() }
                    }
                }
                _ = await bob.resourceQueue.first { queue in
                    queue.waitingCount == ResourceQueue.waitingPerPeerMax ? () : nil
                }
                await expect(.busy) { try await ada.sendResource(at: source, to: peer).finish() }
                var taken = 0
                for await resource in bob.resources {
                    resource.decline()
                    taken += 1
                    if taken == ResourceQueue.waitingPerPeerMax { break }
                }
            }
        }
    }

    @Test func aProgramThatReadsNoneGetsNone() async throws {
        try await Loopback.folder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let source = folder.appending(path: "a")
            try Content.bytes(10).write(to: source)
            try await Loopback.pair { ada, bob in
                let peer = try await Loopback.peer(bob, of: ada)
                await expect(.unwanted) { try await ada.sendResource(at: source, to: peer).finish() }
            }
        }
    }

    @Test func whoDoesNothingForTooLongIsGivenUp() async throws {
        try await trial { ada, bob, _ in
            let peer = try await Loopback.peer(bob, of: ada)
            let running = try await ada.running()
            let info = try await running.open(peer.id.core, for: .resource, wait: .seconds(60))
            let stream = ResourceStream(info, on: running.node, stall: .milliseconds(10))
            await #expect(throws: RequestError.stream(fault: .noAnswer)) { try await stream.take(1) }
        }
    }

    @Test(arguments: [true, false])
    func whoIsCancelledStopsAtOnce(isSender: Bool) async throws {
        try await trial { ada, bob, folder in
            let (source, target) = (folder.appending(path: "a"), folder.appending(path: "b"))
            try Content.bytes(3_000_000).write(to: source)
            let peer = try await Loopback.peer(bob, of: ada)
            let sending = Task { try await ada.sendResource(at: source, to: peer).finish() }
            let resource = try await next(of: bob)
            if isSender {
                sending.cancel()
                await expect(.cancelled) { try await sending.value }
                await expect(.interrupted) { try await resource.save(to: target).finish() }
            } else {
                let saving = Task { try await resource.save(to: target).finish() }
                saving.cancel()
                await expect(.cancelled) { try await saving.value }
                await expect(.interrupted) { try await sending.value }
            }
            #expect(!FileManager.default.fileExists(atPath: target.path))
        }
    }

    @Test func messagesGoOnWhileOffersWait() async throws {
        try await trial { ada, bob, folder in
            let peer = try await Loopback.peer(bob, of: ada)
            var waiting: [RawSender] = []
            let root = try #require(Bytes32([UInt8](repeating: 7, count: 32)))
            let name = try #require(BlobName(root: root, size: 1))
            for _ in 0..<ResourceQueue.waitingPerPeerMax {
                waiting.append(try await RawSender(ada, to: peer, offer: RawSender.offer(name)))
            }
            try await ada.send([1], to: [peer])
            for await message in bob.received {
                #expect(message.bytes == [1])
                break
            }
            withExtendedLifetime(waiting) {}
        }
    }

    // MARK: - Faults

    @Test func twoTransfersDoNotWriteOneFile() async throws {
        try await trial { ada, bob, folder in
            let (source, target) = (folder.appending(path: "a"), folder.appending(path: "b"))
            try Content.bytes(100_000).write(to: source)
            let peer = try await Loopback.peer(bob, of: ada)
            async let first: Void = ada.sendResource(at: source, to: peer).finish()
            let one = try await next(of: bob)
            async let second: Void = ada.sendResource(at: source, to: peer).finish()
            let other = try await next(of: bob)
            var steps = one.save(to: target).makeAsyncIterator()
            _ = try await steps.next()
            await expect(.file) { try await other.save(to: target).finish() }
            while try await steps.next() != nil {}
            try await other.save(to: target, replacing: true).finish()
            try await first
            try await second
            #expect(try Data(contentsOf: target) == Content.bytes(100_000))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a", "b"])
        }
    }

    @Test func aFileInThePlaceIsNotReplacedUnlessThatIsWanted() async throws {
        try await trial { ada, bob, folder in
            let (source, target) = (folder.appending(path: "a"), folder.appending(path: "b"))
            try Content.bytes(10).write(to: source)
            try Data([1]).write(to: target)
            let peer = try await Loopback.peer(bob, of: ada)
            async let sent: Void = ada.sendResource(at: source, to: peer).finish()
            let resource = try await next(of: bob)
            await expect(.file) { try await resource.save(to: target).finish() }
            await expect(.file) { try await resource.save(to: folder.appending(path: "no/c")).finish() }
            let page = try #require(URL(string: "https://example.org/c"))
            await expect(.invalid) { try await resource.save(to: page).finish() }
            #expect(try Data(contentsOf: target) == Data([1]))
            try await resource.save(to: target, replacing: true).finish()
            try await sent
            #expect(try Data(contentsOf: target) == Content.bytes(10))
            await expect(.busy) { try await resource.save(to: folder.appending(path: "d")).finish() }
        }
    }

    @Test func whatCannotBeSentIsSaid() async throws {
        try await trial { ada, bob, folder in
            let source = folder.appending(path: "a")
            try Content.bytes(10).write(to: source)
            let peer = try await Loopback.peer(bob, of: ada)
            await expect(.file) { try await ada.sendResource(at: folder, to: peer).finish() }
            await expect(.file) {
                try await ada.sendResource(at: folder.appending(path: "none"), to: peer).finish()
            }
            let page = try #require(URL(string: "https://example.org/a"))
            await expect(.invalid) { try await ada.sendResource(at: page, to: peer).finish() }
            for name in ["", "..", "a/b", "a\u{202E}b", String(repeating: "a", count: 256)] {
                await expect(.invalid) { try await ada.sendResource(at: source, named: name, to: peer).finish() }
            }
            await expect(.invalid) { try await ada.sendResource(at: source, to: try await ada.me).finish() }
        }
    }

    @Test func aFileThatChangesIsNotSent() async throws {
        try await trial { ada, bob, folder in
            let source = folder.appending(path: "a")
            try Content.bytes(100_000).write(to: source)
            let peer = try await Loopback.peer(bob, of: ada)
            async let sent = failure { try await ada.sendResource(at: source, to: peer).finish() }
            let resource = try await next(of: bob)
            let handle = try FileHandle(forWritingTo: source)
            try handle.write(contentsOf: Data([99, 99]))
            try handle.close()
            let target = folder.appending(path: "b")
            await expect(.interrupted) { try await resource.save(to: target).finish() }
            #expect(await sent?.code == .file)
            #expect(!FileManager.default.fileExists(atPath: target.path))
        }
    }

    @Test func whatIsNotWhatWasOfferedIsDamaged() async throws {
        try await trial { ada, bob, folder in
            let peer = try await Loopback.peer(bob, of: ada)
            let target = folder.appending(path: "b")
            for size in [0, 10, 100_000, 40 << 20] {
                let root = try #require(Bytes32([UInt8](repeating: 7, count: 32)))
                let name = try #require(BlobName(root: root, size: Int64(size)))
                let raw = try await RawSender(ada, to: peer, offer: RawSender.offer(name))
                let resource = try await next(of: bob)
                try await raw.stream.send([UInt8](repeating: 1, count: min(size, 40_000)))
                await expect(.damaged) { try await resource.save(to: target).finish() }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            }
        }
    }

    private static let noOffers: [[UInt8]] = [
        [0, 0], [0, 1, 1], [255, 255], [0, 3, 2, 0, 0], [0, 3, 2, 0],
        RawSender.offer(name: "../../etc/passwd"), RawSender.offer(name: "."), RawSender.offer(type: "text"),
        RawSender.offer(size: (1 << 35) + 1),
    ]

    @Test(arguments: noOffers)
    func whatIsNoOfferIsNotShown(bytes: [UInt8]) async throws {
        try await Loopback.pair { ada, bob in
            wantResources(bob)
            let peer = try await Loopback.peer(bob, of: ada)
            let raw = try await RawSender(ada, to: peer, offer: bytes)
            // It ends the stream; or it waits for the rest of an offer, and nothing else.
            if bytes != [0, 3, 2, 0] { await #expect(throws: RequestError.self) { try await raw.stream.take(1) } }
            let good = try await RawSender(ada, to: peer, offer: RawSender.offer(name: "good"))
            #expect(try await next(of: bob).name == "good")
            withExtendedLifetime((raw, good)) {}
        }
    }

    @Test(
        arguments: [
            [1, 0, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 6], [1, 255, 255, 255, 255, 255, 255, 255, 255],
            [9, 0, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]])
    func whoAsksForWhatIsNotThereGetsNothing(answer: [UInt8]) async throws {
        try await trial { ada, bob, folder in
            let source = folder.appending(path: "a")
            try Content.bytes(100_000).write(to: source)
            let peer = try await Loopback.peer(bob, of: ada)
            async let sent = failure { try await ada.sendResource(at: source, to: peer).finish() }
            let resource = try await next(of: bob)
            try await resource.stream.send(answer)
            #expect(await sent?.code == .interrupted)
            withExtendedLifetime(resource) {}
        }
    }

    @Test func whoAsksAgainAndAgainIsStopped() async throws {
        try await trial { ada, bob, folder in
            let source = folder.appending(path: "a")
            try Content.bytes(10).write(to: source)
            let peer = try await Loopback.peer(bob, of: ada)
            async let sent = failure { try await ada.sendResource(at: source, to: peer).finish() }
            let resource = try await next(of: bob)
            // A file of one piece is given twice.
            for _ in 0..<3 { try await resource.stream.send(ResourceAnswer.pieces(0..<1).bytes) }
            #expect(await sent?.code == .interrupted)
            withExtendedLifetime(resource) {}
        }
    }
}

private enum Content {
    private static let leaf = Data((0..<BlobShape.leafBytes).map { UInt8(truncatingIfNeeded: $0 / 251 &+ $0) })

    /// No two pieces are the same.
    static func bytes(_ count: Int) -> Data {
        var all = Data(capacity: count + BlobShape.leafBytes)
        while all.count < count {
            let number = all.count / BlobShape.leafBytes
            all += [UInt8(number & 255), UInt8(number >> 8)] + leaf.dropFirst(2)
        }
        return all.prefix(count)
    }
}

/// Two sessions that are linked, and a folder.
private func trial(_ body: (_ ada: Session, _ bob: Session, _ folder: URL) async throws -> Void) async throws {
    try await Loopback.folder { folder in
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await Loopback.pair { ada, bob in
            wantResources(bob)
            try await body(ada, bob, folder)
        }
    }
}

/// A session takes offers once somebody reads them.
private func wantResources(_ session: Session) {
    session.resourceQueue.change { queue in
        queue.beginReading()
        queue.endReading()
    }
}

private func partName(_ name: String, of content: Data) throws -> String {
    var tree = BlobTree.Builder()
    _ = tree.append(Array(content)[...])
    return "\(name).\(Hex.string(tree.finish().name.root.bytes.prefix(8))).part"
}

/// A sender that says what a test wants.
private struct RawSender {
    let stream: ResourceStream

    init(_ session: Session, to peer: Peer, offer: [UInt8]) async throws {
        let running = try await session.running()
        stream = ResourceStream(
            try await running.open(peer.id.core, for: .resource, wait: .seconds(60)), on: running.node)
        try await stream.send(offer)
    }

    static func offer(_ blob: BlobName) -> [UInt8] {
        ResourceOffer(blob, name: .unnamed, type: .unknown).bytes
    }

    static func offer(name: String = "a", type: String = "text/plain", size: UInt64 = 10) -> [UInt8] {
        var body = ByteWriter()
        body.byte(1)
        body.fixed([UInt8](repeating: 7, count: 32))
        body.varint(size)
        body.text(name)
        body.text(type)
        return [UInt8(body.bytes.count >> 8), UInt8(body.bytes.count & 255)] + body.bytes
    }
}

private func next(of session: Session) async throws -> IncomingResource {
    for await resource in session.resources { return resource }
    throw Loopback.Ended()
}

private func steps(of transfer: ResourceTransfer) async throws -> [ResourceStep] {
    var steps: [ResourceStep] = []
    for try await step in transfer { steps.append(step) }
    return steps
}

private func failure(_ body: () async throws -> Void) async -> LatticeError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? LatticeError
    }
}
