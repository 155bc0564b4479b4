import LatticeCore
import LatticeWire
import Testing

@testable import LatticeNode

/// How much is fetched before anybody asks.
struct FetchBudgetTests {
    private let now = Instant(nanoseconds: 1_000)
    private let ann = PeerID(Bytes32(words: (1, 0, 0, 0)))
    private let bob = PeerID(Bytes32(words: (2, 0, 0, 0)))

    private func photo(_ number: UInt64, bytes: Int64 = 100_000) throws -> BlobName {
        try #require(BlobName(root: Bytes32(words: (number, 0, 0, 0)), size: bytes))
    }

    private func limits(
        author: Int64 = 1 << 30, contacts: Int64 = 1 << 30, strangers: Int64 = 1 << 30, count: Int = 1_000
    ) -> FetchBudget.Limits {
        FetchBudget.Limits(
            authorBytes: author, contactsBytes: contacts, strangersBytes: strangers, countMax: count,
            givenUpAfter: .seconds(300))
    }

    @Test func anAuthorHasSoManyBytesADay() throws {
        var budget = FetchBudget(limits(author: 250_000))
        var taken: [Bool] = []
        for number in 0..<4 as Range<UInt64> {
            taken.append(budget.begin(try photo(number), by: ann, isContact: number == 1, at: now))
        }
        #expect(taken == [true, true, false, false])
        let other = budget.begin(try photo(9), by: bob, isContact: false, at: now)
        #expect(other)
        let day = now.advanced(by: .seconds(86_400))
        let early = budget.begin(try photo(3), by: ann, isContact: false, at: now.advanced(by: .seconds(86_399)))
        let later = budget.begin(try photo(3), by: ann, isContact: false, at: day)
        #expect(!early && later)
    }

    @Test(arguments: [true, false]) func contactsAndStrangersHaveTheirOwn(isContact: Bool) throws {
        var budget = FetchBudget(
            isContact ? limits(contacts: 200_000) : limits(strangers: 200_000))
        var taken: [Bool] = []
        for number in 0..<3 as Range<UInt64> {
            let author = PeerID(Bytes32(words: (number, 7, 0, 0)))
            taken.append(budget.begin(try photo(number), by: author, isContact: isContact, at: now))
        }
        #expect(taken == [true, true, false])
        let other = budget.begin(try photo(9), by: bob, isContact: !isContact, at: now)
        #expect(other)
    }

    @Test func soManyAreFetchedAtATime() throws {
        var budget = FetchBudget(limits(count: 2))
        let first = try photo(1)
        let taken = [
            budget.begin(first, by: ann, isContact: false, at: now),
            budget.begin(first, by: ann, isContact: false, at: now),
            budget.begin(try photo(2), by: ann, isContact: false, at: now),
            budget.begin(try photo(3), by: ann, isContact: false, at: now),
        ]
        #expect(taken == [true, false, true, false] && budget.isFull)
        budget.ended(first)
        let next = budget.begin(try photo(3), by: ann, isContact: false, at: now)
        #expect(next && budget.isFull)
    }

    @Test func whatIsTooLargeIsNotFetched() throws {
        var budget = FetchBudget()
        let taken = [
            budget.begin(try photo(1, bytes: BodyPhoto.bytesMax), by: ann, isContact: true, at: now),
            budget.begin(try photo(2, bytes: BodyPhoto.bytesMax + 1), by: ann, isContact: true, at: now),
        ]
        #expect(taken == [true, false])
    }

    /// A stranger who names photos that nobody has does not use up what others may get.
    @Test func whatNeverCameDoesNotCount() throws {
        var budget = FetchBudget(limits(author: 200_000))
        let (first, second) = (try photo(1), try photo(2))
        _ = budget.begin(first, by: ann, isContact: false, at: now)
        _ = budget.begin(second, by: ann, isContact: false, at: now)
        budget.progressed(second)
        let early = budget.givenUp(at: now.advanced(by: .seconds(299)))
        let late = budget.givenUp(at: now.advanced(by: .seconds(300)))
        #expect(early == [] && late == [first, second])
        let again = [
            budget.begin(first, by: ann, isContact: false, at: now),
            budget.begin(second, by: ann, isContact: false, at: now),
        ]
        #expect(again == [true, false], "some of the second came, and counts")
    }

    /// The table of authors is bounded by what a photo counts at least.
    @Test func tinyPhotosCountAsLargerOnes() throws {
        var budget = FetchBudget(limits(strangers: 4 * FetchBudget.chargedMin))
        var taken = 0
        for number in 0..<100 as Range<UInt64> {
            let author = PeerID(Bytes32(words: (number, 7, 0, 0)))
            if budget.begin(try photo(number, bytes: 1), by: author, isContact: false, at: now) { taken += 1 }
        }
        #expect(taken == 4)
    }
}
