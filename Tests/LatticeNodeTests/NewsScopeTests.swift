import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// What each post asks of 1,024 personas.
@Suite struct NewsScopeTests {
    private static let munich = Coordinate(latitude: 48.137, longitude: 11.575)
    private static let sydney = Coordinate(latitude: -33.86, longitude: 151.21)

    private func post(_ text: String, by writer: Person) async throws -> VerifiedRecord {
        let place = try #require(Self.munich)
        let item = try await writer.ask(NewPost(text: text, at: place))
        let record = try #require(try await writer.store.catalogue.signed([item.id]).first)
        return try RecordVerifier.verify(record)
    }

    private func work(
        _ record: VerifiedRecord, _ listeners: [NewsWork.Listener], at instant: Instant
    ) async throws -> Int {
        let work = NewsWork(
            records: [record], personal: PersonalNews(), urgent: [], shownPins: ShownPins(), listeners: listeners,
            now: Person.now,
            instant: instant)
        return try await work.events([]).count
    }

    @Test func placesAndFollowsOfAThousandVisitorsAreReadOnce() async throws {
        let writer = try Person("writer")
        let walls = (0..<1_024).map { number in
            let identity = Identity(
                seed: SecretBytes(
                    copying: [UInt8(number & 255), UInt8(number >> 8)] + [UInt8](repeating: 9, count: 30)))
            return Archive(of: identity, in: writer.archive, name: writer.archive.reader.author.given)
        }
        let listeners = walls.map {
            NewsWork.Listener(
                visit: Persona.Visit(id: $0.me, number: 1), reader: $0.reader, unheard: [], rooms: [],
                privacy: RoomPrivacy([]))
        }
        let here = PlaceSetting.text(try #require(Self.munich))
        try await writer.store.set(walls[0].reader.placeSetting.key, here)
        let start = Instant.zero
        #expect(try await work(post("first", by: writer), listeners, at: start) == 1)
        // Nobody says that it changed, so nobody reads it.
        for archive in walls.prefix(8) { try await writer.store.set(archive.reader.placeSetting.key, here) }
        #expect(try await work(post("second", by: writer), listeners, at: start) == 1)
        walls[1].reader.newsScope.forget()
        #expect(try await work(post("third", by: writer), listeners, at: start) == 2)
        let later = start.advanced(by: NewsScope.validFor)
        #expect(try await work(post("fourth", by: writer), listeners, at: later) == 8)
    }

    @Test func whatChangesWhileItIsReadIsReadAgain() throws {
        let scope = NewsScope()
        var reads = 0
        func value() throws -> Coordinate? {
            try scope.value(at: .zero) { () throws(StoreError) in
                reads += 1
                if reads == 1 { scope.forget() }
                return NewsScope.Value(followed: [], place: reads == 1 ? Self.munich : Self.sydney)
            }.place
        }
        #expect(try [value(), value(), value()] == [Self.munich, Self.sydney, Self.sydney])
        #expect(reads == 2)
    }
}
