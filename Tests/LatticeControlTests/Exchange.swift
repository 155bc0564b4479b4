import LatticeAPI
import LatticeCore
import LatticeMetrics

/// A request and what a node might reply.
struct Exchange: Sendable {
    let request: any Request
    let reply: any Hashable & Codable & Sendable

    static func of<R: Request>(_ request: R, _ reply: R.Reply) -> Exchange {
        Exchange(request: request, reply: reply)
    }

    var name: String { type(of: request).name }
    var replyName: String { type(of: request).replyName }

    /// The requests that these are about.
    static let names: RequestNames = {
        var names = RequestNames()
        for exchange in all where names[exchange.name] == nil { add(exchange.request, to: &names) }
        return names
    }()

    private static func add<R: Request>(_: R, to names: inout RequestNames) { names.add(R.self) }

    static let all =
        chat + reading + privateMessages + machine + streams + rooms + people + posts + places + drafts + events
        + profiles + store + maps + records + bridges

    static let chat = [
        of(
            Say("hi", style: .acts, room: Samples.room, audience: .members), .init(Samples.record, isWaiting: true)),
        of(
            Say("hi", style: .says, room: Samples.room, isNotice: true),
            .init(Samples.record, isWaiting: false, unkept: .quotaFull, at: Samples.date)),
        of(
            SayLines(
                [SayLines.Line("hi"), SayLines.Line("waves", style: .acts, isNotice: true)], room: Samples.room,
                audience: .everybody, asker: FrontID(rawValue: .max)),
            .init([
                .said(Say.Reply(Samples.record, isWaiting: false)),
                .refused(.lineTooLong(bytes: 5_000, max: 4_096)),
            ])),
        of(SayLines([SayLines.Line("hi")], room: Samples.room), .init([])),
        of(Rename(Samples.name), Done()), of(JoinRoom(Samples.room), Done()), of(LeaveRoom(Samples.room), Done()),
        of(
            HistoryQuery(room: Samples.room, limit: 3, before: Samples.record),
            HistoryPage(lines: [Samples.message], hasMore: true)),
    ]

    static let reading = [
        of(ListUnread(), .init([Samples.unread, UnreadCount(.peer(bob), lines: 1_000, mentions: 0, isMore: true)])),
        of(
            ListRooms(),
            .init([
                ConversationInfo(
                    Samples.unread, isPrivate: true, isMuted: true, people: 4, last: LastLine(Samples.message)),
                ConversationInfo(
                    UnreadCount(.peer(bob), lines: 0, mentions: 0, isMore: false), name: Samples.name, isPrivate: true,
                    last: LastLine(
                        record: nil, from: Samples.peer, name: nil, text: "", at: Samples.date, isDeleted: true)),
            ])),
        of(MarkRead(.room(Samples.room)), Samples.unread),
        of(MarkRead(.peer(bob), upTo: Samples.record), Samples.unread),
    ]

    private static let bob = PeerReference(Samples.peer)

    static let privateMessages = [
        of(SendPrivateMessage(bob, "psst", style: .says), Samples.privateMessage),
        of(SendPrivateMessage(bob, "psst", style: .says, isNotice: true), Samples.privateMessage),
        of(ListPrivateMessages(bob, limit: 4), PrivateMessages([Samples.privateMessage])),
        of(ListConversations(), PrivateMessages([Samples.privateMessage])),
    ]

