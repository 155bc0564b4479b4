import Foundation
import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeNode

/// A key belongs to the name it came under first.
struct KnownPeopleTests {
    private static func peer(_ number: Int) -> PeerID {
        PeerID(Bytes32(words: (UInt64(number) &* 0x9E37_79B9_7F4A_7C15, 0, 0, 1)))
    }

    private func day(_ number: Int64) -> WallTime { WallTime(milliseconds: 1_795_000_000_000 + number * 86_400_000) }
    private func name(_ text: String) throws -> PeerName { try PeerName(text) }

    @Test func anotherKeyUnderAKnownNameIsAClashHoweverItIsWritten() throws {
        for other in ["bob", "Bob", "Воb", "b0b", "bob ✓"] {
            var known = KnownPeople()
            #expect(known.met(Self.peer(1), try name("bob"), at: day(0)).clash == nil)
            let clash = try #require(known.met(Self.peer(2), try name(other), at: day(1)).clash, "\(other)")
            #expect(clash.newcomer.id == Self.peer(2) && clash.known.id == Self.peer(1))
            #expect(clash.known.firstSeen == day(0) && clash.newcomer.firstSeen == day(1))
            // Nothing is reported about the first owner of the name.
            #expect(known.met(Self.peer(1), try name("bob"), at: day(2)).clash == nil)
        }
    }

    @Test func firstComeIsNotFirstServedOnceAKeyIsVerified() throws {
        var known = KnownPeople()
        _ = known.met(Self.peer(2), try name("bob"), at: day(0))
        _ = known.met(Self.peer(1), try name("bob"), at: day(1))
        var right = try #require(known[Self.peer(1)])
        right.verified = day(2)
        _ = known.put(right)
        #expect(known.met(Self.peer(1), try name("bob"), at: day(3)).clash == nil)
        #expect(known.met(Self.peer(2), try name("bob"), at: day(3)).clash?.known.id == Self.peer(1))
    }

    @Test func whoWasKnownForLongAndTakesAnothersNameIsToldOf() throws {
        var known = KnownPeople()
        _ = known.met(Self.peer(2), try name("eve"), at: day(0))
        _ = known.met(Self.peer(1), try name("bob"), at: day(5))
        let meeting = known.met(Self.peer(2), try name("bob"), at: day(6))
        #expect(meeting.was == (try name("eve")) && meeting.clash?.known.id == Self.peer(1))
        #expect(known.met(Self.peer(1), try name("bob"), at: day(7)).clash == nil)
        #expect(known.met(Self.peer(2), try name("bob"), at: day(8)).clash?.known.id == Self.peer(1))
    }

    @Test func aVerifiedKeyKeepsItsMarkUnderAnotherNameAndTheNameDoesNot() throws {
        var known = KnownPeople()
        _ = known.met(Self.peer(1), try name("bob"), at: day(0))
        var bob = try #require(known[Self.peer(1)])
        bob.verified = day(0)
        _ = known.put(bob)
        #expect(known.met(Self.peer(1), try name("carol"), at: day(1)).was == (try name("bob")))
        _ = known.met(Self.peer(2), try name("bob"), at: day(2))
        #expect(known[Self.peer(1)]?.verified == day(0) && known[Self.peer(2)]?.verified == nil)
    }

    @Test func aCrowdOfMadeUpKeysPushesOutItself() throws {
        var known = KnownPeople()
        _ = known.met(Self.peer(1), try name("bob"), at: day(0))
        _ = known.met(Self.peer(1), try name("bob"), at: day(30))
        _ = known.put(KnownPerson(id: Self.peer(2), verified: day(0)))
        for number in 3..<KnownLimit.peopleMax + 100 {
            _ = known.met(Self.peer(number), try name("x\(number)"), at: day(31))
        }
        #expect(known.all.count == KnownLimit.peopleMax)
        #expect(known[Self.peer(1)] != nil && known[Self.peer(2)] != nil)
        #expect(known.met(Self.peer(9_999_999), try name("bob"), at: day(32)).clash?.known.id == Self.peer(1))
    }

    @Test func whatIsWrittenIsReadAgainAndWhatIsDamagedIsPutAside() throws {
        var known = KnownPeople()
        _ = known.met(Self.peer(1), try name("bob the 1st"), at: day(0))
        _ = known.put(
            KnownPerson(
                id: Self.peer(2), petname: try name("Zoë Müller"), verified: day(1), blocked: day(2), ignored: day(3),
                added: day(4)))
        _ = known.mute(try RoomName("#park"), in: try MeshName("camp"), true)
        let read = KnownPeople.read(known.text)
        #expect(read.damaged.isEmpty && read.0 == known)
        let wrong = [
            "peer\tabc", "peer\t\(Self.peer(3).hex)\t\t\t\t\tx\t\t\t\t", "room\tcamp", "nothing",
            "peer\t\(Self.peer(1).hex)\(String(repeating: "\t", count: 9))",
            "peer\t\(Self.peer(4).hex)\ta\u{1B}b\t\t\t\t\t\t\t\t", "\u{FFFD}",
        ]
        let mixed = KnownPeople.read(known.text + wrong.map { "\($0)\n" }.joined())
        #expect(mixed.0 == known && mixed.damaged == wrong)
        // Every beginning of it is read without harm.
        for count in 0..<known.text.utf8.count {
            _ = KnownPeople.read(String(decoding: known.text.utf8.prefix(count), as: UTF8.self))
        }
    }

