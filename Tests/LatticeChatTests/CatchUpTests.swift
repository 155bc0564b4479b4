import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// What a person sees of lines that were said while they were away, and when.
@Suite struct CatchUpTests {
    private var catchUp = CatchUp()
    private let lobby: RoomName
    private let park: RoomName

    init() throws {
        (lobby, park) = (try RoomName("#lobby"), try RoomName("#park"))
    }

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    private func progress(_ fetched: Int, of total: Int, isCaughtUp: Bool = false, peers: Int = 3) -> SyncProgress {
        SyncProgress(isCaughtUp: isCaughtUp, fetched: fetched, total: total, peers: peers)
    }

    private func late(_ text: String, room: String = "#lobby") throws -> Message {
        try Samples.message(text, room: room, isLate: true)
    }

    private func post(_ number: Int64) -> CatchUp.LatePost {
        let at = WallTime(milliseconds: 1_000_000 - number)
        return CatchUp.LatePost(
            ItemInfo(
                id: Samples.record("\(number)"), short: "a1b2c3", kind: .post, state: .shown, author: Samples.peer(2),
                authorName: "bob", at: at, expires: at), shown: "bob")
    }

    // MARK: - Lines

    @Test mutating func lateLinesAreShownTogetherWhenCaughtUp() throws {
        let lines = [try late("one"), try late("two")]
        let other = try late("three", room: "#park")
        for line in lines + [other] { #expect(catchUp.handle(.line(line), at: at(0)) == []) }
        #expect(catchUp.isWaiting)
        let end = progress(3, of: 3, isCaughtUp: true)
        #expect(
            catchUp.handle(.progress(end), at: at(10)) == [
                .lines(lobby, lines, count: 2), .lines(park, [other], count: 1), .caughtUp(end),
            ])
        #expect(!catchUp.isWaiting)
        #expect(catchUp.handle(.tick, at: at(60_000)) == [])
    }

