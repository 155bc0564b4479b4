import LatticeChat
import LatticeCore
import Testing

struct TerminalEditorTests {
    private var editor = LineEditor()

    private mutating func type(_ text: String) -> [LineEditor.Action] {
        text.unicodeScalars.flatMap { editor.handle(.text($0)) }
    }

    private mutating func press(_ keys: Key...) -> [LineEditor.Action] {
        keys.flatMap { editor.handle($0) }
    }

    /// The line with the cursor drawn into it.
    private var shown: String { "\(editor.buffer.before)|\(editor.buffer.after)" }

    @Test mutating func typedTextStandsBeforeTheCursor() {
        #expect(type("héllo") == [])
        #expect(press(.left, .left) == [])
        #expect(type("X") == [])
        #expect(shown == "hélX|lo")
    }

    @Test mutating func theCursorNeverStandsInsideACluster() {
        _ = type("a👩‍👩‍👧e\u{301}🇩🇪b")
        _ = press(.left, .left)
        #expect(shown == "a👩‍👩‍👧e\u{301}|🇩🇪b")
        _ = press(.backspace, .backspace)
        #expect(shown == "a|🇩🇪b")
        _ = press(.delete)
        #expect(shown == "a|b")
        _ = type("\u{301}")
        #expect(shown == "a\u{301}|b")
    }

    @Test mutating func aHalfThatJoinsWhatFollowsTakesTheCursorAlong() {
        _ = type("🇷🇽")
        _ = press(.home)
        _ = type("🇫")
        #expect(shown == "🇫🇷|🇽")
    }

    @Test mutating func theCursorMovesByCharacterWordAndLine() {
        _ = type("one two.three  four")
        _ = press(.control("a"))
        #expect(shown == "|one two.three  four")
        _ = press(.alt("f"))
        #expect(shown == "one| two.three  four")
        _ = press(.wordRight, .wordRight)
        #expect(shown == "one two.three|  four")
        _ = press(.control("f"), .control("b"), .control("b"))
        #expect(shown == "one two.thre|e  four")
        _ = press(.control("e"), .alt("b"), .wordLeft)
        #expect(shown == "one two.|three  four")
        _ = press(.home, .left, .end, .right)
        #expect(shown == "one two.three  four|")
    }

    @Test mutating func killsGatherAndAreYanked() {
        _ = type("one two three")
        #expect(press(.control("w"), .control("w")) == [])
        #expect(shown == "one |")
        _ = press(.control("y"))
        #expect(shown == "one two three|")
        _ = press(.altBackspace, .left, .control("y"))
        #expect(shown == "one twothree| ")
        _ = press(.control("u"))
        #expect(shown == "| ")
        _ = press(.control("y"), .control("a"), .alt("d"), .control("k"), .control("y"))
        #expect(shown == "one twothree |")
    }

    @Test mutating func aKillOfNothingDoesNotJoinLaterOnes() {
        _ = type("ab")
        _ = press(.control("u"), .control("y"))
        #expect(press(.control("k")) == [.bell])
        _ = press(.control("u"), .control("y"), .control("y"))
        #expect(shown == "abab|")
    }

    @Test mutating func controlWTakesWhatLiesBetweenBlanksAndAltBackspaceALetterWord() {
        _ = type("see a/b-c ")
        _ = press(.control("w"))
        #expect(shown == "see |")
        _ = press(.control("y"), .altBackspace)
        #expect(shown == "see a/b-|")
    }

    @Test mutating func controlTChangesTheCharactersAround() {
        _ = type("abc")
        _ = press(.control("t"))
        #expect(shown == "acb|")
        _ = press(.left, .left, .control("t"))
        #expect(shown == "ca|b")
        #expect(press(.home, .control("t")) == [.bell])
    }

    @Test mutating func controlDDeletesOrEndsTheInput() {
        #expect(press(.control("d")) == [.endOfInput])
        _ = type("ab")
        #expect(press(.control("d")) == [.bell])
        #expect(press(.home, .control("d")) == [])
        #expect(shown == "|b")
    }

    @Test mutating func signalsAreReportedAndLeaveTheLine() {
        _ = type("ab")
        #expect(press(.control("z"), .control("l")) == [.suspend, .clearScreen])
        #expect(shown == "ab|")
    }

