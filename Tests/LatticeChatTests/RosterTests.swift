import LatticeCore
import Synchronization
import Testing

@testable import LatticeChat

/// Who is meant by a name.
struct RosterTests {
    private let me = Samples.peer(1)
    private let bob = Samples.peer(2)
    private let other = Samples.peer(3)
    private let carol = Samples.peer(4)

    private func roster(_ others: [(PeerID, String)]) throws -> Roster {
        var roster = Roster(me: me, name: try PeerName("alice"))
        for (peer, name) in others { roster.set(peer, try PeerName(name)) }
        return roster
    }

    @Test func aNameOfOnePeerIsThatPeer() throws {
        let roster = try roster([(bob, "bob"), (carol, "carol")])
        #expect(roster.meaning(of: "bob") == .one(bob))
        #expect(roster.meaning(of: "@bob") == .one(bob))
        #expect(roster.meaning(of: "bob#\(bob.short)") == .one(bob))
        #expect(roster.meaning(of: "#\(bob.short)") == .one(bob))
        #expect(roster.meaning(of: "alice") == .one(me))
        #expect(roster.shown(bob, try PeerName("bob")) == "bob")
        #expect(roster.typed == ["bob", "carol"])
    }

    @Test func aNameOfTwoPeersIsNeitherOfThem() throws {
        let roster = try roster([(bob, "bob"), (carol, "carol"), (other, "bob")])
        #expect(roster.meaning(of: "bob") == .several(["bob#\(bob.short)", "bob#\(other.short)"]))
        #expect(roster.meaning(of: "bob#\(other.short)") == .one(other))
        #expect(roster.shown(bob, try PeerName("bob")) == "bob#\(bob.short)")
        #expect(roster.typed == ["bob#\(bob.short)", "carol", "bob#\(other.short)"])
    }

    @Test func whenOneOfTwoLeavesTheNameIsTheOthersAlone() throws {
        var roster = try roster([(bob, "bob"), (other, "bob")])
        roster.remove(bob)
        #expect(roster.meaning(of: "bob") == .one(other))
        #expect(roster.shown(other, try PeerName("bob")) == "bob")
        roster.set(other, try PeerName("rob"))
        #expect(roster.meaning(of: "bob") == .nobody(nearest: "rob"))
        #expect(roster.name(of: other) == (try PeerName("rob")))
        #expect(roster.name(of: bob) == nil)
    }

    @Test func somebodyWhoTakesOurNameIsToldApartFromUs() throws {
        let roster = try roster([(bob, "alice")])
        #expect(roster.meaning(of: "alice") == .several(["alice#\(me.short)", "alice#\(bob.short)"]))
        #expect(roster.shown(bob, try PeerName("alice")) == "alice#\(bob.short)")
    }

    @Test func namesThatLookTheSameAreToldApart() throws {
        let roster = try roster([(bob, "bob"), (other, "Bob\u{200D}")])
        #expect(roster.shown(bob, try PeerName("bob")) == "bob#\(bob.short)")
        #expect(roster.shown(other, try PeerName("Bob\u{200D}")) == "Bob\u{200D}#\(other.short)")
    }

    @Test func anIdOrItsFirstEightDigitsNameAPeer() throws {
        let roster = try roster([(bob, "bob"), (other, "carol")])
        #expect(roster.meaning(of: bob.hex) == .one(bob))
        #expect(roster.meaning(of: bob.hex.uppercased()) == .one(bob))
        #expect(roster.meaning(of: "02000000") == .one(bob))
        #expect(roster.meaning(of: "0200000") == .nobody(nearest: nil))
        #expect(roster.meaning(of: bob.hex + "0") == .nobody(nearest: nil))
        let same = Samples.peer([2] + [UInt8](repeating: 0, count: 30) + [9])
        var two = roster
        two.set(same, try PeerName("dave"))
        #expect(two.meaning(of: "02000000") == .several(["bob#\(bob.short)", "dave#\(same.short)"]))
    }

