import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire
import Synchronization
import Testing

@testable import LatticeNode

/// Machines whose clocks are wrong.
@Suite(.timeLimit(.minutes(10))) struct SkewTests {
    private static let day: Duration = .seconds(86_400)

    @Test func anAnswerStandsBehindItsQuestionWhateverTheClocksSay() async throws {
        let ahead = try await Chatter(try Home("alice"), clock: Self.day * 3)
        let behind = try await Chatter(try Home("bob"), clock: .zero - Self.day * 3)
        try await ahead.run {
            try await behind.run {
                try await behind.meet(ahead)
                let texts = ["who has water?", "I have", "where?", "at the gate"]
                for (number, text) in texts.enumerated() {
                    let (speaker, listener) = number % 2 == 0 ? (ahead, behind) : (behind, ahead)
                    try await speaker.say(text)
                    try await eventually("heard") { listener.lines.contains { $0.text == text } }
                }
                let late = try await Chatter(try Home("carol"))
                try await late.run {
                    try await late.meet(behind)
                    try await eventually("all lines") { try await late.history().count == 4 }
                    for chatter in [ahead, behind, late] {
                        try await eventually("stored") { try await chatter.history().count == 4 }
                        #expect(try await chatter.history().map(\.text) == texts)
                    }
                    // Nobody is shown a line from the days to come.
                    let now = Clocks.machine()
                    #expect(try await late.history().allSatisfy { $0.at <= now })
                    #expect(late.lines.allSatisfy { $0.at <= now })
                }
            }
        }
    }

    @Test func anAnswerStandsBehindItsQuestionWhereNobodyKeepsAnything() async throws {
        let ahead = try await Chatter(try Home("alice"), clock: Self.day * 3, keeps: false)
        let behind = try await Chatter(try Home("bob"), clock: .zero - Self.day * 3, keeps: false)
        let witness = try await Chatter(try Home("carol"))
        try await ahead.run {
            try await behind.run {
                try await witness.run {
                    try await behind.meet(ahead)
                    try await witness.meet(behind)
                    try await ahead.say("who has water?")
                    try await eventually("heard") { behind.lines.count == 1 }
                    try await behind.say("I have")
                    try await eventually("stored") { try await witness.history().count == 2 }
                    #expect(try await witness.history().map(\.text) == ["who has water?", "I have"])
                }
            }
        }
    }

    @Test func aMachineAt1970GoesByItsNeighbour() async throws {
        let start = Clocks.now
        let home = try Home("alice")
        let lost = try await Chatter(home) {
            WallTime(milliseconds: 12_000 + start.duration(to: Clocks.now).wholeMilliseconds)
        }
        let right = try await Chatter(try Home("bob"))
        try await lost.run {
            try await lost.say("before anybody came")
            #expect(lost.lines.allSatisfy { $0.at >= WallClock.earliest })
            try await right.run {
                try await right.meet(lost)
                try await eventually("it is reported") {
                    lost.notices.contains { if case .clockWrong(_, _, "bob"?) = $0 { true } else { false } }
                }
                let told = lost.notices.compactMap { notice -> WallTime? in
                    if case .clockWrong(let machine, _, _) = notice { machine } else { nil }
                }
                #expect(told.allSatisfy { $0.milliseconds < Self.day.wholeMilliseconds }, "\(told)")
                #expect(told.count <= 2)
                try await lost.say("now")
                try await eventually("heard") { right.lines.contains { $0.text == "now" } }
                let line = try #require(lost.lines.last)
                #expect(abs(line.at.milliseconds - Clocks.machine().milliseconds) < 60_000)
                // A peer with the right time is warned about the other's clock.
                try await eventually("bob is notified") { right.notices.contains { $0.code == "clockSkew" } }
                // A line from before its clock was set is heard, too. It is older than this node, so it is delivered once
                // the store has judged it, which on a slow disk is after the other.
                try await eventually("both lines") {
                    right.lines.map(\.text).sorted() == ["before anybody came", "now"]
                }
            }
        }
    }

    @Test func whoseClockIsOffIsToldToWhomItConcerns() async throws {
        let slow = try await Chatter(try Home("alice"), clock: .seconds(-43 * 60))
        let (bob, carol) = (try await Chatter(try Home("bob")), try await Chatter(try Home("carol")))
        try await slow.run {
            try await bob.run {
                try await carol.run {
                    try await bob.meet(slow)
                    try await eventually("bob is notified") { bob.notices.contains { $0.code == "clockSkew" } }
                    #expect(
                        bob.notices.contains {
                            if case .clockSkew(_, let seconds) = $0 { abs(seconds + 43 * 60) < 60 } else { false }
                        })
                    try await carol.meet(slow)
                    try await eventually("alice is notified") { slow.notices.contains { $0.code == "ownClockSkew" } }
                    let own = slow.notices.compactMap { notice -> (seconds: Int64, peers: Int)? in
                        if case .ownClockSkew(let seconds, let peers) = notice { (seconds, peers) } else { nil }
                    }
                    #expect(own.count == 1 && own.allSatisfy { abs($0.seconds + 43 * 60) < 60 && $0.peers == 2 })
                }
            }
        }
    }

    @Test func aClockThatLeapsIsToldOnce() async throws {
        let start = Clocks.now
        // Another day with every tenth of a second, so that any two looks see a leap.
        let chatter = try await Chatter(try Home("alice")) {
            let tenths = Int(start.duration(to: Clocks.now) / .milliseconds(100))
            return Clocks.machine().shifted(by: Self.day * tenths)
        }
        try await chatter.run {
            try await eventually("it is reported") { chatter.notices.contains { $0.code == "clockLeap" } }
            try await chatter.say("on")
            try await eventually("looked at again") { start.duration(to: Clocks.now) > .seconds(3) }
            #expect(chatter.notices.filter { $0.code == "clockLeap" }.count == 1)
        }
    }

    @Test func ownDatesDoNotGoBackWithTheClock() async throws {
        let home = try Home("alice")
        let ahead = try await Chatter(home, clock: Self.day)
        try await ahead.run { try await ahead.say("first") }
        let right = try await Chatter(home)
        try await right.run {
            try await right.say("second")
            _ = try await right.node.perform(ProfileChange(about: "here"))
            try await right.say("third")
            #expect(try await right.history().map(\.text) == ["first", "second", "third"])
        }
    }
}