    @Test mutating func controlCClearsTheLineAndOnlyAnEmptyOneLeaves() {
        _ = type("ab c")
        #expect(press(.left, .control("c")) == [.discardedLine])
        #expect(shown == "|")
        #expect(press(.control("c")) == [.interrupt])
        #expect(press(.control("y")) == [])
        #expect(shown == "ab c|", "what was cleared by mistake comes back")
        #expect(press(.control("u"), .control("r"), .control("c")) == [.interrupt])
    }

    @Test mutating func enterSubmitsTheWholeLine() {
        _ = type("ab")
        #expect(press(.left, .enter, .enter) == [.submitted("ab"), .submitted("")])
        #expect(editor.history.entries == ["ab"])
    }

    @Test mutating func arrowsWalkTheHistoryAndKeepTheDraft() {
        editor = LineEditor(history: LineHistory(["one", "two"]))
        _ = type("draft")
        _ = press(.left)
        #expect(press(.up) == [])
        #expect(shown == "two|")
        #expect(press(.control("p"), .up) == [.bell])
        #expect(shown == "one|")
        #expect(press(.down, .control("n"), .down) == [.bell])
        #expect(shown == "draf|t")
    }

    @Test mutating func upOnAnEmptyLineBringsTheLastLineToEdit() {
        editor = LineEditor(history: LineHistory(["one", "two"]), lineBytesMax: 20)
        editor.edit = "/edit 12 two"
        #expect(press(.up) == [])
        #expect(shown == "/edit 12 two|")
        #expect(press(.up) == [])
        #expect(shown == "two|")
        #expect(press(.down) == [])
        #expect(shown == "|")
        #expect(press(.up, .down) == [])
        #expect(shown == "|")
        // What is being typed is no empty line.
        _ = type("draft")
        _ = press(.up)
        #expect(shown == "two|")
        _ = press(.control("c"))
        // It does not fit on a line.
        editor.edit = "/edit 12 a line of more"
        _ = press(.up)
        #expect(shown == "two|")
        _ = press(.down)
        editor.edit = nil
        _ = press(.up)
        #expect(shown == "two|")
    }

    @Test mutating func tabGoesThroughCandidatesThatWalk() {
        let completion = Completion(replaceLength: 2, candidates: ["👍", "three", "e\u{301}"], suffix: " ", walks: true)
        _ = type("a :t")
        func tab() -> [LineEditor.Action] { editor.handle(.tab) { _ in completion } }
        for expected in ["a 👍 |", "a three |", "a é |", "a 👍 |"] {
            #expect(tab() == [])
            #expect(shown == expected)
        }
        // Another key ends it.
        _ = type("x:")
        #expect(tab() == [])
        #expect(shown == "a 👍 👍 |")
        _ = press(.backspace, .backspace)
        #expect(shown == "a 👍 |")
    }

    @Test mutating func aCandidateThatIsTooLongLeavesTheLine() {
        editor = LineEditor(lineBytesMax: 8)
        let completion = Completion(replaceLength: 1, candidates: ["ab", "abcdefghi", "c"], suffix: "", walks: true)
        _ = type(":")
        func tab() -> [LineEditor.Action] { editor.handle(.tab) { _ in completion } }
        #expect(tab() == [])
        #expect(tab() == [.bell, .refused(.lineTooLong(bytesMax: 8))])
        #expect(shown == "ab|")
        #expect(tab() == [])
        #expect(shown == "c|")
    }

    @Test mutating func aSearchFindsOlderAndOlderLines() {
        editor = LineEditor(history: LineHistory(["make tea", "make coffee", "drink"]))
        _ = type("draft")
        _ = press(.control("r"))
        #expect(editor.searchPrompt == "(reverse-i-search)`': ")
        #expect(type("make") == [])
        #expect(editor.searchPrompt == "(reverse-i-search)`make': ")
        #expect(shown == "|make coffee")
        #expect(press(.control("r")) == [])
        #expect(shown == "|make tea")
        #expect(press(.control("r")) == [.bell])
        #expect(editor.searchPrompt == "(failed reverse-i-search)`make': ")
        #expect(press(.control("g")) == [])
        #expect(shown == "draft|")
    }

