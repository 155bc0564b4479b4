import LatticeChat
import Testing

@Suite struct WordSplitterTests {
    @Test(arguments: [
        ("", []), ("   ", []), ("one", ["one"]), ("  one\ttwo ", ["one", "two"]),
        ("don't drink it", ["don't", "drink", "it"]), ("--at \"40.7, -74\" x", ["--at", "40.7, -74", "x"]),
        ("a\"b c\"d", ["ab cd"]), ("\"\"", [""]), ("say \\\"hi\\\"", ["say", "\"hi\""]), ("\"a \\\" b\"", ["a \" b"]),
        ("a\\\\b", ["a\\b"]), ("a\\b", ["a\\b"]), ("--x=\"a b\"", ["--x=a b"]), ("👩‍👩‍👧 naïve", ["👩‍👩‍👧", "naïve"]),
    ])
    func aLineIsCutAsAPersonMeansIt(line: String, words: [String]) throws {
        #expect(try WordSplitter.words(of: line) == words)
    }

    @Test(arguments: [
        ("--about 'camp doctor' x", ["--about", "camp doctor", "x"]), ("--about='a b'", ["--about=a b"]),
        ("--about 'tis", ["--about", "'tis"]), ("don't 'a b'", ["don't", "'a", "b'"]),
    ])
    func theValueOfAnOptionMayStandInSingleQuotes(line: String, words: [String]) throws {
        #expect(try WordSplitter.words(of: line) == words)
    }

    @Test(arguments: [
        ("", 0, []), ("it's \"late\"", 0, ["--", "it's \"late\""]), ("a  b\\\\c", 0, ["--", "a  b\\\\c"]),
        ("id  one  two ", 1, ["id", "--", "one  two"]), ("id", 1, ["id"]),
        ("one --at \"40, -7\" two", 0, ["--at=40, -7", "--", "one two"]), ("-- --at x", 0, ["--", "--at x"]),
        ("one -- two", 0, ["--", "one -- two"]), ("--x --y 'it's so' z", 0, ["--x", "--y=it's so", "--", "z"]),
        ("--x \"a \\\"b\\\" c\"", 0, ["--x=a \"b\" c"]), ("--", 0, []), ("--x=-5 y", 0, ["--x=-5", "--", "y"]),
    ])
    func freeTextStaysAsItWasTyped(line: String, wordsBefore: Int, words: [String]) throws {
        #expect(try WordSplitter.arguments(of: line, wordsBefore: wordsBefore) == words)
    }

    @Test(arguments: ["\"", "a \"b c", "\"a\\\""])
    func aQuoteThatIsNotClosedIsAMistake(line: String) {
        #expect(throws: WordSplitter.Fault.openQuote) { try WordSplitter.words(of: line) }
    }
}