    static let machine = [
        of(ShowMe(), Samples.me),
        of(
            ListPeers(),
            .init([
                PeerInfo(
                    id: Samples.peer, prefix: Samples.peer.prefix, name: "b\u{1B}ob", state: .connected, hops: 1,
                    roundTrip: .microseconds(1_250), address: PeerAddress(host: "10.0.0.1", port: 1), source: .embedded,
                    via: nil, isHere: true, rooms: [Samples.room], reason: nil, info: ["role=kitchen"])
            ])),
        of(
            ProbePeer(bob),
            ProbeInfo(roundTrip: .milliseconds(3), path: [.init(id: Samples.peer, name: Samples.name)])),
        of(DialAddress(PeerAddress(host: "fe80::1%eth0", port: 4_000)), Done()),
        of(InvitePeer(Samples.peer.prefix), Done()), of(AnswerInvitation(bob, accept: false), Done()),
        of(Flush(timeout: .milliseconds(1_500)), .init(unconfirmed: 2)),
        of(Flush(timeout: .zero, lines: [Samples.record]), .init(unconfirmed: 2)), of(SyncNow(), Done()),
        of(
            ShowSyncStatus(),
            SyncStatus(
                progress: Samples.progress, caughtUpAt: Samples.date,
                groups: [.init(name: "chat", records: 3, since: nil)],
                peers: [.init(id: Samples.peer, name: "bob", isConnected: true, comparedAt: nil, gained: 1, given: 2)]
            )),
        of(
            ShowStats(),
            NodeStats(
                links: 1, incoming: 2, outgoing: 3, halfOpen: 4, addresses: 5, waitingBytes: 6, waitingRecords: 7,
                refused: Samples.refused,
                families: [
                    MetricFamily(
                        "a_total", .counter, "A.", [.init([.init("b", "\"c\"")], .number(1)), .init([], .number(0.5))]),
                    MetricFamily(
                        "d", .histogram, "",
                        [.init([], .histogram(.init(buckets: [.init(upTo: 0.1, count: 1)], count: 2, sum: 3)))]),
                ])),
        of(
            ShowHealth(),
            NodeHealth(
                meshTags: [1, 2], isClosed: true, invitations: "ask", discovery: "off", interface: "lo",
                clockAhead: .seconds(-2_580), clockPeers: 2, isClockWrong: true,
                dialFailures: [
                    .init(
                        id: Samples.peer, name: "b\u{1B}ob", address: PeerAddress(host: "10.0.0.1", port: 1),
                        reason: .wrongPassphrase, end: .wrongMeshKey),
                    .init(id: nil, name: "", address: nil, reason: .fault),
                ])),
    ]

    static let rooms = [
        of(ListPrivateRooms(), .init([Samples.room])),
        of(
            EnterPrivateRoom(Samples.room, key: TypedKey("grüß dich")),
            EnteredRoom([RoomMember(id: Samples.peer, name: Samples.name, state: .invited)])),
        of(EnterPrivateRoom(Samples.room, key: nil), EnteredRoom(nil)),
        of(CreatePrivateRoom(Samples.room), EnteredRoom([])), of(ShowRoomKey(Samples.room), .init("abc")),
        of(InviteToRoom(PeerReference(Samples.peer), name: Samples.name, Samples.room), Done()),
        of(InviteToRoom(PeerReference(Samples.peer), name: nil, Samples.room), Done()),
        of(RemoveFromRoom(PeerReference(Samples.peer), Samples.room), Done()),
        of(
            ListRoomMembers(Samples.room),
            .init([RoomMember(id: Samples.peer, name: nil, state: .here)])), of(ForgetRoom(Samples.room), Done()),
    ]

    static let people = [
        of(ListKnownPeople(), .init([Samples.person])), of(FindPerson(Samples.bob), Samples.person),
        of(
            ShowSafetyNumber(Samples.bob),
            SafetyNumberInfo(person: Samples.person, groups: ["12345"], words: ["able"])),
        of(VerifyPerson(Samples.bob, false), Samples.person),
        of(AddContact(Samples.bob, petname: Samples.name), Samples.person),
        of(AddContact(Samples.bob, petname: nil), Samples.person), of(RemoveContact(Samples.bob), Samples.person),
        of(BlockPerson(Samples.bob, false), Samples.person),
        of(BlockPeople([BlockEntry(id: Samples.peer, name: Samples.name)]), .init(new: 3, hasSelf: true)),
        of(IgnorePerson(Samples.bob, false), Samples.person),
        of(MuteRoom(Samples.room, false), MutedRooms([Samples.room])),
        of(ListMutedRooms(), MutedRooms([Samples.room])),
    ]