    @Test func somebodyIsMeantByNameShortIdOrId() throws {
        var known = KnownPeople()
        _ = known.met(Self.peer(1), try name("bob"), at: day(0))
        _ = known.met(Self.peer(2), try name("bob"), at: day(0))
        _ = known.put(KnownPerson(id: Self.peer(3), name: try name("x"), petname: try name("Carol")))
        let one = Self.peer(1)
        for text in ["bob#\(one.short)", "#\(one.short)", one.hex, one.hex.uppercased(), "@bob#\(one.short)"] {
            #expect(Naming.meant(by: text, among: known.all).map(\.id) == [one], "\(text)")
        }
        #expect(["bob", "BOB"].allSatisfy { Naming.meant(by: $0, among: known.all).count == 2 })
        #expect(["Carol", "carol"].allSatisfy { Naming.meant(by: $0, among: known.all).map(\.id) == [Self.peer(3)] })
        #expect(["dan", ""].allSatisfy { Naming.meant(by: $0, among: known.all).isEmpty })
    }

    // MARK: - The file

    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-people-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func manyWhoWriteAtOnceLoseNothing() async throws {
        let folder = try folder()
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let book = PeopleBook(folder: folder.path(percentEncoded: false))
        try await withThrowingDiscardingTaskGroup { group in
            for number in 1...20 {
                group.addTask {
                    _ = try await book.update {
                        $0.put(KnownPerson(id: Self.peer(number), blocked: WallTime(milliseconds: 1)))
                    }
                }
            }
        }
        #expect(book.blocked().count == 20)
        let mode = try FileManager.default.attributesOfItem(atPath: book.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func aDamagedLineIsKeptAside() async throws {
        let folder = try folder()
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let book = PeopleBook(folder: folder.path(percentEncoded: false))
        try "peer\tnonsense\n".write(toFile: book.path, atomically: true, encoding: .utf8)
        #expect(try book.read().damagedLines == 1)
        for _ in 0..<2 { _ = try await book.update { $0.put(KnownPerson(id: Self.peer(1))) } }
        #expect(try book.read().damagedLines == 0)
        #expect(try String(contentsOfFile: book.damagedPath, encoding: .utf8) == "peer\tnonsense\n")
    }

    @Test func contactsAreWhoWasAddedOrVerifiedAndIsNotBlocked() async throws {
        let folder = try folder()
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let book = PeopleBook(folder: folder.path(percentEncoded: false))
        let now = day(0)
        _ = try await book.update { known in
            _ = known.put(KnownPerson(id: Self.peer(1), verified: now))
            _ = known.put(KnownPerson(id: Self.peer(2), added: now))
            _ = known.put(KnownPerson(id: Self.peer(3), verified: now, blocked: now))
            return known.put(KnownPerson(id: Self.peer(4)))
        }
        #expect(book.contacts() == [Self.peer(1), Self.peer(2)])
    }

    /// The file has the date of ten minutes ago.
    @Test func whoIsHereIsSeenNow() async throws {
        let folder = try folder()
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let (book, bob) = (PeopleBook(folder: folder.path(percentEncoded: false)), try name("bob"))
        let days = [day(2), day(3)]
        _ = try await book.update { known in
            _ = known.put(KnownPerson(id: Self.peer(2), name: bob, lastSeen: days[0]))
            return known.put(KnownPerson(id: Self.peer(3), name: bob, lastSeen: days[1]))
        }
        let desk = KnownDesk(book: .file(book), me: Self.peer(1), mesh: try MeshName("lattice"), here: [Self.peer(3)])
        let (people, _) = try desk.people(at: day(9))
        #expect(people.map(\.id) == [Self.peer(3), Self.peer(2)] && people.map(\.lastSeen) == [day(9), day(2)])
        let error = await #expect(throws: RequestError.self) {
            try await desk.person(PeerReference("bob"), at: day(9))
        }
        #expect(error?.candidates.contains { $0.lastSeen == day(9) } == true)
    }

    @Test func oneselfIsNobodyToBlock() async throws {
        let folder = try folder()
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let desk = KnownDesk(
            book: .file(PeopleBook(folder: folder.path(percentEncoded: false))), me: Self.peer(1),
            mesh: try MeshName("lattice"))
        await #expect(throws: RequestError.self) {
            try await desk.mark(PeerReference(Self.peer(1)), at: day(0)) { $0.blocked = $0.firstSeen }
        }
        let entries = [1, 2].map { BlockEntry(id: Self.peer($0), name: nil) }
        let (answer, known) = try await desk.block(entries, at: day(0))
        #expect(answer == .init(new: 1, hasSelf: true) && known.blocked == [Self.peer(2)])
    }
}
