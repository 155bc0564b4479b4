import LatticeChat
import LatticeCore
import Testing

/// What was probably meant.
struct SpellingTests {
    private let words = ["join", "part", "peers", "ping", "quit", "unignore"]

    @Test func aWordItselfAndItsOnlyBeginningAreFound() {
        #expect(Spelling.nearest(to: "join", among: words) == "join")
        #expect(Spelling.nearest(to: "u", among: words) == "unignore")
        #expect(Spelling.nearest(to: "pa", among: words) == "part")
    }

    @Test func oneSlipIsForgiven() {
        for slip in ["jon", "joiin", "jxin", "jion", "ojin"] {
            #expect(Spelling.nearest(to: slip, among: words) == "join")
        }
    }

    @Test func longWordsForgiveAThirdOfTheirLetters() {
        #expect(Spelling.nearest(to: "unigore", among: words) == "unignore")
        #expect(Spelling.nearest(to: "nuignroe", among: words) == "unignore")
        #expect(Spelling.nearest(to: "unxxxore", among: words) == nil)
    }

    @Test func whatIsFarFromEverythingIsNothing() {
        #expect(Spelling.nearest(to: "xyzzy", among: words) == nil)
        #expect(Spelling.nearest(to: "p", among: words) == nil)
        #expect(Spelling.nearest(to: "", among: words) == nil)
        #expect(Spelling.nearest(to: "join", among: []) == nil)
        #expect(Spelling.nearest(to: String(repeating: "j", count: 65), among: words) == nil)
    }

    @Test func accentsAndEmojiCountAsOneLetter() {
        #expect(Spelling.nearest(to: "zo\u{308}e", among: ["zoe"]) == "zoe")
        #expect(Spelling.nearest(to: "bob", among: ["b👩‍👩‍👧b"]) == "b👩‍👩‍👧b")
    }
}

/// What Tab may put in.
struct CompleterTests {
    private let completer: Completer

    init() throws {
        completer = Completer(
            names: ["bob", "Bobby", "zoë", "bob#yryy"], rooms: try ["#lobby", "#park"].map(RoomName.init))
    }

    @Test func whatFollowsSyncIsCompleted() throws {
        let completer = Completer(names: ["nora"], rooms: [try RoomName("#park")])
        #expect(completer.complete("/sync s").candidates == ["status"])
        #expect(completer.complete("/sync ").candidates == ["now", "status"])
        #expect(completer.complete("/sync status n").candidates == ["nora"])
        #expect(completer.complete("/history #p").candidates == ["#park"])
    }

    @Test func whoIsAwayIsCompletedWhereOneTalksWithOneAlone() {
        let completer = Completer(names: ["nora"], rooms: [], addressees: ["nora", "ned", "Eve the 2nd"])
        for word in ["/msg", "/query", "/MSG"] {
            #expect(completer.complete("\(word) n").candidates == ["nora", "ned"])
            #expect(completer.complete("\(word) ev").candidates == ["\"Eve the 2nd\""])
        }
        #expect(completer.complete("/msg nora n").candidates == ["nora"])
        #expect(completer.complete("/whois ne").candidates == [])
    }

    @Test func emojiAreCompletedByTheirNames() {
        func found(_ before: String) -> [String] { completer.complete(before).candidates }
        #expect(
            completer.complete("yes :thumb")
                == Completion(replaceLength: 6, candidates: ["👍", "👎"], suffix: " ", walks: true))
        #expect(found("/react 3 :+1:") == ["👍"] && found("/react :Thumbs_Up:") == ["👍"])
        #expect(found(":x").first == "❌" && found(":hear").contains("❤️"))
        for none in [":", "::", ":)", "a:thumb", ":nothing_of_this_name", ":nothing_of_this_name:"] {
            #expect(found(none).isEmpty, "\(none)")
        }
    }

    @Test func aCommandIsCompletedAtTheStartOfTheLineOnly() {
        #expect(completer.complete("/uni") == Completion(replaceLength: 4, candidates: ["/unignore"], suffix: " "))
        #expect(completer.complete("/P").candidates == ["/part", "/pin", "/peers", "/ping"])
        #expect(completer.complete("/").candidates.count == CommandWord.allCases.count)
        #expect(completer.complete("/j").candidates == ["/join", "/j"])
        #expect(completer.complete("say /un").candidates.isEmpty)
        #expect(completer.complete("//un").candidates.isEmpty)
    }

    @Test func aNameAtTheStartOfTheLineGetsAColon() {
        #expect(
            completer.complete("bo")
                == Completion(replaceLength: 2, candidates: ["bob", "Bobby", "bob#yryy"], suffix: ": "))
        #expect(completer.complete("ask zo") == Completion(replaceLength: 2, candidates: ["zoë"], suffix: " "))
        #expect(completer.complete("/whois BOBB").candidates == ["Bobby"])
        #expect(completer.complete("tell\u{3000}bobb").replaceLength == 4)
    }

    @Test func roomsAreCompletedBehindTheirMark() {
        #expect(completer.complete("/join #P") == Completion(replaceLength: 2, candidates: ["#park"], suffix: " "))
        #expect(completer.complete("#").candidates == ["#lobby", "#park"])
    }

    @Test func withoutABeginningThereIsNothingToComplete() {
        for before in ["", "hello ", "/join ", "nobody-is-called-so", "\t"] {
            #expect(completer.complete(before).candidates.isEmpty)
        }
    }

    @Test func lengthsCountWhatAPersonCounts() {
        #expect(completer.complete("hi zoe\u{308}").replaceLength == 3)
        #expect(completer.complete("hi zoe\u{308}").candidates == ["zoë"])
    }
}
