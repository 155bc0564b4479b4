import CAllocations
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeSession
import LatticeWire
import Testing

/// Heap allocations per message. Times differ from run to run; these counts do not, so a change that makes
/// a message dearer sees it here.
///
/// They are those of builds for debugging, in which nothing is optimised away. A count that falls is put in the place of the old one;
/// one that rises needs a reason.
@Suite(.enabled(if: allocations_are_counted())) struct AllocationTests {
    /// Includes what doubling a growing buffer allocates.
    private static let messages = 1_000
    /// What is done first sets up types, whatever test comes to it first, and so does what grows first.
    private static let warmUp = 1_000

    /// - Parameter work: is done for each message, on this thread.
    private func allocations(_ work: (Int) throws -> Void) rethrows -> Int {
        for number in 0..<Self.warmUp { try work(number) }
        let before = allocations_of_this_thread()
        for number in Self.warmUp..<Self.warmUp + Self.messages { try work(number) }
        return Int(allocations_of_this_thread() - before)
    }

    private let author = Identity(seed: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))

    private func line(_ number: Int) -> Record {
        Record(
            kind: .chat, author: author.peer, created: HybridTime(rawValue: 1 << 60 + UInt64(number)),
            lifetimeSeconds: 7 * 86_400, topic: Array("#park".utf8), body: [UInt8](repeating: 0x78, count: 128))
    }

    private func signed() -> [VerifiedRecord] {
        (0..<Self.warmUp + Self.messages).map { author.sign(line($0)) }
    }

    #if DEBUG

        @Test func aCountIsExact() {
            #expect(allocations { _ in } == 0)
            var kept: [[UInt8]] = []
            kept.reserveCapacity(Self.warmUp + Self.messages)
            #expect(allocations { kept.append([UInt8](repeating: 1, count: 100 + $0)) } == Self.messages)
        }

        @Test func toSignALine() {
            let lines = (0..<Self.warmUp + Self.messages).map(line)
            let count = allocations { _ = author.sign(lines[$0]) }
            #expect(count == 4_000)
        }

        @Test func toVerifyALine() throws {
            let records = signed()
            let verifier = CachingVerifier()
            let count = try allocations { _ = try verifier.verify(records[$0].signed) }
            // One each, and as the table of what was checked grows, twice here, one for each that is in it.
            #expect(count == 1_000 + 1_025)
        }

        @Test func toPutALineIntoAFrame() {
            let records = signed()
            let count = allocations {
                _ = Frame.record(RecordFrame(timeToLive: 32, hops: 1, signed: records[$0].signed)).bytes
            }
            #expect(count == 1_000)
        }

        @Test func toTakeALineFromAFrame() throws {
            let messages = signed().map { Frame.record(RecordFrame(timeToLive: 32, hops: 1, signed: $0.signed)).bytes }
            let count = try allocations { _ = try Frame.decode(message: messages[$0][...]) }
            #expect(count == 21_000)
        }

        @Test func toSealAMessageAndToOpenIt() throws {
            let frames = signed().map { Frame.record(RecordFrame(timeToLive: 32, hops: 1, signed: $0.signed)).bytes }
            var sealer = Sealer(CipherState(key: SecretBytes(copying: [UInt8](repeating: 2, count: 32))))
            var opener = Opener(CipherState(key: SecretBytes(copying: [UInt8](repeating: 2, count: 32))))
            var sealed: [[UInt8]] = []
            sealed.reserveCapacity(frames.count)
            let sealing = allocations { sealed.append(sealer.seal([frames[$0]])) }
            #expect(sealing == 22_000)
            let opening = try allocations { _ = try opener.open(sealed[$0][2...]) }
            #expect(opening == 23_000)
        }

        @Test func toSeeWhetherALineIsUrgent() {
            let records = signed()
            #expect(allocations { _ = records[$0].claimsUrgency } == 0)
        }

        @Test func toSayALine() throws {
            var mesh = try Meshes.linked(me: author.peer)
            let records = signed()
            var effects: [MeshEffect] = []
            let count = allocations { number in
                effects.removeAll(keepingCapacity: true)
                mesh.handle(.submitted(records[number]), at: .zero, into: &effects)
            }
            #expect(effects.count == 2)
            #expect(count == 7_007)
        }

        @Test func toHearALineAndToPassItOn() throws {
            var mesh = try Meshes.linked(me: Meshes.peer(100))
            let records = signed()
            var effects: [MeshEffect] = []
            let count = allocations { number in
                effects.removeAll(keepingCapacity: true)
                mesh.handle(
                    .heard(
                        LinkID(rawValue: 1), records[number], RecordArrival(timeToLive: 32, hops: 1, isStray: false)),
                    at: .zero,
                    into: &effects)
            }
            #expect(effects.count == 2)
            #expect(count == 6_005)
        }

        @Test func toHearALineAgain() throws {
            var mesh = try Meshes.linked(me: Meshes.peer(100))
            var effects: [MeshEffect] = []
            let record = author.sign(line(0))
            let count = allocations { _ in
                effects.removeAll(keepingCapacity: true)
                mesh.handle(
                    .heard(LinkID(rawValue: 1), record, RecordArrival(timeToLive: 32, hops: 1, isStray: false)),
                    at: .zero,
                    into: &effects)
            }
            #expect(count == 1_000)
        }

    #endif
}

/// Meshes with two neighbours.
private enum Meshes {
    static func peer(_ rank: UInt8) -> PeerID {
        PeerID(Bytes32(words: (UInt64(rank) << 56, 0, 0, 0)))
    }

    static func linked(me: PeerID) throws -> Mesh {
        var options = MeshOptions(mesh: try MeshName("test"), meshTag: 7)
        (options.originRate, options.linkRate) = (1_000_000, 1_000_000)
        let presence = Presence(isHere: true, name: try PeerName("me"), rooms: [])
        var mesh = Mesh(me: me, presence: presence, options: options, seed: 1)
        for rank in UInt8(1)...2 {
            let link = LinkID(rawValue: UInt64(rank))
            let opened = OpenedLink(
                peer: peer(rank), name: try PeerName("p\(rank)"), instance: 1,
                address: PeerAddress(host: "10.0.0.\(rank)", port: 4_000), dial: nil)
            _ = mesh.handle(.linkOpened(link, opened), at: .zero)
            let invitation = Invitation(mesh: options.mesh, context: [], isUrgent: false, room: 1)
            _ = mesh.handle(.received(link, .invitation(invitation)), at: .zero)
        }
        return mesh
    }
}
