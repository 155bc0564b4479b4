import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// What a typed line means.
struct LineParserTests {
    @Test func everyCommandIsUnderstood() throws {
        let park = try RoomName("#park")
        let commands: [(String, SlashCommand)] = [
            ("/help", .help(nil)), ("/help nick", .help("nick")), ("/nick eve", .nick(try PeerName("eve"))),
            ("/me waves", .me("waves")), ("/join #park", .join(park)), ("/part", .part(nil)),
            ("/part #park", .part(park)), ("/rooms", .rooms), ("/names", .names(nil)), ("/names #park", .names(park)),
            ("/history", .history(nil, nil)), ("/history 200", .history(nil, 200)),
            ("/history park", .history(park, nil)), ("/history #park 10000", .history(park, 10_000)),
            ("/history 1 #park", .history(park, 1)), ("/sync", .sync), ("/sync now", .sync),
            ("/sync Status", .syncStatus),
            ("/peers", .peers), ("/whois bob", .whois("bob")), ("/ping bob", .ping("bob")),
            ("/trace bob", .trace("bob")), ("/ignore", .ignore(nil)), ("/ignore bob", .ignore("bob")),
            ("/unignore bob", .unignore("bob")), ("/connect 10.0.0.1:4000", .connect("10.0.0.1:4000")),
            ("/accept bob", .accept("bob")), ("/refuse bob", .refuse("bob")), ("/stats", .stats),
            ("/clear", .clear), ("/quit", .quit),
            ("/msg bob on my way", .tell("bob on my way")), ("/query", .query(nil)), ("/query bob", .query("bob")),
            ("/conversations", .conversations), ("/queries", .conversations),
            ("/join park two words", .joinPrivate(park, TypedKey("two words"))), ("/create park", .create(park)),
            ("/key", .key(nil)), ("/key #park", .key(park)), ("/members", .members(nil)),
            ("/forget #park", .forget(park)),
            ("/invite bob", .invite("bob", nil)), ("/invite bob lee #park", .invite("bob lee", park)),
            ("/invite \"bob lee\"", .invite("bob lee", nil)), ("/invite #k7f3", .invite("#k7f3", nil)),
            ("/reply 12 yes", .reply("12 yes")), ("/react bob 👍", .react("bob 👍")), ("/lines", .lines),
            ("/next", .next), ("/urgent the bridge is out", .urgent("the bridge is out")),
            ("/pin", .pin(nil)), ("/pin 12", .pin("12")), ("/unpin", .unpin), ("/away", .away("")),
            ("/away at lunch", .away("at lunch")), ("/back", .back),
            ("/send map.pdf", .file("share map.pdf")), ("/get", .file("get")), ("/get 12", .file("get 12")),
            ("/open", .file("open")), ("/open 12", .file("open 12")), ("/files", .file("list")),
            ("/remove bob#k7f3", .remove("bob#k7f3", nil)), ("/remove bob #park", .remove("bob", park)),
        ]
        for (line, command) in commands {
            #expect(LineParser.parse(line) == .command(command), "\(line)")
        }
        let tried = Set(commands.map { $0.0.dropFirst().prefix { $0 != " " } })
        let words = CommandWord.allCases.map(\.rawValue) + ["queries"]
        #expect(tried == Set(words.map { $0[...] }), "every command is tried")
    }

    @Test func aliasesAndCapitalsAreUnderstood() throws {
        #expect(LineParser.parse("/j #park") == .command(.join(try RoomName("#park"))))
        #expect(LineParser.parse("/w bob") == .command(.whois("bob")))
        #expect(LineParser.parse("/q") == .command(.quit))
        #expect(LineParser.parse("/QUIT") == .command(.quit))
        #expect(LineParser.parse("/J Park") == .command(.join(try RoomName("#park"))))
    }