    static let posts = [
        of(
            NewPost(text: "look", at: Samples.place, placeName: "gate", lifetime: .seconds(90), blur: 6), Samples.post),
        of(NewPost(text: "look", photo: .upload(UploadID(7)), alt: "a gate"), Samples.post),
        of(
            PreparePhoto(UploadID(7)),
            PhotoInfo(width: 560, height: 420, size: 48_123, alt: "a gate", state: .shared)),
        of(ReadPhoto(Samples.item), PhotoBytes([0xFF, 0xD8])), of(ReadPhoto(Samples.item, .thumbnail), PhotoBytes([])),
        of(ReadPersonPhoto(Samples.bob, .thumbnail), PhotoBytes([0xFF])),
        of(NewComment(on: Samples.item, text: "nice"), Samples.post), of(LikeItem(Samples.item, false), Samples.post),
        of(DeleteItem(Samples.item), Samples.post), of(EditItem(Samples.item, text: "no"), Samples.post),
        of(EditItem(Samples.item, photo: .remove), Samples.post),
        of(EditItem(Samples.item, photo: .new(.file("/x")), alt: "y"), Samples.post),
        of(
            NearQuery(
                .events, centre: Samples.place, radius: 250, since: Samples.date, order: .newest, page: Samples.page),
            ItemPage(items: [Samples.post], centre: Samples.place, radius: 250, next: PageCursor("n"))),
        of(
            SearchQuery(words: "a b", near: Samples.place, page: Samples.page), ItemPage(items: [Samples.post])),
        of(ShowItem(Samples.item, from: Samples.place), ItemDetail(item: Samples.post)),
        of(
            ShowItem(Samples.item),
            ItemDetail(item: Samples.post, parent: nil, comments: [Samples.post], likedBy: [Samples.someone])),
        of(ListTimeline(Samples.page), ItemPage(items: [])),
        of(
            ListTimeline(Samples.page, by: Samples.bob, onlyPhotos: true, from: Samples.place),
            ItemPage(items: [Samples.post])),
        of(
            ListNotifications(Samples.page),
            NotificationPage(
                notifications: [
                    NotificationInfo(
                        record: Samples.record, kind: .like, by: Samples.someone, at: Samples.date, item: Samples.post)
                ], newCount: 0)),
        of(
            SearchLines("key shed", in: .room(Samples.room), page: Samples.page),
            .init([FoundLine(Samples.message)], next: PageCursor("l-1--"))),
        of(LinesAround("00ff00ff", count: 2), .init([FoundLine(Samples.message)])),
        of(MarkNotificationsSeen(), Done()),
        of(
            ListUrgent(),
            .init([
                NotificationInfo(
                    record: Samples.record, kind: .urgent, by: Samples.someone, at: Samples.date, room: Samples.room,
                    text: "hi")
            ])),
        of(ShowCrossing(), Crossing()), of(SetCrossing(rooms: nil), Crossing(at: Samples.date, until: Samples.date)),
        of(SetCrossing(rooms: [Samples.room]), Crossing(rooms: [Samples.room], at: Samples.date, until: Samples.date)),
        of(SetAway("at lunch"), .init("at lunch")), of(SetAway(nil), .init(nil, missed: 3)),
        of(ListPins(Samples.room), Samples.pins), of(SetPin(.line(Samples.record), in: Samples.room), Samples.pins),
        of(SetPin(.text("at nine"), in: Samples.room), Samples.pins),
        of(SetPin(.nothing, in: Samples.room), RoomPins(Samples.room, [])),
        of(DismissUrgent(Samples.record), .init([Samples.record])), of(DismissUrgent(), .init([])),
        of(SwitchNotifications([.like, .privateMessage], isOn: false), .init(off: [.privateMessage, .like])),
    ]

