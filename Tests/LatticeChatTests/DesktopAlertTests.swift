import LatticeCore
import Testing

@testable import LatticeChat

/// Alerts on the desktop, and when they come.
@Suite struct DesktopAlertTests {
    private func sequence(_ text: String, _ passage: DesktopAlert.Passage = .direct) -> String {
        DesktopAlert(text, isElsewhere: false).sequence(passage)
    }

    @Test func itIsSaidInBothWaysThatTerminalsKnow() {
        #expect(
            sequence("bob: at nine; or ten")
                == "\u{1B}]9;bob: at nine; or ten\u{07}\u{1B}]777;notify;lattice;bob: at nine, or ten\u{07}")
    }

    @Test func multiplexersAreAskedToPassItOn() {
        #expect(sequence("hi", .tmux).hasPrefix("\u{1B}Ptmux;\u{1B}\u{1B}]9;hi\u{07}\u{1B}\\\u{1B}Ptmux;"))
        #expect(sequence("hi", .screen).hasPrefix("\u{1B}P\u{1B}]9;hi\u{07}\u{1B}\\\u{1B}P"))
        for (environment, shown) in [
            (["TMUX": "/tmp/tmux,1,0"], "tmux"), (["STY": "12.pts"], "screen"), (["TMUX": "", "STY": ""], "direct"),
            (["TMUX": "x", "STY": "y"], "tmux"),
        ] {
            #expect("\(DesktopAlert.Passage(environment: { environment[$0] }))" == shown)
        }
    }

    @Test(arguments: Samples.hostileTexts + ["4;1;50", "\u{1B}]0;title\u{07}", String(repeating: "x", count: 9_000)])
    func strangersTextIsOnlyText(text: String) {
        let shown = sequence(text)
        let inside = shown.split(separator: "\u{1B}]", omittingEmptySubsequences: false).dropFirst()
        #expect(inside.count == 2 && inside.allSatisfy { $0.hasSuffix("\u{07}") })
        for part in inside {
            let scalars = part.dropLast().unicodeScalars
            #expect(scalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
            #expect(part.count < 250)
        }
        #expect(!shown.hasPrefix("\u{1B}]9;4"))
    }

    @Test func focusIsKnownOnceItIsReported() {
        var terminal = LineTerminal(prompt: "> ", columns: 40, rows: 12)
        #expect(terminal.enter().contains("\u{1B}[?1004h") && terminal.hasFocus == nil)
        _ = terminal.feed(Array("\u{1B}[O".utf8))
        #expect(terminal.hasFocus == false)
        let typed = terminal.feed(Array("\u{1B}[Ihi\r".utf8))
        #expect(terminal.hasFocus == true && typed.events == [.submitted("hi")])
        #expect(terminal.leave().contains("\u{1B}[?1004l"))
    }

    @Test func ofAFloodOfAlertsSomeAreLeftOutUntilItIsOver() {
        var pace = AlertPace()
        func at(_ seconds: Int) -> Instant { Instant.zero.advanced(by: .seconds(seconds)) }
        #expect((0..<100).count { _ in pace.lets(at: at(1)) } == AlertPace.shownMax)
        #expect((11..<111).count { pace.lets(at: at($0)) } == 100)
    }

    @Test func manyNotificationsAreSummedUp() {
        var pace = NotificationPace()
        func at(_ seconds: Int) -> Instant { Instant.zero.advanced(by: .seconds(seconds)) }
        let shown = (0..<100).count { _ in pace.lets(at: at(1)) }
        #expect(shown == NotificationPace.shownMax && pace.isWaiting && pace.passed(at: at(5)) == nil)
        #expect(pace.passed(at: at(11)) == 95 && !pace.isWaiting)
        // The flood goes on: the next interval has one line only.
        #expect(!pace.lets(at: at(12)) && pace.passed(at: at(22)) == 1)
        #expect(pace.passed(at: at(40)) == nil && pace.lets(at: at(40)))
    }
}