    /// Posts are edited and deleted by their id, lines by their number.
    @Test func editsOfLinesAndOfPostsAreToldApart() throws {
        let id = String(repeating: "ab", count: 32)
        let record = try #require(RecordID(hex: id))
        let expected: [(String, ParsedLine)] = [
            ("/edit on my way", .command(.editLine(.last, "on my way"))),
            ("/edit 7 on my way", .command(.editLine(.number(7), "on my way"))),
            ("/edit \(id) x", .command(.editLine(.record(record), "x"))),
            ("/edit 24aadb x", .extra("edit", "24aadb x")),
            ("/edit 100 m", .command(.editLine(.last, "100 m"))), ("/edit 0 m", .command(.editLine(.last, "0 m"))),
            ("/edit --help", .extra("edit", "--help")), ("/delete", .command(.deleteLine(.last))),
            ("/delete 99", .command(.deleteLine(.number(99)))), ("/delete 24aadb", .extra("delete", "24aadb")),
            ("/delete \(id)", .command(.deleteLine(.record(record)))),
        ]
        for (line, meaning) in expected {
            #expect(LineParser.parse(line, extraWords: ["edit", "delete"]) == meaning, "\(line)")
        }
        for line in ["/edit", "/edit 7", "/edit  ", "/delete this line", "/delete 7 8"] {
            guard case .mistake = LineParser.parse(line, extraWords: ["edit", "delete"]) else {
                Issue.record("\(line) is a mistake")
                continue
            }
        }
    }

    @Test func aForgottenRoomMarkIsAdded() throws {
        #expect(LineParser.parse("/join park") == .command(.join(try RoomName("#park"))))
        #expect(LineParser.parse("/part Park") == .command(.part(try RoomName("#park"))))
        #expect(LineParser.parse("/names park") == .command(.names(try RoomName("#park"))))
    }

    @Test func textIsSaidAsItWasTyped() {
        for text in ["hello", "  indented", "trailing  ", "a /quit inside", " /quit", "#park", "über 👩‍👩‍👧", "-"] {
            #expect(LineParser.parse(text) == .say(text))
        }
    }

    @Test func nothingButWhiteSpaceIsNothing() {
        for line in ["", " ", "\t", " \t \u{A0}\u{3000} ", "\u{2003}"] {
            #expect(LineParser.parse(line) == .nothing)
        }
    }

    @Test func twoSlashesSayOne() {
        #expect(LineParser.parse("//quit now") == .say("/quit now"))
        #expect(LineParser.parse("//") == .say("/"))
        #expect(LineParser.parse("///") == .say("//"))
        #expect(LineParser.parse("// comment") == .say("/ comment"))
    }

    @Test func oddWhiteSpaceAroundArgumentsIsNoPartOfThem() throws {
        #expect(LineParser.parse("/join\t#park") == .command(.join(try RoomName("#park"))))
        #expect(LineParser.parse("/join   #park \t ") == .command(.join(try RoomName("#park"))))
        #expect(LineParser.parse("/me \u{3000} waves  twice \u{A0}") == .command(.me("waves  twice")))
        #expect(LineParser.parse("/quit ") == .command(.quit))
        #expect(LineParser.parse("/nick  eve the second ") == .command(.nick(try PeerName("eve the second"))))
    }

    @Test(arguments: ["nick", "me", "join", "whois", "ping", "trace", "unignore", "connect", "accept", "refuse"])
    func aMissingArgumentIsNamedWithTheUsage(word: String) throws {
        let usage = try #require(CommandWord(rawValue: word)).usage
        #expect(LineParser.parse("/\(word)") == .mistake("/\(word) needs more. Type \(usage)."))
        #expect(LineParser.parse("/\(word) \t ") == .mistake("/\(word) needs more. Type \(usage)."))
    }