    @Test mutating func otherKeysAcceptWhatWasFoundAndAct() {
        editor = LineEditor(history: LineHistory(["make tea", "make coffee"]))
        _ = press(.control("r"))
        _ = type("tea")
        #expect(press(.end) == [])
        #expect(editor.searchPrompt == nil)
        #expect(shown == "make tea|")
        #expect(press(.down) == [])
        #expect(shown == "make coffee|")
        #expect(press(.control("r"), .control("r"), .enter) == [.submitted("make tea")])
    }

    @Test mutating func takingBackALetterSearchesAnew() {
        editor = LineEditor(history: LineHistory(["ab", "ac"]))
        _ = press(.control("r"))
        _ = type("ab")
        #expect(shown == "|ab")
        _ = press(.backspace)
        #expect(shown == "|ac")
        #expect(press(.backspace, .backspace, .control("c")) == [.bell, .interrupt])
        #expect(shown == "|")
    }

    @Test mutating func tabPutsInWhatIsCertainAndListsTheRest() {
        let names = { (before: String) in
            let word = before.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
            let fitting = ["anna", "annette", "bert"].filter { $0.hasPrefix(word) }
            return Completion(replaceLength: word.count, candidates: fitting, suffix: ": ")
        }
        _ = type("b")
        #expect(editor.handle(.tab, completing: names) == [])
        #expect(shown == "bert: |")
        _ = type("a")
        #expect(editor.handle(.tab, completing: names) == [])
        #expect(shown == "bert: ann|")
        #expect(editor.handle(.tab, completing: names) == [.list(["anna", "annette"])])
        _ = type("x")
        #expect(editor.handle(.tab, completing: names) == [.bell])
        _ = press(.backspace)
        #expect(editor.handle(.tab, completing: names) == [.bell])
        #expect(editor.handle(.tab, completing: names) == [.list(["anna", "annette"])])
    }

    @Test mutating func aLineHoldsNoMoreBytesThanItsLimit() {
        editor = LineEditor(lineBytesMax: 6)
        #expect(type("漢字") == [])
        #expect(type("a") == [.bell, .refused(.lineTooLong(bytesMax: 6))])
        _ = press(.control("w"), .control("y"))
        #expect(press(.control("y")) == [.bell, .refused(.lineTooLong(bytesMax: 6))])
        let completion = { (_: String) in Completion(replaceLength: 1, candidates: ["abcd"]) }
        #expect(editor.handle(.tab, completing: completion) == [.bell, .refused(.lineTooLong(bytesMax: 6))])
        #expect(shown == "漢字|")
    }

    @Test mutating func aLineThatCannotBeSentStaysToBeShortened() {
        editor = LineEditor(lineBytesMax: 12, textBytesMax: 8)
        _ = type("123456789")
        #expect(press(.enter) == [.bell, .refused(.lineTooLong(bytesMax: 8))])
        #expect(shown == "123456789|")
        _ = press(.control("u"))
        _ = type("/me 12345678")
        #expect(press(.enter) == [.submitted("/me 12345678")], "a command may be longer by its word")
    }

    @Test mutating func whatCouldTurnTheLineAroundIsNotTaken() {
        _ = type("a\u{202E}b\u{2028}c\u{200D}")
        #expect(shown == "abc\u{200D}|")
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    mutating func randomKeysKeepTheLineWithinItsBounds(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        editor = LineEditor(history: LineHistory(["one", "two 漢字", "three"]), lineBytesMax: 60)
        let others: [Key] = [
            .up, .down, .left, .right, .wordLeft, .wordRight, .home, .end, .backspace, .delete, .tab, .escape,
            .altBackspace, .alt("d"), .enter, .paste("x 🇩🇪\ny", isTruncated: false),
        ]
        let scalars = Array("ab 漢é🇩🇪\u{301}\u{200D}👩️".unicodeScalars)
        for _ in 0..<400 {
            let key: Key =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: others.randomElement(using: &random)!
                case 1: .control("abcdefghklnprtuwyz".randomElement(using: &random)!)
                default: .text(scalars.randomElement(using: &random)!)
                }
            _ = editor.handle(key) { _ in Completion(replaceLength: 2, candidates: ["abc", "abd"]) }
            let buffer = editor.buffer
            #expect(buffer.bytes <= 60)
            #expect(buffer.before.count + buffer.after.count == buffer.text.count, "\(seed): \(shown)")
        }
        #expect(editor.history.entries.count <= LineHistory.entriesMax)
    }
}