    @Test func aNameOfHexadecimalDigitsComesBeforeAnId() throws {
        let roster = try roster([(bob, "bob"), (other, "02000000")])
        #expect(roster.meaning(of: "02000000") == .one(other))
    }

    @Test func capitalsCountOnlyWhereTheyDecide() throws {
        let roster = try roster([(bob, "Bob"), (other, "carol")])
        #expect(roster.meaning(of: "bob") == .one(bob))
        #expect(roster.meaning(of: "CAROL") == .one(other))
        let both = try self.roster([(bob, "Bob"), (other, "bob")])
        #expect(both.meaning(of: "bob") == .one(other))
        #expect(both.meaning(of: "BOB") == .several(["Bob#\(bob.short)", "bob#\(other.short)"]))
    }

    @Test func composedAndDecomposedLettersAreOneName() throws {
        let roster = try roster([(bob, "zo\u{EB}"), (other, "zoe\u{308}")])
        #expect(roster.meaning(of: "zo\u{EB}") == .several(["zoë#\(bob.short)", "zoë#\(other.short)"]))
    }

    @Test func nobodyIsNobodyAndPerhapsSomebodyNear() throws {
        let roster = try roster([(bob, "bob")])
        #expect(roster.meaning(of: "bbo") == .nobody(nearest: "bob"))
        #expect(roster.meaning(of: "xyzzy") == .nobody(nearest: nil))
        #expect(roster.meaning(of: "") == .nobody(nearest: nil))
        #expect(roster.meaning(of: "@") == .nobody(nearest: nil))
        #expect(roster.meaning(of: "#") == .nobody(nearest: nil))
    }

    @Test func itRemembersSoManyAndOurselvesAlways() throws {
        var roster = Roster(me: me, name: try PeerName("alice"))
        for number in 0..<Roster.peersMax + 100 {
            let bytes = [0xFF, UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 0, count: 29)
            roster.set(Samples.peer(bytes), try PeerName("p\(number)"))
        }
        #expect(roster.typed.count == Roster.peersMax - 1)
        #expect(roster.meaning(of: "alice") == .one(me))
        #expect(roster.typed.first == "p101")
        #expect(roster.typed.last == "p\(Roster.peersMax + 99)")
    }

    @Test func toTellManyPeopleOfOneNameApartTakesAsManyLookUpsForEach() {
        let counter = Counter()
        var names = Namesakes<Counted>()
        for value in 0..<4_096 { names.insert(Counted(value: value, counter: counter), "henry") }
        counter.lookUps.withLock { $0 = 0 }
        for value in 0..<4_096 { #expect(names.hasOthers(than: Counted(value: value, counter: counter), "henry")) }
        #expect(counter.lookUps.withLock { $0 } <= 4_096)
        names.remove(Counted(value: 7, counter: counter), "henry")
        #expect(counter.lookUps.withLock { $0 } <= 4_097)
    }

    @Test func whoCameFirstGivesWayWhenThereAreTooManyAndOneselfDoesNot() throws {
        var roster = try roster([])
        let henry = try PeerName("henry")
        for number in 0..<3 * Roster.peersMax { roster.set(PeerID(Bytes32(words: (UInt64(number), 1, 2, 3))), henry) }
        #expect(roster.typed.count == Roster.peersMax - 1)
        #expect(roster.name(of: me) != nil)
        #expect(roster.name(of: PeerID(Bytes32(words: (0, 1, 2, 3)))) == nil)
        let last = PeerID(Bytes32(words: (UInt64(3 * Roster.peersMax - 1), 1, 2, 3)))
        #expect(roster.typed.last == "henry#\(last.short)")
        guard case .several(let names) = roster.meaning(of: "henry") else { throw Missing() }
        #expect(names.count == 8)
    }

    private struct Missing: Error {}

    private final class Counter: Sendable {
        let lookUps = Mutex(0)
    }

    private struct Counted: Hashable, Sendable {
        let value: Int
        let counter: Counter

        static func == (one: Counted, other: Counted) -> Bool { one.value == other.value }

        func hash(into hasher: inout Hasher) {
            counter.lookUps.withLock { $0 += 1 }
            hasher.combine(value)
        }
    }
}
