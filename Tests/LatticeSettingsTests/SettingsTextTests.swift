import Testing

@testable import LatticeSettings

/// The file of settings as people write it by hand.
@Suite struct SettingsTextTests {
    private func members(_ text: String) throws -> [SettingsText.Member] {
        try SettingsText.members(of: Array(text.utf8))
    }

    private func fault(_ text: String) -> SettingsText.Fault? {
        do throws(SettingsText.Fault) {
            _ = try SettingsText.members(of: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func remarksAndALastCommaAreFine() throws {
        let text = """
            // who I am
            { "name": "alice", /* of the
                 camp */ "port": 4000,
              "peer": ["a:1", "b:2",],
              "plain": true, "irc": { "tls": {} }, // done
            }
            """
        #expect(
            try members(text) == [
                .init(key: "name", line: 2, value: .text("alice")),
                .init(key: "port", line: 3, value: .number("4000")),
                .init(key: "peer", line: 4, value: .list([.text("a:1"), .text("b:2")])),
                .init(key: "plain", line: 5, value: .flag(true)),
                .init(key: "irc", line: 5, value: .object([.init(key: "tls", line: 5, value: .object([]))])),
            ])
        for empty in ["", " \n// nothing yet\n", "{}", "\u{FEFF}{}"] { #expect(try members(empty) == []) }
    }

    @Test func escapesAreReadAndTextIsTakenAsItIs() throws {
        #expect(
            try members(#"{"context": "a\"b\\c\u00e9\n grüß"}"#).first?.value == .text("a\"b\\cé\n grüß"))
    }

    @Test(arguments: [
        (#"{"a": 1 "b": 2}"#, 1), ("{\n\"a\" 1}", 2), ("{\"a\": 1", 1), ("{a: 1}", 1), ("[1]", 1), ("{} x", 1),
        ("{\"a\": null}", 1), ("{\n\n\"a\": yes}", 3), ("{\"a\": \"x\ny\"}", 1), ("{ /* x\n\n", 1),
        ("{\"a\": 1,\n\"a\": 2}", 2),
        ("{\"a\": \"\\ud800\"}", 1), ("{\"a\": \"\\x\"}", 1), ("{\"a\": -}", 1), ("/", 1), ("{\"a\":", 1),
        ("{\"a\": \"", 1),
    ])
    func whatIsWrongIsToldWithItsLine(text: String, line: Int) {
        #expect(fault(text)?.line == line, "\(text)")
    }

    @Test func noPrefixAndNoDepthBreaksTheReader() {
        let text = Array(#"{"a": [1, "x\u0041", {"b": true}], /* y */ "c": -1.5e3, // z"#.utf8)
        for count in 0...text.count { _ = fault(String(decoding: text[..<count], as: UTF8.self)) }
        #expect(fault(String(repeating: "{\"a\":", count: 10_000)) != nil)
        #expect(fault("{\"a\":" + String(repeating: "[", count: 10_000)) != nil)
    }
}
