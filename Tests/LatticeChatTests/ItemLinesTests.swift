import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import Testing

/// Lists and single items for people.
@Suite struct ItemLinesTests {
    private static let bob = "bob"
    private static let carol = "carol"

    private static var posts: [ItemInfo] {
        var first = PostSamples.post(1, "Water at the gate, don't drink it", metres: 180, bearing: 45)
        first.likes = 2
        first.comments = 1
        first.placeName = "Park gate"
        var second = PostSamples.post(2, "Found a red scarf", metres: 1_830, bearing: 270, secondsAgo: 7_300)
        second.blur = 6
        second.isMine = true
        second.isWaiting = true
        let third = PostSamples.post(3, nil, metres: 23_400, bearing: 180, state: .tooFar, secondsAgo: 432_000)
        return [first, second, third]
    }

    @Test func inAPipeOneItemIsOneLine() {
        #expect(
            ItemLines.list(Self.posts, PostSamples.pipe) == [
                "1  180 m NE, 2 min      bob  3 min  Water at the gate, don't drink it (Park gate)  ♥ 2  💬 1  010000",
                "2  about 1.8 km W, far  you  2 h    Found a red scarf  not sent yet  020000",
                "3  23 km S, far         bob  5 d    too far to read  030000",
            ])
    }

    @Test func eachLineOfANameFromRightToLeftClosesItsIsolate() {
        var post = PostSamples.post(1, "Water at the gate", metres: 180, bearing: 45)
        post.authorName = "سلام سلام سلام سلام سلام سلام سلام"
        for columns in 1...60 {
            let context = CommandContext(now: PostSamples.now, columns: columns, isTerminal: true)
            let lines = ItemLines.list([post], context)
            #expect(lines.contains { $0.contains("\u{2068}") })
            for line in lines {
                let marks = line.unicodeScalars.filter { $0 == "\u{2068}" || $0 == "\u{2069}" }
                #expect(
                    String(String.UnicodeScalarView(marks)).unicodeScalars.enumerated().allSatisfy {
                        $1 == ($0 % 2 == 0 ? "\u{2068}" : "\u{2069}")
                    } && marks.count % 2 == 0, "\(columns): \(line.debugDescription)")
            }
        }
    }

    @Test func onATerminalTheTextIsWrappedBelow() {
        #expect(
            ItemLines.list(Self.posts, PostSamples.terminal) == [
                "1  180 m NE, 2 min  bob  3 min",
                "   Water at the gate, don't drink it",
                "   (Park gate)        ♥ 2  💬 1  010000",
                "2  about 1.8 km W, far  you  2 h",
                "   Found a red scarf",
                "                   not sent yet  020000",
                "3  23 km S, far  bob  5 d",
                "   too far to read               030000",
            ])
    }

    @Test func onAWideTerminalTheTextHasAColumnAndTheIdStandsAtTheEdge() {
        let wide = CommandContext(now: PostSamples.now, columns: 80, isTerminal: true)
        #expect(
            ItemLines.list(Self.posts, wide) == [
                "1  180 m NE, 2 min      bob  3 min  Water at the gate, don't drink it (Park",
                "                                    gate)                     ♥ 2  💬 1  010000",
                "2  about 1.8 km W, far  you  2 h    Found a red scarf      not sent yet  020000",
                "3  23 km S, far         bob  5 d    too far to read                      030000",
            ])
    }

    @Test func withoutUTF8CountsAreWordsAndOnesOwnAreMarked() {
        var item = Self.posts[0]
        (item.likes, item.isLikedByMe) = (1, true)
        let ascii = CommandContext(now: PostSamples.now, isUTF8: false)
        #expect(ItemLines.list([item], ascii)[0].hasSuffix("  1 like (yours), 1 comment  010000"))
        item.likes = 2
        #expect(ItemLines.list([item], ascii)[0].hasSuffix("  2 likes (yours too), 1 comment  010000"))
        #expect(ItemLines.list([item], PostSamples.pipe)[0].hasSuffix("  ♥ 2 (yours too)  💬 1  010000"))
    }

    /// Ids are dim; what people wrote has the colour of the terminal.
    @Test func onlyIdsAndHeadingsHaveColours() {
        let colours = CommandContext(now: PostSamples.now, isTerminal: true, hasColor: true)
        let line = ItemLines.list([Self.posts[2]], colours)[0]
        #expect(line.hasSuffix("\u{1B}[2m030000\u{1B}[0m") && line.count(where: { $0 == "\u{1B}" }) == 2)
        #expect(
            DetailLines.lines(ItemDetail(item: Self.posts[0]), colours)[0].hasPrefix("\u{1B}[36mPost 010000 by bob"))
    }

    @Test func noListIsBrokenByATerminalAndNothingOfItIsLost() {
        var long = PostSamples.post(4, (0..<30).map { "word\($0)" }.joined(separator: " "), metres: 4_700, bearing: 250)
        (long.likes, long.comments, long.attendees, long.isLikedByMe, long.isWaiting) = (12, 30, 4, true, true)
        (long.authorName, long.blur) = ("a-name-of-thirty-two-characters-", 6)
        for columns in 24...130 {
            for isUTF8 in [true, false] {
                let context = CommandContext(now: PostSamples.now, columns: columns, isTerminal: true, isUTF8: isUTF8)
                let lines = ItemLines.list(Self.posts + [long], context)
                #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) < columns }, "\(columns)")
                let words = Set(lines.joined(separator: " ").split(separator: " "))
                #expect((0..<30).allSatisfy { words.contains("word\($0)") }, "\(columns)")
                #expect(["010000", "020000", "030000", "040000"].allSatisfy { words.contains($0[...]) }, "\(columns)")
            }
        }
    }

    @Test func whoSharesANameOrHasNoneIsToldApart() {
        let others = [
            PostSamples.item(1, "a"), PostSamples.item(2, "b", author: 3),
            PostSamples.item(3, "c", author: 4, name: ""),
            PostSamples.item(4, "d", author: 5, name: "carol"),
        ]
        let lines = ItemLines.list(others, PostSamples.pipe)
        for (line, name) in zip(
            lines,
            [
                "bob#\(Samples.peer(2).short)", "bob#\(Samples.peer(3).short)", "#\(Samples.peer(4).short)", "carol",
            ])
        {
            #expect(line.contains("  \(name) "), "\(line)")
        }
    }

    @Test func linesOfATextAreShownAsTheyWereWrittenAndInAListOnOne() {
        let item = PostSamples.item(1, "one\ntwo")
        #expect(ItemLines.list([item], PostSamples.pipe)[0].hasSuffix("  one ⏎ two  010000"))
        #expect(DetailLines.lines(ItemDetail(item: item), PostSamples.pipe).suffix(2) == ["  one", "  two"])
    }

    @Test func whatCameOverABridgeSaysSoInItsDetail() {
        var item = PostSamples.item(1, "soup")
        let words = "  came over the bridge"
        #expect(!DetailLines.lines(ItemDetail(item: item), PostSamples.pipe).contains(words))
        item.via = .nats
        #expect(DetailLines.lines(ItemDetail(item: item), PostSamples.pipe).contains(words))
        #expect(ItemLines.list([item], PostSamples.pipe).allSatisfy { !$0.contains("bridge") })
        #expect(PostJSON.object(ItemDetail(item: item)).description.contains(##""via":"nats""##))
    }

    @Test func aPostThatWasADraftSaysWhenItWasWritten() {
        var item = PostSamples.item(1, "soup")
        item.writtenAt = WallTime(milliseconds: item.at.milliseconds - 10_800_000)
        #expect(ItemLines.list([item], PostSamples.pipe)[0].hasSuffix("  soup (written 3 h earlier)  010000"))
        let detail = DetailLines.lines(ItemDetail(item: item), PostSamples.pipe)
        #expect(detail.last == "  soup")
        let calendar = PostSamples.pipe.calendar
        let dates =
            "  written \(calendar.text(item.writtenAt ?? item.at)), published \(calendar.text(item.at)) (3 min ago)"
        #expect(detail.contains { $0.hasPrefix(dates) }, "\(detail)")
        #expect(
            PostJSON.object("item", item).description.contains(
                "\"written_at\":\"\(RFC3339.string(item.writtenAt ?? item.at))\""))
        // At once.
        item.writtenAt = WallTime(milliseconds: item.at.milliseconds - 59_999)
        #expect(ItemLines.list([item], PostSamples.pipe)[0].hasSuffix("  soup  010000"))
    }

    @Test func draftsAreListedWithWhenAndWhereTheyWereWritten() {
        var first = DraftInfo(number: 3, text: "one\ntwo\u{1B}[1m", at: PostSamples.centre, written: PostSamples.now)
        (first.placeName, first.blur, first.lifetime, first.isUrgent) = ("gate", 6, .seconds(90_000), true)
        first.photo = PhotoInfo(width: 4, height: 3, size: 9, alt: "a pot", state: .here)
        let second = DraftInfo(number: 12, text: "soup", at: PostSamples.centre, written: PostSamples.now)
        let date = PostSamples.pipe.calendar.text(PostSamples.now)
        #expect(
            DraftLines.list([first, second], PostSamples.pipe) == [
                " 3  \(date)  gate, about \(PostSamples.centre)  one ⏎ two[1m [photo]",
                "12  \(date)  \(PostSamples.centre)  soup",
            ])
        for columns in 24...130 {
            let context = CommandContext(now: PostSamples.now, columns: columns, isTerminal: true)
            let lines = DraftLines.list([first, second], context)
            #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) < columns }, "\(columns)")
            #expect(lines.joined(separator: " ").contains("soup"))
        }
        let detail = DraftLines.detail(first, PostSamples.pipe)
        #expect(
            detail == [
                "Draft 3", "  at gate, about \(PostSamples.centre)", "  written \(date) (just now)",
                "  expires 1 d after it is published", "  urgent", "  ", "  one", "  two[1m", "  photo: a pot",
            ])
    }

    @Test func whatIsNotToBeReadSaysWhy() {
        let told: [(ItemInfo.State, String)] = [
            (.tooFar, "too far to read"),
            (.deletedByAuthor, "deleted by its author"),
            (.deletedByPostAuthor, "deleted by the post's author"),
        ]
        for (state, words) in told {
            // Even if a node were to hand out the text.
            let lines = ItemLines.list([PostSamples.item(1, "secret", state: state)], PostSamples.pipe)
            #expect(lines.count == 1 && lines[0].hasSuffix("\(words)  010000") && !lines[0].contains("secret"))
        }
    }

    @Test func anEventTellsItsNameItsDatesAndWhoComes() {
        #expect(
            ItemLines.list([PostSamples.event()], PostSamples.pipe) == [
                "1  640 m E, 8 min  bob  3 min  Concert, 2026-12-01 18:00 to 22:00: Bring a chair (Bandshell)  3 going  090000"
            ])
    }

    @Test(arguments: Samples.hostileTexts)
    func strangersTextCannotActOnTheScreen(text: String) throws {
        var item = PostSamples.event(text: text, title: text)
        (item.placeName, item.authorName) = (text, text)
        var person = PostSamples.person(2, text)
        person.about = text
        var detail = ItemDetail(item: item, comments: [PostSamples.item(4, text, kind: .comment, name: text)])
        detail.versions = ["", text].map { Self.version(of: item, at: 1, [$0, $0, $0, $0], by: text) }
        detail.likedBy = [person]
        detail.item.likes = 1
        let notifications = try NotificationKind.allCases.map {
            NotificationInfo(
                record: item.id, kind: $0, by: person, at: item.at, isNew: true, room: try RoomName("#park"),
                text: text,
                emoji: text, item: item, comment: detail.comments[0])
        }
        for context in [PostSamples.pipe, PostSamples.terminal] {
            let lines =
                ItemLines.list([item], context) + DetailLines.lines(detail, context)
                + PeopleLines.profile(person, context) + PeopleLines.list([person], context)
                + NotificationLines.list(notifications, context)
                + Samples.plainRenderer.render(.posted(item, shown: "bob")).error
            for scalar in lines.joined().unicodeScalars where scalar != "\u{2068}" && scalar != "\u{2069}" {
                #expect(!Samples.isForbidden(scalar), "\(String(scalar.value, radix: 16))")
            }
            for line in lines {
                #expect(line.count(where: { $0 == "\u{2068}" }) == line.count(where: { $0 == "\u{2069}" }))
            }
        }
    }

    private static func version(
        of item: ItemInfo, at seconds: Int64, _ words: [String], by author: String, north: Double = 0
    ) -> PlaceVersion {
        PlaceVersion(
            by: item.author, called: author, at: WallTime(milliseconds: item.at.milliseconds + seconds * 1_000),
            title: words[0], category: words[1], hours: words[2], text: words[3],
            place: PostSamples.centre.destination(bearing: 0, distance: north), isOriginal: seconds == 0)
    }

    @Test func theHistoryOfAPlaceSaysWhoChangedWhat() {
        let item = PostSamples.item(1, "Soup", kind: .place)
        let detail = ItemDetail(
            item: item,
            versions: [
                Self.version(of: item, at: 180, ["Kitchen", "", "", "Soup"], by: "bob", north: 30),
                Self.version(of: item, at: 120, ["Kitchen", "kitchen", "", "Soup"], by: "bob"),
                Self.version(of: item, at: 60, ["Kitchen", "kitchen", "8 to 20", "Soup"], by: "bob"),
                Self.version(of: item, at: 0, ["Food", "kitchen", "", ""], by: "bob"),
            ])
        #expect(
            DetailLines.lines(detail, PostSamples.pipe).suffix(6) == [
                "", "History",
                "  2026-11-21 09:29 bob: removed the kind, moved 30 m N",
                "  2026-11-21 09:28 bob: removed the hours",
                "  2026-11-21 09:27 bob: name Kitchen, hours 8 to 20, text Soup",
                "  2026-11-21 09:26 bob: made it",
            ])
    }

    @Test func oneItemIsShownWithEverythingThatWasSaidOfIt() {
        var item = Self.posts[0]
        item.comments = 3
        item.editedAt = WallTime(milliseconds: item.at.milliseconds + 60_000)
        let comments = [
            PostSamples.item(4, "Is it cold?", kind: .comment, author: 3, name: "carol", secondsAgo: 120),
            PostSamples.item(5, nil, kind: .comment, state: .deletedByAuthor, secondsAgo: 30),
        ]
        let detail = ItemDetail(item: item, comments: comments, likedBy: [PostSamples.person(3, "carol")])
        #expect(
            DetailLines.lines(detail, PostSamples.pipe) == [
                "Post 010000 by bob",
                "  id \(item.id.hex)",
                "  180 m NE, 2 min, at 40.71394,-74.00449",
                "  written 2026-11-21 09:26 (3 min ago), edited 2026-11-21 09:27, expires 2026-12-21 09:26",
                "  2 likes: \(Self.carol) and 1 more",
                "",
                "  Water at the gate, don't drink it (Park gate)",
                "",
                "2 comments (1 older not shown)",
                "  carol  2 min  Is it cold?  040000",
                "  bob    now    deleted by its author  050000",
            ])
    }

    @Test func notificationsSayWhoDidWhatToWhat() throws {
        let mine = PostSamples.item(1, "mine")
        let carol = PostSamples.person(3, "carol")
        func one(
            _ kind: NotificationKind, _ item: ItemInfo? = nil, in room: RoomName? = nil, emoji: String? = nil,
            comment: ItemInfo? = nil, isNew: Bool = false
        ) -> NotificationInfo {
            NotificationInfo(
                record: mine.id, kind: kind, by: carol, at: mine.at, isNew: isNew, room: room,
                text: room.map { _ in "at nine" }, emoji: emoji, item: item, comment: comment)
        }
        let room = try RoomName("#park")
        let notifications = [
            one(.mention, in: room, isNew: true), one(.reply, in: room), one(.reaction, in: room, emoji: "👍"),
            one(.privateMessage), one(.post, PostSamples.item(2, "new")), one(.like, mine), one(.follow),
            one(.attendance, PostSamples.event()),
            one(.comment, mine, comment: PostSamples.item(4, "Nice", kind: .comment)),
        ]
        let lines = NotificationLines.list(notifications, PostSamples.pipe)
        #expect(
            lines.map { $0.replacing(#/[ ]{2,}/#, with: "  ") }
                == [
                    "new  3 min  carol mentioned you in #park: at nine", "3 min  carol answered you in #park: at nine",
                    "3 min  carol gave 👍 to your line in #park: at nine", "3 min  carol wrote to you",
                    "3 min  carol posted: \"new\"  020000", "3 min  carol likes your post \"mine\"  010000",
                    "3 min  carol follows you", "3 min  carol is going to your event \"Concert\"  090000",
                    "3 min  carol commented on your post \"mine\": \"Nice\"  010000",
                ].map { $0.hasPrefix("new") ? $0 : "  \($0)" })
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (1_023, "1023 bytes"), (1_024, "1 KiB"), (1_650, "1.6 KiB"),
        (134_217_728, "128 MiB"), (1_073_741_824, "1 GiB"), (5_497_558_138_880, "5120 GiB"),
    ])
    func bytesAreToldInTheirUnit(count: Int, text: String) {
        #expect(StoreLines.bytes(count) == text)
    }
}
