import Testing

extension EndToEnd {
    /// Arguments and lines that are not taken.
    @Suite(.timeLimit(.minutes(10))) struct WrongUsageTests {
        private static let cases: [(arguments: [String], told: String)] = [
            (["chat", "--name", String(repeating: "n", count: 64)], "at most 63"),
            (["chat", "--name", ""], "at least one character"),
            (["chat", "--name", "a\u{1B}[2J"], "control"),
            (["chat", "--name", "a\nb"], "control"),
            (["chat", "--name", " alice"], "white space"),
            (["chat", "--room", "#a b"], "white space"),
            (["chat", "--room", "#"], "'#'"),
            (["chat", "--room", "#" + String(repeating: "r", count: 64)], "64"),
            (["chat", "--mesh", ""], "at least one character"),
            (["chat", "--mesh", String(repeating: "m", count: 64)], "at most 63"),
            (["chat", "--port", "70000"], "65535"),
            (["chat", "--port", "-1"], "--port"),
            (["chat", "--port", "http"], "65535"),
            (["chat", "--peer", "192.168.1.7"], "HOST:PORT"),
            (["chat", "--peer", "192.168.1.7:0"], "1 to 65535"),
            (["chat", "--peer", "192.168.1.7:65536"], "1 to 65535"),
            (["chat", "--peer", ":4000"], "HOST:PORT"),
            (["chat", "--peer", "fe80::1:4000"], "brackets"),
            (["chat", "--ttl", "0"], "1 to 64"),
            (["chat", "--ttl", "65"], "1 to 64"),
            (["chat", "--wait", "65"], "0 to 64"),
            (["chat", "--timeout", "soon"], "0 to 86400"),
            (["chat", "--discovery", "magic"], "discovery"),
            (["chat", "--context", String(repeating: "c", count: 1_025)], "1,024"),
            (["chat", "--log", "loud"], "debug"),
            (["chat", "--log-format", "xml"], "json"),
            (["stats", "--interval", "5"], "--watch"),
            (["stats", "--watch", "--interval", "0"], "1 to 3600"),
            (["chat", "--metrics", "9100"], "HOST:PORT"),
            (["run", "--metrics", "127.0.0.1:http"], "1 to 65535"),
            (["chat", "--nmae", "alice"], "nmae"),
            (["chat", "alice"], "alice"),
            (["chat", "--name"], "name"),
            (["id", "--json", "--port", "1"], "port"),
            (["irc", "--listen", "0.0.0.0:6667"], "--tls-certificate"),
            (["irc", "--listen", "127.0.0.1"], "HOST:PORT"),
            (["irc", "--server-name", "no name"], "letters, digits"),
            (["irc", "--tls-key", "x"], "go together"),
            (["run", "--irc-server-name", "irc.camp"], "needs --irc, such as"),
            (["run", "--irc", "10.0.0.1:6667", "--irc-password-file", "x"], "--irc-tls-certificate"),
            (["post"], "text"),
            (["post", "hi", "--at", "91,0"], "between -90 and 90"),
            (["post", "hi", "--expires", "soon"], "7d"),
            (["post", "hi", "--expires", "10s"], "1min"),
            (["post", "hi", "--blur", "13"], "1 to 12"),
            (["post", "hi", "--wait", "-1"], "--wait"),
            (["near", "-33.9"], "lattice near --help"),
            (["near", "--radius", "200km"], "at most 100 km"),
            (["near", "--radius", "2 miles and a half"], "unit"),
            (["near", "--limit", "101"], "1 to 100"),
            (["near", "--since", "yesterday"], "24h"),
            (["near", "--port", "1"], "port"),
            (["show"], "id"),
            (["comment", "a1b2c3"], "text"),
            (["event", "creat"], "did you mean create?"),
            (["event", "attend"], "id"),
            (["profile", "set"], "--about"),
            (["profile", "set", "--colour", "red"], "1e90ff"),
            (["export", "--gpx", "--ics"], "one of"),
            (["export", "--by", "bob"], "--bundle"),
            (["here", "40.7,-74", "--forget"], "only one"),
            (["store", "chekc"], "did you mean check?"),
            (["import"], "file"),
            (["invite", "--days", "-5"], "1 to 365"),
            (["join", "-", "--passphrase-file", "-"], "standard input"),
            (["join", "-", "--identity-passphrase-file", "-"], "standard input"),
            (["chat", "--passphrase-file", "-", "--identity-passphrase-file=-"], "standard input"),
            (["say"], "without its #, or in quotes"),
            (["--name", "x", "near"], "the command comes before its options: 'lattice near …'"),
            (["chta"], "did you mean chat?"),
            (["help", "naer"], "did you mean near?"),
            (["--port", "1"], "port"),
        ]

        @Test func eachWrongArgumentIsOneLineThatSaysWhatToDo() async throws {
            try await onStage { stage in
                for (arguments, told) in Self.cases {
                    let wrong = try stage.run(arguments, as: "\(arguments)")
                    try #require(try await wrong.exitCode() == 2, "\(arguments)")
                    #expect(wrong.output.text == "", "\(arguments)")
                    let lines = wrong.error.lines
                    #expect(lines.count == 1, "\(arguments): \(lines)")
                    #expect(lines.first?.hasPrefix("lattice: ") == true, "\(arguments): \(lines)")
                    #expect(lines.first?.contains(told) == true, "\(arguments): \(lines)")
                    #expect(!wrong.error.bytes.contains(0x1B), "\(arguments)")
                }
            }
        }

        /// As in a bare root that somebody has just made.
        @Test(.enabled(if: Lab.isPossible, "this needs root and iproute2"))
        func withoutProcNothingIsTakenForACallWithoutArguments() async throws {
            try await onStage { stage in
                let bare = [
                    "unshare", "-m", "sh", "-c", "mount --make-rprivate / && umount -l /proc && exec \"$@\"", "sh",
                ]
                let wrong = try stage.run(["--version"], under: bare)
                #expect(try await wrong.exitCode() == 1)
                #expect(wrong.output.text == "")
                #expect(wrong.error.lines.count == 1)
                #expect(wrong.error.lines.first?.contains("mount -t proc proc /proc") == true, "\(wrong.error.text)")
            }
        }

        @Test func programsReadWrongUsageAsAnObject() async throws {
            try await onStage { stage in
                for (arguments, field, isForm) in [
                    (["post", "hi", "--at", "40.7"], "at", false), (["show"], "id", false),
                    (["near", "--since", "-1d"], "since", false),
                    (["show", "xyz"], "id", true), (["post", "", "--at", "40.7,-74"], "text", true),
                ] {
                    let wrong = try stage.run(arguments + ["--json"], as: "\(arguments)")
                    try #require(try await wrong.exitCode() == 2, "\(arguments)")
                    #expect(wrong.error.text == "", "\(arguments)")
                    #expect(wrong.output.lines.count == 1, "\(arguments)")
                    let start = "{\"event\":\"error\",\"code\":\"\(isForm ? "invalid" : "usage")\""
                    let line = wrong.output.lines.first ?? ""
                    #expect(line.hasPrefix(start) && line.contains("\"field\":\"\(field)\""), "\(line)")
                }
            }
        }

        @Test func helpAndVersionAreNoMistakes() async throws {
            try await onStage { stage in
                for arguments in [
                    ["--help"], ["chat", "--help"], ["help", "chat"], ["id", "-h"], ["--version"],
                    ["help", "near"], ["help", "event", "create"], ["help", "nick"], ["event"], ["post", "--help"],
                    ["help", "store"],
                ] {
                    let help = try stage.run(arguments, as: "\(arguments)")
                    try #require(try await help.exitCode() == 0, "\(arguments)")
                    #expect(!help.output.text.isEmpty, "\(arguments)")
                    let usage = help.output.lines.first { $0.hasPrefix("USAGE: ") }
                    #expect(usage?.hasPrefix("USAGE: lattice ") ?? true, "\(arguments)")
                    #expect(help.error.text == "", "\(arguments)")
                }
            }
        }

        @Test func theVersionTellsWhatTheProgramSpeaksAndReads() async throws {
            try await onStage { stage in
                let told = try stage.run(["--version"])
                try #require(try await told.exitCode() == 0)
                let lines = told.output.lines
                #expect(lines.count == 2 && lines[0].hasPrefix("lattice "), "\(lines)")
                #expect(lines.last?.wholeMatch(of: /session \d+, record \d+, store \d+/) != nil, "\(lines)")
            }
        }

        @Test func aLineOverTheLimitIsRefusedAndTheNextOneSent() async throws {
            try await onStage { stage in
                let bob = try stage.host("bob")
                let alice = try stage.start(
                    "alice", ["--discovery", "off", "--wait", "1", "--peer", try await bob.address()], json: false)
                let longest = String(repeating: "x", count: 4_096)
                alice.say("x" + longest, longest, "after")
                alice.endInput()
                #expect(try await alice.exitCode() == 1)
                let refusals = alice.error.lines.filter { $0.hasPrefix("lattice: ") }
                #expect(refusals.count == 1)
                #expect(refusals.first?.contains("at most 4,096 bytes") == true)
                try await bob.hears("after")
                try #require(try bob.heard() == [longest, "after"])
            }
        }

        @Test func aLineThatIsNotUTF8IsRefusedAndTheNextOneSent() async throws {
            try await onStage { stage in
                let bob = try stage.host("bob")
                let alice = try stage.start(
                    "alice", ["--discovery", "off", "--wait", "1", "--peer", try await bob.address()], json: false)
                alice.write(Array("caf".utf8) + [0xE9, 0x0A] + Array("café\r\nlast".utf8))
                alice.endInput()
                #expect(try await alice.exitCode() == 1)
                let refusals = alice.error.lines.filter { $0.hasPrefix("lattice: ") }
                #expect(refusals.count == 1)
                #expect(refusals.first?.contains("UTF-8") == true)
                // A line that lacks its end is one all the same.
                try await bob.hears("last")
                try #require(try bob.heard() == ["café", "last"])
            }
        }

        @Test func aWrongCommandIsAnErrorAndTheChatGoesOn() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                for (line, told) in [
                    ("/hlep", "/help"), ("/nick", "NAME"), ("/ping nobody", "/peers"), ("/part #nowhere", "/rooms"),
                    ("/connect 1.2.3.4:0", "65535"), ("/nick a\u{7}b", "control"), ("/join #", "#park"),
                ] {
                    let answer = try await alice.ask(line)
                    #expect(answer.event == "error", "\(line)")
                    #expect(answer.message?.contains(told) == true, "\(line): \(answer.message ?? "")")
                }
                let bob = try await stage.guest("bob", of: alice)
                alice.say("//help is a command")
                try await bob.hears("/help is a command")
            }
        }
    }
}
