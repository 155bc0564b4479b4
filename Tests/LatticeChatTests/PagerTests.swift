import LatticeChat
import Testing

/// What is longer than a screen.
struct PagerTests {
    private var pager = Pager()

    @Test mutating func whatFitsIsShownAtOnce() {
        #expect(pager.begin(["one", "two"], rows: 4) == ["one", "two"])
        #expect(!pager.isOpen && pager.prompt == nil)
        let isTaken = pager.takes("q")
        #expect(!isTaken, "a line is said")
    }

    @Test mutating func enterShowsPageAfterPage() {
        let lines = (1...5).map(String.init)
        #expect(pager.begin(lines, rows: 4) == ["1", "2"])
        #expect(pager.prompt == "More (3 lines): Enter shows it, q stops: ")
        let isTaken = pager.takes("")
        #expect(isTaken)
        #expect(pager.turn(rows: 4) == ["3", "4"])
        #expect(pager.turn(rows: 4) == ["5"])
        #expect(!pager.isOpen)
    }

    @Test(arguments: [("q", true), ("hello", false)])
    mutating func anotherLineEndsItAndQIsNotSaid(line: String, isTaken: Bool) {
        _ = pager.begin(["1", "2", "3"], rows: 3)
        let wasTaken = pager.takes(line)
        #expect(wasTaken == isTaken)
        #expect(!pager.isOpen)
    }

    @Test mutating func controlCClosesItFirst() {
        _ = pager.begin(["1", "2", "3"], rows: 3)
        let (first, second) = (pager.close(), pager.close())
        #expect(first && !second)
    }
}
