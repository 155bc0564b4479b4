import ArgumentParser
import Foundation
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import Testing

@testable import LatticeCommands

/// What is typed in a chat after a slash, and what the node is asked.
@Suite struct SlashCommandsTests {
    private static let gate = place(40.7128, -74.006)
    private static let opera = place(-33.8568, 151.2153)

    private static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
            preconditionFailure("samples lie on the globe")
        }
        return place
    }

    private static func room(_ name: String) -> RoomName {
        do {
            return try RoomName(name)
        } catch {
            preconditionFailure("samples are names")
        }
    }

    private static func run(_ line: String, _ node: CommandNode = CommandNode()) async -> (CommandOutput, [AnyHashable])
    {
        let word = String(line.prefix { $0 != " " })
        let output = await SlashCommands().run(word, String(line.dropFirst(word.count + 1)), on: node)
        return (output, await node.requests)
    }

    private static let post = ItemReference("a1b2c3")
    private static let park = room("#park")

    /// What stands at the head of a line is what a reader types.
    @Test func aValueThatIsFarTooLongIsNotRepeatedWhole() {
        func told(_ count: Int) -> String {
            ArgumentWords.told("The value '\(String(repeating: "x", count: count))' is invalid for '<room>': a reason")
        }
        #expect(told(5_000) == "The value '\(String(repeating: "x", count: 59))…' is invalid for '<room>': a reason")
        #expect(told(100).contains(String(repeating: "x", count: 100)))
    }

    @Test func theNumbersOfTheListShownLastAreIds() async throws {
        let slash = SlashCommands()
        let node = CommandNode()
        let early = await slash.run("like", "1", on: node)
        #expect(early.failure?.message.contains("type /near first") == true)
        let list = await slash.run("near", "", on: node)
        #expect(list.failure == nil)
        let page = try #require(try CommandNode.obliging(ListTimeline()) as? ItemPage)
        let first = ItemReference(try #require(page.items.first).id.hex)
        let beyond = "\(page.items.count + 1)"
        for (word, rest) in [("like", "1"), ("comment", "1 cold"), ("show", "1"), ("event", "attend 1")] {
            let output = await slash.run(word, rest, on: node)
            #expect(output.failure == nil)
        }
        let asked = await node.requests.suffix(4)
        #expect(
            Array(asked) == [
                LikeItem(first, true), NewComment(on: first, text: "cold"), ShowItem(first), AttendEvent(first, true),
            ])
        let none = await slash.run("like", beyond, on: node)
        #expect(none.failure?.message.contains("there is no number \(beyond)") == true)
        _ = await slash.run("like", "4afb", on: node)
        #expect(await node.requests.last == AnyHashable(LikeItem(ItemReference("4afb"), true)))
    }

    private static let calls: [(String, any Request)] = [
        ("post Water at the gate, don't drink it", NewPost(text: "Water at the gate, don't drink it")),
        (
            "post Water --blur 6 at --at -33.8568,151.2153 it's -5 outside --name-place \"Opera house\" --expires 12h",
            NewPost(
                text: "Water at it's -5 outside", at: opera, placeName: "Opera house", lifetime: .seconds(43_200),
                blur: 6)
        ),
        ("post -5 degrees - and falling", NewPost(text: "-5 degrees - and falling")),
        ("post -- --no option", NewPost(text: "--no option")),
        ("post \"two  blanks\"", NewPost(text: "\"two  blanks\"")),
        ("post it's \"late\"  now \\ later", NewPost(text: "it's \"late\"  now \\ later")),
        ("post wait -- what -h", NewPost(text: "wait -- what -h")),
        ("post \"hi", NewPost(text: "\"hi")),
        (
            "post Bridge out --photo /tmp/bridge.jpg --alt \"A broken bridge\"",
            NewPost(text: "Bridge out", photo: .file("/tmp/bridge.jpg"), alt: "A broken bridge")
        ),
        ("post Bridge --photo /tmp/a.png", NewPost(text: "Bridge", photo: .file("/tmp/a.png"))),
        ("event edit a1b2c3 --photo /tmp/a.png", EditEvent(post, EventDraft(photo: .file("/tmp/a.png")))),
        ("event edit a1b2c3 --alt fire", EditEvent(post, EventDraft(alt: "fire"))),
        ("profile set --photo /tmp/me.webp --alt me", ProfileChange(photo: .new(.file("/tmp/me.webp")), alt: "me")),
        ("profile set --no-photo", ProfileChange(photo: .remove)),
        (
            "post to \"camp\" --name-place 'doctor's tent' now --at=\"40.7128, -74.006\"",
            NewPost(text: "to \"camp\" now", at: gate, placeName: "doctor's tent")
        ),

        ("post Bridge out --draft", KeepDraft(NewPost(text: "Bridge out"))),
        (
            "post --draft Bridge --photo /tmp/a.png --at 40.7128,-74.006",
            KeepDraft(NewPost(text: "Bridge", at: gate, photo: .file("/tmp/a.png")))
        ),
        ("post --urgent Bridge  out", NewPost(text: "Bridge  out", isUrgent: true)),
        ("edit a1b2c3 --no-photo New words", EditItem(post, text: "New words", photo: .remove)),
        ("drafts", ListDrafts()), ("drafts list", ListDrafts()), ("drafts show 2", ListDrafts()),
        ("drafts publish", PublishDrafts()), ("drafts publish 3 2", PublishDrafts([3, 2])),
        ("drafts edit 2 It's  late", EditDraft(2, text: "It's  late")), ("drafts delete 2 3", DeleteDrafts([2, 3])),
        ("drafts import /tmp/a.gpx", ImportDrafts(path: "/tmp/a.gpx")),
        ("comment a1b2c3 -- --no  option", NewComment(on: post, text: "--no  option")),
        ("event edit a1b2c3 The \"gate\"", EditEvent(post, EventDraft(name: "The \"gate\""))),
        ("profile set --about 'I bring \"water\"'", ProfileChange(about: "I bring \"water\"")),
        ("comment a1b2c3 It's cold", NewComment(on: post, text: "It's cold")),
        ("edit a1b2c3 New words", EditItem(post, text: "New words")),
        ("edit a1b2c3 --no-photo", EditItem(post, photo: .remove)),
        ("edit a1b2c3 --alt fire", EditItem(post, alt: "fire")),
        (
            "edit a1b2c3 It's  out --photo /tmp/a.png --alt \"A bridge\"",
            EditItem(post, text: "It's  out", photo: .new(.file("/tmp/a.png")), alt: "A bridge")
        ),
        ("like a1b2c3", LikeItem(post, true)),
        ("show a1b2c3", ShowItem(post)),
        ("show a1b2c3 --from 40.7128,-74.006", ShowItem(post, from: gate)),
        ("near", NearQuery(.posts, centre: nil)), ("near --newest", NearQuery(.posts, centre: nil, order: .newest)),
        (
            "near -33.8568,151.2153 --radius 250m --limit 5 --after c:7",
            NearQuery(
                .posts, centre: opera, radius: 250, page: PageRequest(limit: 5, after: PageCursor("c:7")))
        ),
        ("near 40.7128 -74.006", NearQuery(.posts, centre: gate)),
        ("event near", NearQuery(.events, centre: nil)), ("timeline", ListTimeline(PageRequest())),
        ("event mine --limit 3", ListEvents(PageRequest(limit: 3))),
        ("event attending", ListEvents(isAttending: true)), ("event by bob", ListEvents(by: PeerReference("bob"))),
        ("posts bob", ListTimeline(by: PeerReference("bob"))),
        (
            "posts bob#k7f3 --photos --limit 3",
            ListTimeline(PageRequest(limit: 3), by: PeerReference("bob#k7f3"), onlyPhotos: true)
        ),
        ("notifications --limit 3", ListNotifications(PageRequest(limit: 3))),
        ("notify like private --off", SwitchNotifications([.like, .privateMessage], isOn: false)),
        ("dismiss", DismissUrgent()),
        ("notify Like", SwitchNotifications([.like])),
        ("follow bob#k7f3", FollowPerson(PeerReference("bob#k7f3"), true)),
        ("unfollow bob", FollowPerson(PeerReference("bob"), false)), ("profile", ShowProfile()),
        ("profile bob", ShowProfile(PeerReference("bob"))), ("profile show bob", ShowProfile(PeerReference("bob"))),
        ("profile list", ListProfiles()),
        (
            "profile set --about \"I bring water\" --colour 1e90ff",
            ProfileChange(about: "I bring water", colour: Colour(rgb: 0x1E90FF))
        ),
        (
            "event create Potluck at the gate --starts 2026-12-01T18:00:00Z --ends 2026-12-01T22:00:00Z --address \"Gate 3\"",
            CreateEvent(
                EventDraft(
                    name: "Potluck at the gate", starts: WallTime(milliseconds: 1_796_148_000_000),
                    ends: WallTime(milliseconds: 1_796_162_400_000), address: "Gate 3"))
        ),
        ("event create", CreateEvent(EventDraft())),
        ("event edit a1b2c3 --about Later", EditEvent(post, EventDraft(text: "Later"))),
        ("event attend a1b2c3", AttendEvent(post, true)), ("event leave a1b2c3", AttendEvent(post, false)),
        ("event show a1b2c3", ShowItem(post)), ("search red scarf", SearchLines("red scarf")),
        ("search red --posts", SearchQuery(words: "red")), ("context 1a2b3c4d -n 2", LinesAround("1a2b3c4d", count: 2)),
        ("search key --room park", SearchLines("key", in: .room(park))),
        (
            "search red --near 40.7128,-74.006 --radius 5km",
            SearchQuery(words: "red", near: gate, radius: 5_000)
        ), ("here", ShowHere()), ("here 40.7128,-74.006", SetHere(gate)), ("here --forget", SetHere(nil)),
        ("store", ShowStoreStats()), ("store check", CheckStore()), ("store rebuild", RebuildStore()),
        ("store vacuum", VacuumStore()), ("store keep", ShowRetention()),
        ("store keep --all", SetRetention(.everything)),
        (
            "store keep --days 30 --only chat,People --room park --room '#gate'",
            SetRetention(
                RetentionRule(groups: [.chat, .people], rooms: [room("#park"), room("#gate")], days: 30))
        ),
        (
            "export --bundle /tmp/x --near 40.7128,-74.006 --radius 5km --by bob",
            ExportBundle(
                path: "/tmp/x",
                BundleSelection(around: .init(centre: gate, radius: 5_000), author: PeerReference("bob")))
        ), ("import /tmp/x", ImportBundle(path: "/tmp/x")),
    ]

    /// Since midnight of the reader's own clock.
    @Test func allWhoWereMetTodayAreFollowedAndNamed() async throws {
        let node = CommandNode()
        let output = await SlashCommands().run("follow", "all", on: node) { _ in }
        #expect(output.lines == ["You follow 1 more person now:", "  bob"])
        let asked = try #require(await node.requests.first?.base as? FollowMet)
        let midnight = LocalCalendar.here.civil(asked.since)
        #expect(midnight.hour == 0 && midnight.minute == 0 && midnight.second == 0)
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        #expect((now - 90_000_000...now).contains(asked.since.milliseconds))
        let lonely = CommandNode { request throws(RequestError) in
            request is FollowMet ? ListProfiles.Reply([]) : try CommandNode.obliging(request)
        }
        let nobody = await SlashCommands().run("follow", "all", on: lonely) { _ in }
        #expect(nobody.lines.isEmpty && nobody.remarks == ["You met nobody today whom you do not follow yet."])
    }

    @Test(arguments: calls)
    func aLineAsksTheNodeForWhatItSays(line: String, request: any Request) async {
        let (output, requests) = await Self.run(line)
        #expect(output.failure == nil, "\(line)")
        #expect(requests == [AnyHashable(request)], "\(line)")
        #expect(!output.objects.isEmpty && !(output.lines + output.remarks).isEmpty, "\(line)")
    }

    @Test(arguments: [
        ("near --json", "--json works only in the shell"), ("post hi --wait=3", "--wait works only"),
        ("like a --name bob", "--name works only"), ("near --radius 200km", "at most 100 km"),
        ("near --radius 2", "write 2m or 2km"),
        ("search water --radius 1.5", "write 1.5m or 1.5km"), ("near 91,0", "latitude"),
        ("near --limit 0", "1 to 100"), ("post", "text"), ("like", "id"), ("event creat", "creat"),
        ("post hi --expires 5", "30min"), ("post hi --expires 30s", "1min"), ("post hi --blur 13", "1 to 12"),
        ("post hi --name-place \"x", "is not closed"), ("near \"x", "is not closed"),
        ("near --since -1d", "value '-1d' is"), ("profile set", "nothing to set"),
        ("profile set --colour red", "1e90ff"),
        ("export --gpx --ics", "use only one of"), ("export --gpx", "-o FILE"), ("export --by bob", "--bundle"),
        ("store keep --days 366", "1 to 365"), ("store keep --only posts,likes", "chat, posts and people"),
        ("store keep --all --days 3", "use it alone"), ("store keep --only posts --room park", "add chat to --only"),
        ("like", "give an id from the list, such as: /like a1b2c3 (see /help like"),
        ("follow", "give a name or an id, such as: /follow bob#k7f3"),
        ("search", "give the words to look for, such as: /search water"), ("import", "give a file"),
        ("comment a1b2c3", "give a text, such as: /comment a1b2c3 The tap"),
        ("event attend", "such as: /event attend a1b2c3"),
        ("event create x --starts soon", "2026-12-01 18:00"), ("event create x --starts tomorrow", "time is missing"),
        ("event edit a1b2c3", "nothing to change"),
        ("post hi --draft --photo a.png --original", "a draft keeps only the photo"),
        ("drafts publish two", "'two' is not the"),
        ("drafts delete 0", "'0' is not the number of a draft"), ("drafts delete", "number"), ("drafts edit 2", "text"),
        ("drafts import", "give a file"), ("drafts two", "two"),
        ("here 40.7,-74 --forget", "only one"), ("here --gpsd-host x:0", "1 to 65535"), ("near --near", "--near"),
    ])
    func aMistakeIsASentenceAndNothingIsAsked(line: String, told: String) async {
        let (output, requests) = await Self.run(line)
        #expect(output.failure?.exitCode == 2, "\(line)")
        #expect(output.failure?.message.contains(told) == true, "\(line): \(output.failure?.message ?? "")")
        #expect(requests == [], "\(line)")
    }

    @Test func whatIsSoAlreadyIsNotSaidAgain() async {
        let (unlike, asked) = await Self.run("unlike a1b2c3")
        #expect(unlike.lines == ["you did not like it"] && asked == [ShowItem(Self.post)])
        let (delete, requests) = await Self.run("delete a1b2c3")
        #expect(delete.failure == nil && requests == [ShowItem(Self.post), DeleteItem(Self.post)])
        let gone = CommandNode { _ throws(RequestError) in
            var item = CommandNode.item
            item.state = .deletedByAuthor
            return ItemDetail(item: item)
        }
        let (again, _) = await Self.run("delete a1b2c3", gone)
        #expect(again.lines == ["it was already deleted"] && again.exitCode == 0)
    }

    @Test(arguments: [
        ("post hi", "posted a1b2c3 (expires 2026-12-21"), ("comment a1b2c3 hi", "commented a1b2c3"),
        ("post hi --draft", "kept draft 2"), ("drafts delete 3 2", "deleted drafts 2, 3"),
        ("drafts edit 2 a", "changed draft 2"), ("drafts publish", "posted a1b2c3 (expires 2026-12-21"),
        ("drafts import /tmp/a.gpx", "imported 1 draft (number 2); left out 2 tracks, lines or areas"),
        ("like a1b2c3", "you like post a1b2c3"), ("follow bob", "You follow bob now."),
        ("unfollow bob", "You don't follow bob any more."), ("store check", "1 record read, all is well"),
    ])
    func anAnswerSaysWhatIsNewAndNoMore(line: String, told: String) async {
        let (output, _) = await Self.run(line)
        let answer = output.lines.joined()
        #expect(told.contains("(") ? answer.hasPrefix(told) : answer == told, "\(answer)")
    }

    @Test func aDraftThatStaysSaysWhy() async {
        let failed = PublishDrafts.Failed(3, .invalid(faults: [.tooManyCharacters(text: .text, count: 141, max: 140)]))
        let node = CommandNode { _ throws(RequestError) in
            PublishDrafts.Reply(items: [CommandNode.item], failed: [failed])
        }
        let (output, _) = await Self.run("drafts publish", node)
        #expect(output.lines.count == 1 && output.objects.count == 1 && output.exitCode == 1)
        let message = "draft 3 stays: a text can have at most 140 characters; this one has 141"
        #expect(output.failure?.message == message && output.failure?.code == "invalid")
    }

    @Test func adviceIsGivenAsAChatTakesIt() async {
        let node = CommandNode { _ throws(RequestError) in
            throw RequestError.placeNeeded
        }
        let (output, _) = await Self.run("near", node)
        #expect(
            output.failure?.message == "which place? name one, or set yours once: /here LAT,LON" && output.exitCode == 2
        )
    }

    @Test func anEndMayCountFromTheStart() async {
        let (_, requests) = await Self.run("event create x --starts 2026-12-01T18:00:00Z --ends +2h")
        guard let draft = (requests.first?.base as? CreateEvent)?.event else {
            Issue.record("it is announced")
            return
        }
        #expect(draft.ends == WallTime(milliseconds: 1_796_155_200_000))
    }

    @Test(arguments: [
        "event create Fire --starts 2026-12-01 18:00 --ends 2026-12-01 20:00 at the gate",
        "event create Fire at --ends=2026-12-01 20:00 --starts=2026-12-01 18:00 the gate",
        "event create Fire at the gate --starts \"2026-12-01 18:00\" --ends '2026-12-01 20:00'",
    ])
    func aDateAfterAnOptionNeedsNoQuotes(line: String) async {
        let calendar = LocalCalendar.here
        let dates = [18, 20].map { CivilTime(year: 2026, month: 12, day: 1, hour: $0) }
        let (output, requests) = await Self.run(line)
        #expect(output.failure == nil)
        #expect(
            requests == [
                CreateEvent(
                    EventDraft(
                        name: "Fire at the gate", starts: dates[0].map(calendar.time), ends: dates[1].map(calendar.time)
                    ))
            ])
        #expect(
            ArgumentWords.withDates([
                "event", "create", "Fire", "--starts", "tomorrow", "20:00", "at", "--", "sat", "20:00",
            ])
                == ["event", "create", "Fire", "--starts", "tomorrow 20:00", "at", "--", "sat", "20:00"])
    }

    @Test func aRoomThatTheShellTookForACommentIsToldOf() {
        let told = ArgumentWords.told("Missing expected argument '<room>'", example: "lattice say lobby hi")
        #expect(told.contains("without its #, or in quotes") && told.hasSuffix("such as: lattice say lobby hi"))
    }

    @Test func noWordIsOneOfTheChatsOwn() {
        let words = SlashCommands().words
        #expect(Set(words).count == words.count)
        #expect(words.allSatisfy { CommandWord(rawValue: $0) == nil && CommandWord.aliases[$0] == nil })
    }

    @Test func everyCommandExplainsItselfWithAnExampleThatIsUnderstood() async throws {
        for type in SharedCommands.all {
            let manual = type.manual
            let lines = SlashCommands().help(manual.words)
            #expect(lines.first == "/\(manual.call)")
            #expect(!manual.examples.isEmpty && manual.abstract.hasSuffix("."), "\(manual.words)")
            for example in manual.examples {
                let words = try WordSplitter.words(of: example)
                #expect(throws: Never.self, "\(example)") {
                    try CommandsRoot.parseAsRoot(ArgumentWords.shielded(words))
                }
            }
        }
        for line in ["near --help", "event", "event create -h"] {
            let (output, requests) = await Self.run(line)
            #expect(output.failure == nil && output.lines.first?.hasPrefix("/") == true && requests == [])
        }
    }

    @Test func aPlaceGivenAsAGeohashIsNotKnownBetterThanThat() async {
        let (_, requests) = await Self.run("post Somewhere --at dr5reg")
        guard let post = requests.first?.base as? NewPost else {
            Issue.record("it is posted")
            return
        }
        #expect(post.blur == 6)
    }

    @Test func whatTheNodeRefusesIsToldWithEveryField() async {
        let node = CommandNode { _ throws(RequestError) in
            throw RequestError.invalid(faults: [.noEventName, .noStart])
        }
        let (output, _) = await Self.run("event create", node)
        #expect(output.exitCode == 2)
        #expect(
            output.failure?.lines == [
                "name: give the event a name", "starts: give the time when the event starts",
            ])
    }

    @Test func anEmptyListIsAnAnswer() async {
        let node = CommandNode { _ throws(RequestError) in ItemPage(items: []) }
        for (line, message) in [
            ("event near", "No events found"), ("near", "No posts here yet. Leave one: /post TEXT"),
            ("search water --posts", "nothing found with all of these words"),
            (
                "search water wa --posts",
                "nothing found with all of these words; the last word may be incomplete from three letters on"
            ),
        ] {
            let (output, _) = await Self.run(line, node)
            #expect(output.exitCode == 0 && output.remarks == [message])
            #expect(output.json == ["{\"event\":\"none\",\"message\":\"\(message)\"}"])
        }
    }

    @Test func aPageSaysHowToGoOn() async {
        let node = CommandNode { _ throws(RequestError) in
            ItemPage(items: [CommandNode.item], next: PageCursor("180.0:7"))
        }
        let (output, _) = await Self.run("near", node)
        #expect(output.remarks == ["More: repeat it with --after 180.0:7"])
        #expect(output.json.last == "{\"event\":\"next\",\"after\":\"180.0:7\"}")
    }

    @Test func aDocumentHoldsWhatMayBeReadOfEveryPage() async throws {
        let node = CommandNode { request throws(RequestError) in
            if request is ListPlaces { return ItemPage(items: []) }
            guard let query = request as? NearQuery else {
                throw RequestError.other(code: .stopped, message: "not asked")
            }
            var (near, far) = (CommandNode.item, CommandNode.item)
            if query.page.after == nil { return ItemPage(items: [near], next: PageCursor("2")) }
            (near.metres, near.state, near.text) = (200, .deletedByAuthor, nil)
            far.metres = 2_001
            return ItemPage(items: [near, far], next: PageCursor("3"))
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-export-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let path = folder.appending(path: "around.geojson").path(percentEncoded: false)
        let (output, requests) = await Self.run("export --geojson --near 40.7128,-74.006 -o \"\(path)\"", node)
        #expect(output.failure == nil && output.lines.first?.hasSuffix(path) == true)
        // Nothing beyond the radius is turned to.
        #expect(requests.count == 5 && requests.count(where: { $0.base is NearQuery }) == 4)
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
        let features = try #require((document as? [String: Any])?["features"] as? [Any])
        #expect(features.count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).count == 1)
    }

    @Test(arguments: [("--geojson", true), ("--atom", true), ("--gpx", false)])
    func whatIsExportedHasPlacesAndThumbnails(format: String, hasPhotos: Bool) async throws {
        let node = CommandNode { request throws(RequestError) in
            var (one, other) = (CommandNode.item, CommandNode.item)
            let photo = PhotoInfo(width: 560, height: 420, size: 48_123, alt: "a bridge", state: .shared)
            (one.photo, other.id, other.photo) = (photo, RecordID(CommandNode.me.key), photo)
            switch request {
            case let query as NearQuery: return ItemPage(items: query.what == .posts ? [one, other] : [])
            case is ListPlaces:
                var kitchen = CommandNode.item
                (kitchen.kind, kitchen.title) = (.place, "Kitchen")
                return ItemPage(items: [kitchen])
            case let read as ReadPhoto:
                // The photo of a program that makes no thumbnails.
                if read.item == ItemReference(other.id.hex) { throw .unknownItem(id: other.id.hex) }
                return PhotoBytes([0xFF, 0xD8, 0xFF, 0xE0])
            default: return PersonInfo(id: CommandNode.me, name: "me")
            }
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-export-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let path = folder.appending(path: "around").path(percentEncoded: false)
        let (output, requests) = await Self.run("export \(format) --near 40.7128,-74.006 -o \"\(path)\"", node)
        #expect(output.failure == nil)
        let read = requests.compactMap { $0.base as? ReadPhoto }
        #expect(read.count == (hasPhotos ? 2 : 0))
        #expect(read.allSatisfy { $0.which == .thumbnail && $0.from == CommandNode.here })
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        #expect(text.contains("Kitchen") == (format != "--atom"))
        #expect(text.ranges(of: "data:image/jpeg;base64,/9j/4A==").count == (hasPhotos ? 1 : 0))
    }

    @Test func aBrokenBundleIsToldOfAndEndsWithOne() async {
        let node = CommandNode { _ throws(RequestError) in ImportReport(added: 2, brokenAt: 288) }
        let (output, _) = await Self.run("import x.bundle", node)
        #expect(output.lines == ["2 new, 0 already here, 0 outdated, 0 refused"] && output.exitCode == 1)
        #expect(output.failure?.message.contains("byte 288") == true)
    }

    @Test func whatABundleHeldInVainIsToldInWords() async {
        let node = CommandNode { _ throws(RequestError) in ImportReport(added: 2, refused: 3) }
        let (output, _) = await Self.run("import x.bundle", node)
        #expect(output.lines == ["2 new, 0 already here, 0 outdated, 3 refused"] && output.exitCode == 1)
        #expect(output.failure?.message.contains("3 records refused: not a record, or signed with another key") == true)
    }

    @Test(arguments: [
        ("near --since soon", "since"), ("post hi --at 40.7", "at"), ("like", "id"), ("post", "text"),
        ("event create x --starts soon", "starts"), ("post hi --name-place", "name_place"),
    ])
    func aMistakeNamesTheFieldAtFault(line: String, field: String) async {
        let (output, _) = await Self.run(line)
        #expect(output.failure?.code == "usage")
        #expect(output.failure?.faults.map(\.field) == [field], "\(line)")
    }

    @Test func aDamagedStoreIsToldOfAndEndsWithOne() async {
        let node = CommandNode { _ throws(RequestError) in StoreCheck(records: 7, faults: ["page 3 is torn"]) }
        let (output, _) = await Self.run("store check", node)
        #expect(output.lines == ["page 3 is torn", "7 records read"] && output.exitCode == 1)
    }
}