    static let places = [
        of(ShowMeshCard(), Samples.card), of(ShowMeshCard(), MeshCardStatus()),
        of(SetMeshCard(Samples.cardDraft, remove: [.area, .radiusChoices]), Samples.card),
        of(TakeMeshCard(Samples.bob), Samples.card), of(TakeMeshCard(nil), MeshCardStatus()),
        of(CreatePlace(Samples.kitchen, anyway: true), Samples.post),
        of(EditPlace(Samples.item, Samples.kitchen), Samples.post),
        of(FindPlace(PlaceReference("Camp/Kitchen")), Samples.post),
        of(
            ListPlaces(
                partOf: PlaceReference("Camp"), category: "water", centre: Samples.place, within: 250,
                page: PageRequest(limit: 3)), ItemPage(items: [Samples.post])),
    ]

    static let drafts = [
        of(
            KeepDraft(NewPost(text: "look", at: Samples.place, lifetime: .seconds(90), isUrgent: true)),
            Samples.keptDraft),
        of(ListDrafts(), DraftList([Samples.keptDraft])), of(EditDraft(3, text: "words"), Samples.keptDraft),
        of(DeleteDrafts([3, 4]), Done()),
        of(
            PublishDrafts([3, 4]),
            .init(items: [Samples.post], failed: [.init(4, .invalid(faults: [.empty(text: .text)]))])),
        of(PublishDrafts(), .init()),
        of(ImportDrafts(path: "/tmp/hike.gpx"), .init([Samples.keptDraft], others: 2)),
    ]

    static let events = [
        of(CreateEvent(Samples.draft), Samples.post), of(EditEvent(Samples.item, Samples.draft), Samples.post),
        of(AttendEvent(Samples.item, false), Samples.post), of(ListEvents(), ItemPage(items: [Samples.post])),
        of(ListEvents(by: Samples.bob, isAttending: true, Samples.page), ItemPage(items: [], next: PageCursor("c"))),
    ]

    static let maps = [
        of(ListMaps(), BaseMaps(kept: [Samples.map], shared: [Samples.file])),
        of(AddMap("/tmp/camp.mbtiles"), Samples.map), of(GetMap("7cdb"), Samples.file),
        of(
            RemoveMap("camp"),
            BaseMapInfo(name: "camp.mbtiles", size: 1, problem: "it contains no tiles")),
    ]

    static let profiles = [
        of(FollowPerson(Samples.bob, false), Samples.someone),
        of(FollowMet(since: Samples.date), .init([Samples.someone])), of(ShowProfile(), Samples.someone),
        of(ShowProfile(Samples.bob), Samples.someone),
        of(ProfileChange(name: Samples.name, about: "x", colour: Colour(rgb: 1)), Samples.someone),
        of(ProfileChange(photo: .new(.file("/tmp/a.jpg")), alt: "me"), Samples.someone),
        of(ProfileChange(photo: .new(.upload(UploadID(7)))), Samples.someone),
        of(ProfileChange(photo: .remove), Samples.someone),
        of(ListProfiles(), .init([Samples.someone])), of(ShowHere(), Here(Samples.place)),
        of(SetHere(Samples.place), Here(Samples.place)), of(SetHere(nil), Here(nil)),
    ]

    static let store = [
        of(
            ShowStoreStats(),
            StoreStats(
                path: "/tmp/s", fileBytes: 1, records: 2, bytes: 3, quotaBytes: 4, authorQuotaBytes: 5,
                kinds: [.init(kind: "post", records: 1, bytes: 2)], authors: 6, oldest: Samples.date, newest: nil,
                waiting: 7, evicted: 8, expired: 9)),
        of(CheckStore(), StoreCheck(records: 1, faults: ["bad"])),
        of(RebuildStore(), StoreRebuild(records: 1, damagedPath: "/tmp/d", lost: 2, isLossKnown: false)),
        of(VacuumStore(), .init(before: 2, after: 1)), of(ShowRetention(), .everything),
        of(
            SetRetention(RetentionRule(groups: [.chat], rooms: [Samples.room], days: 3)),
            RetentionRule(groups: [.chat], rooms: [Samples.room], days: 3)),
        of(
            ExportBundle(
                path: "/tmp/x",
                BundleSelection(
                    around: .init(centre: Samples.place, radius: 5), since: Samples.date, author: Samples.bob)),
            .init(records: 1, bytes: 2)),
        of(ImportBundle(path: "/tmp/x"), ImportReport(added: 1, known: 2, outdated: 3, refused: 4, brokenAt: 5)),
    ]