    @Test mutating func pinsThatAreFetchedAreShownOnceForEachRoom() throws {
        for room in [lobby, park, lobby] { #expect(catchUp.handle(.pins(room), at: at(0)) == []) }
        #expect(catchUp.isWaiting)
        #expect(catchUp.handle(.tick, at: at(2_000)) == [.pins(lobby), .pins(park)])
        #expect(!catchUp.isWaiting)
    }

    @Test mutating func aGatheredLineIsShownAsItIsByThen() throws {
        var line = try late("at nien")
        _ = catchUp.handle(.line(line), at: at(0))
        line.isEdited = true
        let isHeld = catchUp.change(line)
        #expect(isHeld)
        let isOtherHeld = catchUp.change(try late("shown long ago"))
        #expect(!isOtherHeld)
        #expect(catchUp.handle(.leaving, at: at(1)) == [.lines(lobby, [line], count: 1)])
        let isHeldAgain = catchUp.change(line)
        #expect(!isHeldAgain)
    }

    @Test mutating func lateLinesWaitForTwoSecondsOfSilence() throws {
        let lines = [try late("one"), try late("two")]
        #expect(catchUp.handle(.line(lines[0]), at: at(0)) == [])
        #expect(catchUp.handle(.tick, at: at(1_999)) == [])
        #expect(catchUp.handle(.line(lines[1]), at: at(1_999)) == [])
        #expect(catchUp.handle(.tick, at: at(3_998)) == [])
        #expect(catchUp.handle(.tick, at: at(3_999)) == [.lines(lobby, lines, count: 2)])
        #expect(catchUp.handle(.tick, at: at(9_000)) == [])
    }

    @Test mutating func ofVeryManyLinesTheNewestAreKeptAndAllAreCounted() throws {
        let lines = try (0..<CatchUp.linesMax + 7).map { try late("\($0)") }
        for line in lines { #expect(catchUp.handle(.line(line), at: at(0)) == []) }
        #expect(
            catchUp.handle(.leaving, at: at(1)) == [
                .lines(lobby, Array(lines.suffix(CatchUp.linesMax)), count: CatchUp.linesMax + 7)
            ])
    }

    // MARK: - Posts

    @Test mutating func fivePostsAreToldByTheirDatesAndSixAsANumber() {
        for number in 1...5 { #expect(catchUp.handle(.post(post(Int64(number))), at: at(0)) == []) }
        #expect(catchUp.handle(.tick, at: at(2_000)) == [.posts([5, 4, 3, 2, 1].map(post))])
        for number in 1...6 { #expect(catchUp.handle(.post(post(Int64(number))), at: at(3_000)) == []) }
        #expect(catchUp.handle(.tick, at: at(5_000)) == [.manyPosts(6)])
    }

    // MARK: - The bar

    @Test mutating func muchToFetchShowsABarUntilItIsDone() {
        #expect(catchUp.handle(.progress(progress(0, of: 20)), at: at(0)) == [])
        #expect(catchUp.handle(.progress(progress(1, of: 21)), at: at(1)) == [.bar(progress(1, of: 21))])
        #expect(catchUp.handle(.progress(progress(9, of: 12)), at: at(2)) == [.bar(progress(9, of: 12))])
        let end = progress(21, of: 21, isCaughtUp: true)
        #expect(catchUp.handle(.progress(end), at: at(3)) == [.bar(nil), .caughtUp(end)])
    }

    @Test mutating func littleThatTakesLongShowsABarToo() {
        #expect(catchUp.handle(.progress(progress(1, of: 3)), at: at(0)) == [])
        #expect(catchUp.handle(.tick, at: at(1_000)) == [])
        #expect(catchUp.handle(.tick, at: at(1_001)) == [.bar(progress(1, of: 3))])
        #expect(catchUp.handle(.tick, at: at(2_000)) == [])
    }

    @Test mutating func aBarThatStandsStillGoes() {
        #expect(catchUp.handle(.progress(progress(1, of: 30)), at: at(0)) == [.bar(progress(1, of: 30))])
        #expect(catchUp.handle(.tick, at: at(9_999)) == [])
        #expect(catchUp.handle(.tick, at: at(10_000)) == [.bar(nil)])
        #expect(!catchUp.isWaiting)
    }

    @Test mutating func whoIsAloneSeesNoBarAndWhatCameSoFar() throws {
        let line = try late("one")
        #expect(catchUp.handle(.progress(progress(1, of: 30)), at: at(0)) == [.bar(progress(1, of: 30))])
        #expect(catchUp.handle(.line(line), at: at(1)) == [])
        #expect(catchUp.handle(.alone, at: at(2)) == [.bar(nil), .lines(lobby, [line], count: 1)])
        #expect(!catchUp.isWaiting)
    }

    @Test mutating func whatIsComparedAnewShowsNoBarOfNothing() {
        #expect(catchUp.handle(.progress(progress(0, of: 3)), at: at(0)) == [])
        #expect(catchUp.handle(.progress(progress(0, of: 0)), at: at(500)) == [])
        #expect(catchUp.handle(.tick, at: at(1_500)) == [])
        let end = progress(1, of: 1, isCaughtUp: true)
        #expect(catchUp.handle(.progress(end), at: at(2_000)) == [.caughtUp(end)])
        #expect(!catchUp.isWaiting)
    }

    @Test mutating func comparingAloneIsNoProgress() {
        #expect(catchUp.handle(.progress(progress(0, of: 0)), at: at(0)) == [])
        #expect(!catchUp.isWaiting)
    }

    // MARK: - The line at the end

    @Test mutating func whatCameIsToldOnceAndStrayRecordsLaterAreNot() {
        let end = progress(3, of: 3, isCaughtUp: true)
        #expect(catchUp.handle(.progress(end), at: at(0)) == [.caughtUp(end)])
        let stray = progress(1, of: 1, isCaughtUp: true)
        #expect(catchUp.handle(.progress(stray), at: at(60_000)) == [])
        #expect(catchUp.handle(.alone, at: at(70_000)) == [])
        #expect(catchUp.handle(.progress(stray), at: at(80_000)) == [.caughtUp(stray)])
    }

    @Test mutating func nothingThatCameIsNothingToTell() {
        #expect(catchUp.handle(.progress(progress(0, of: 0, isCaughtUp: true)), at: at(0)) == [])
        #expect(catchUp.handle(.progress(progress(2, of: 2, isCaughtUp: true)), at: at(1)) == [])
    }

    @Test mutating func whoAskedIsToldThatNothingCame() {
        let end = progress(0, of: 0, isCaughtUp: true)
        #expect(catchUp.handle(.asked, at: at(0)) == [])
        #expect(catchUp.handle(.progress(end), at: at(1)) == [.caughtUp(end)])
        #expect(catchUp.handle(.progress(end), at: at(2)) == [])
        #expect(!catchUp.isWaiting)
    }

    @Test mutating func whoAskedAndHearsNothingHasTheNodeAskedUntilAMinuteIsOver() {
        #expect(catchUp.handle(.asked, at: at(0)) == [])
        #expect(catchUp.handle(.tick, at: at(1_499)) == [])
        #expect(catchUp.handle(.tick, at: at(1_500)) == [.statusWanted(isLast: false)])
        #expect(catchUp.handle(.tick, at: at(2_999)) == [])
        #expect(catchUp.handle(.progress(progress(1, of: 9)), at: at(2_999)) == [])
        #expect(catchUp.handle(.tick, at: at(4_400)) == [.bar(progress(1, of: 9))])
        #expect(catchUp.handle(.tick, at: at(4_499)) == [.statusWanted(isLast: false)])
        #expect(catchUp.handle(.tick, at: at(60_000)) == [.bar(nil), .statusWanted(isLast: true)])
        #expect(!catchUp.isWaiting)
    }

    @Test mutating func whoAskedIsAnsweredWhenEverybodyLeaves() {
        #expect(catchUp.handle(.asked, at: at(0)) == [])
        #expect(catchUp.handle(.alone, at: at(1)) == [.statusWanted(isLast: true)])
        #expect(!catchUp.isWaiting)
    }
}