    @Test func anUnknownCommandNamesTheNearest() {
        #expect(
            LineParser.parse("/jion #park")
                == .mistake("There is no command /jion. Did you mean /join? (//jion says it as text.)"))
        #expect(
            LineParser.parse("/QUITT")
                == .mistake("There is no command /QUITT. Did you mean /quit? (//QUITT says it as text.)"))
        #expect(
            LineParser.parse("/xyzzy")
                == .mistake("There is no command /xyzzy. /help lists the commands. (//xyzzy says it as text.)"))
    }

    @Test func aSlashAloneIsNoCommand() {
        for line in ["/", "/ ", "/ help"] {
            #expect(
                LineParser.parse(line)
                    == .mistake("There is no command /. /help lists the commands. (// says it as text.)"))
        }
    }

    @Test func anUnknownCommandIsQuotedShortAndSafe() throws {
        guard case .mistake(let text) = LineParser.parse("/\u{1B}[2J" + String(repeating: "x", count: 4_000)) else {
            throw Unexpected()
        }
        #expect(text.utf8.count < 200)
        #expect(!text.unicodeScalars.contains(where: Samples.isForbidden))
    }

    @Test func namesAndRoomsThatCannotBeAreRefusedWithTheReason() {
        let long = String(repeating: "x", count: 64)
        #expect(LineParser.parse("/nick \(long)") == .mistake("this name has 64 bytes; use at most 63"))
        #expect(
            LineParser.parse("/nick a\u{1B}b")
                == .mistake("a name cannot hold control, escape or invisible formatting characters"))
        #expect(
            LineParser.parse("/part a b")
                == .mistake("a room name cannot hold or be only white space here; use a dash instead"))
        #expect(LineParser.parse("/join \(long)") == .mistake("this room name has 65 bytes; use at most 64"))
        #expect(
            LineParser.parse("/join #")
                == .mistake(
                    "a room starts with '#' and goes on with at least one character, as in #park"))
    }

    @Test func aHistoryOfNoSuchLengthIsRefused() {
        for count in ["0", "10001", "99999999999999999999", "-3", "--3", "-", "#park -3"] {
            #expect(
                LineParser.parse("/history \(count)")
                    == .mistake("/history shows 1 to 10,000 messages; for example /history 200."))
        }
        #expect(
            LineParser.parse("/history #park 5 more")
                == .mistake("/history takes a room and a number; for example /history #park 200."))
        #expect(
            LineParser.parse("/sync later")
                == .mistake("Type /sync to fetch what you are missing, or /sync status to see how far you are."))
    }

    /// Said, it would be everybody's.
    @Test func aKeyBehindABlankIsNotSaid() {
        let mistake = ParsedLine.mistake(
            "This looks like the key of a room, so it was not sent. A command begins with a slash: /join #room KEY.")
        #expect(LineParser.parse(" /join #camp correct horse") == mistake)
        #expect(LineParser.parse("\t/jion #camp correct horse") == mistake)
        #expect(LineParser.parse(" /join #camp") == .say(" /join #camp"))
    }

    @Test func aLineWithAKeyIsNeitherKeptNorShown() {
        for line in [
            "/join #camp correct horse", "/JOIN camp x", "/j #camp x", "/jion #camp x", "/jon camp x", " /join #camp x",
        ] {
            var history = LineHistory()
            let isKept = history.add(line)
            #expect(!isKept && history.entries.isEmpty, "\(line)")
            #expect(!SecretLine.masked(line).contains("x") && !SecretLine.masked(line).contains("horse"), "\(line)")
        }
        for line in ["/join #camp", "/msg join me at x", "/me joins #camp x", "join #camp x", "/history #camp 3"] {
            var history = LineHistory()
            let isKept = history.add(line)
            #expect(isKept, "\(line)")
            #expect(SecretLine.masked(line) == line)
        }
        #expect(!"\(TypedKey("correct horse"))".contains("horse"))
        #expect(!String(reflecting: TypedKey("correct horse")).contains("horse"))
    }

    @Test func usageNamesTheAlias() {
        #expect(CommandWord.join.usage == "/join #ROOM [KEY]  (or /j)")
        #expect(CommandWord.quit.usage == "/quit  (or /q)")
        #expect(CommandWord.peers.usage == "/peers")
    }

    private struct Unexpected: Error {}
}