    private static let blob = BlobReference(root: Samples.record.hash, size: 150_000)
    private static let position = FeedPosition(epoch: "9f3c", seq: 1_041)

    static let records = [
        of(
            RecordsPut([[1, 2], []], via: .nats),
            .init(
                [.added(Samples.record, at: position), .busy(Samples.record, seconds: 1), .refused(nil, .form)],
                position: position)),
        of(
            RecordsPut([]), .init([.known(Samples.record, at: position), .expired(Samples.record)], position: position)),
        of(ReadBridgeMesh(), .init(mesh: Samples.me.mesh, key: nil)),
        of(
            PiecesRead(blob, namedBy: Samples.record, from: 3, count: 2, crossing: true),
            .init(.here, [.init(3, [1, 2]), .init(4, [])])),
        of(PiecesRead(blob, namedBy: Samples.record, from: 0), .init(.absent)),
        of(
            PiecesPut([.init(blob, namedBy: Samples.record, 7, [1, 2, 3])]),
            .init([.kept, .known, .unknown, .refused, .early, .noSpace, .busy])),
        of(RecordsHave([Samples.record]), .init(have: [Samples.record], gone: [])),
        of(
            RecordsSubscribe(
                after: position, kinds: [1, 4], rooms: [Samples.room],
                near: .init(centre: Samples.place, radius: 5_000), notVia: .mqtt, crossing: true, window: 7),
            .init(feed: 3, position: position, top: FeedPosition(epoch: "9f3c", seq: 2_210))),
        of(RecordsSubscribe(), .init(feed: 3, position: position, top: position)),
        of(RecordsTaken(3, position), Done()), of(RecordsEnd(3), Done()),
    ]

    private static let report = {
        var report = BridgeReport(BridgeEngine(.nats), broker: "nats://broker:4222")
        (report.startedAt, report.lostAt) = (Samples.date, Samples.date)
        report.obstacleIn = .init(.unreachable, "no answer")
        report.obstacleOut = .init(.full, "a stream has no space")
        (report.behindIn, report.feed, report.behindOut, report.isMoreBehindOut) = (8_114, 3, 12, true)
        report.taken = .init(added: 1, known: 2, expired: 3, refused: 4)
        report.published = .init(stored: 5, known: 6, repeated: 7)
        report.clockAhead = .milliseconds(-94_500)
        return report
    }()

    /// What came over a bridge.
    private static let crossed = {
        var (line, item) = (Samples.message, Samples.post)
        (line.via, item.via) = (.nats, .other)
        return (line: line, item: item)
    }()

    static let bridges = [
        of(HistoryQuery(room: Samples.room, limit: 5), HistoryPage(lines: [crossed.line], hasMore: false)),
        of(ShowItem(Samples.item), ItemDetail(item: crossed.item)),
        of(ReportBridge(report), Done()), of(EndBridgeReports(), Done()),
        of(ShowBridges(), .init([], isCrossing: false)),
        of(
            ShowBridges(),
            .init([report, BridgeReport(BridgeEngine(.mqtt), isConnected: true, isComplete: true)], isCrossing: true)),
    ]

    private static let stream = StreamInfo(stream: 7, peer: Samples.peer, label: .usual)

    static let streams = [
        of(OpenStream(PeerReference(Samples.peer), label: .usual, wait: .milliseconds(1_500)), stream),
        of(ListenForStream(label: .usual), stream),
        of(ListenForStream(label: .usual, from: PeerReference(Samples.peer)), stream),
        of(SendBytes(7, [0, 255, 10]), Done()), of(SendBytes(7, []), Done()), of(FinishStream(7), Done()),
        of(ReceiveBytes(7), .init([0, 255, 10], isEnd: false)), of(ReceiveBytes(7), .init([], isEnd: true)),
        of(ResetStream(7, .diskFull), Done()),
    ]
}
