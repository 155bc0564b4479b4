import LatticeAPI
import LatticeCore
import LatticeGeo

@testable import LatticeHTTP

/// A node that knows one of everything, and remembers what it was asked.
actor FakeNode: MeshNode {
    private var asked: [any Request] = []
    private var readers: [NodeEvents.Input] = []
    private var refusal: RequestError?
    private var refusedName: String?
    private var here: Coordinate?
    private var records: UInt64 = 100

    private var hasItems = true

    private var unkept: StoreFault?
    private var isNameless = false
    private var others: [PeerInfo] = []
    private var lineNow = Sample.talkedLine

    /// In order.
    nonisolated var requests: [AnyHashable] { get async { await asked.map { AnyHashable($0) } } }

    /// From now on nobody has a profile.
    func forgetNames() { isNameless = true }

    /// From now on every line that is asked for by its id is this one.
    func keep(_ line: Message) { lineNow = line }

    func meet(_ peer: PeerInfo) { others.append(peer) }

    /// From now on nothing that is said is kept.
    func keepNothing(_ fault: StoreFault) { unkept = fault }

    /// From now on none is known.
    func forgetItems() { hasItems = false }

    /// The next request is refused, or the next one of this name.
    func refuse(_ error: RequestError, at name: String? = nil) { (refusal, refusedName) = (error, name) }

    func tell(_ event: NodeEvent) {
        for reader in readers { reader.yield(event) }
    }

    /// Nothing more happens here.
    func finish() {
        for reader in readers { reader.finish() }
    }

    func events() async -> NodeEvents {
        let (stream, input) = NodeEvents.makeStream()
        readers.append(input)
        return stream
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        asked.append(request)
        if let refusal, refusedName.map({ $0 == R.name }) ?? true {
            self.refusal = nil
            throw refusal
        }
        guard let reply = try reply(to: request) as? R.Reply else {
            throw RequestError.other(code: .stopped, message: "this test does not answer \(R.name)")
        }
        return reply
    }

    private func named(_ person: PersonInfo) -> PersonInfo {
        var person = person
        if isNameless { person.name = nil }
        return person
    }

    private func reply(to request: any Request) throws(RequestError) -> any Sendable {
        switch request {
        case is EnterPrivateRoom, is CreatePrivateRoom: return EnteredRoom([])
        case is ShowRoomKey: return ShowRoomKey.Reply("key")
        case is InviteToRoom: return Done()
        case is SendPrivateMessage: return Sample.told
        case is ListConversations, is ListPrivateMessages: return PrivateMessages([Sample.told])
        case is ShowMe: return Sample.me
        case is ListPeers: return ListPeers.Reply(Sample.peers + others)
        case is ShowSyncStatus: return Sample.syncStatus
        case is HistoryQuery: return HistoryPage(lines: [Sample.message(), Sample.privateMessage], hasMore: true)
        case is ShowLine, is ReactToLine, is EditLine, is DeleteLine: return SaidLine.room(lineNow)
        case is Say: return Say.Reply(Sample.record(9), isWaiting: true, unkept: unkept)
        case is Rename, is JoinRoom, is LeaveRoom, is SyncNow: return Done()
        case let query as NearQuery:
            guard let centre = query.centre ?? here else {
                throw RequestError.other(code: .placeNeeded, message: "around where? say it")
            }
            let item = query.what == .posts ? Sample.post : Sample.event
            let items = centre.distance(to: Sample.place) <= PostLimit.searchMax ? [item] : []
            let next = query.page.after == nil ? PageCursor("m 1,5") : nil
            return ItemPage(items: items, centre: centre, radius: query.radius, next: next)
        case is ListRooms: return ListRooms.Reply([Sample.conversation])
        case is ListUnread: return ListUnread.Reply([Sample.unread])
        case is MarkRead: return Sample.unread
        case is KeepDraft, is EditDraft: return Sample.draft
        case is ListDrafts: return DraftList([Sample.draft])
        case is DeleteDrafts: return Done()
        case is PublishDrafts:
            return PublishDrafts.Reply(
                items: [Sample.post], failed: [.init(4, .invalid(faults: [.empty(text: .text)]))])
        case is ShowMeshCard, is SetMeshCard: return Sample.card
        case is ShowCrossing, is SetCrossing: return Sample.crossing
        case is ShowBridges: return Sample.bridges
        case is ListPlaces: return ItemPage(items: [Sample.post], centre: Sample.place)
        case is SearchQuery, is ListTimeline, is ListEvents: return ItemPage(items: [Sample.post, Sample.event])
        case is ListNotifications: return NotificationPage(notifications: [Sample.notification], newCount: 1)
        case is MarkNotificationsSeen: return Done()
        case let request as SetAway: return SetAway.Reply(request.text, missed: request.text == nil ? 3 : 0)
        case is ListKnownPeople: return ListKnownPeople.Reply([Sample.known, Sample.blocked])
        case is ListMutedRooms: return MutedRooms([Sample.room("#park")])
        case let request as MuteRoom: return MutedRooms(request.isMuted ? [request.room] : [])
        case is ShowSafetyNumber: return Sample.safetyNumber
        case is VerifyPerson, is IgnorePerson, is BlockPerson: return Sample.known
        case let request as ListPins: return RoomPins(request.room, [Sample.pin])
        case let request as SetPin: return RoomPins(request.room, request.pinned == .nothing ? [] : [Sample.pin])
        case let request as ListFiles:
            if case .person = request.audience { return SharedFiles([Sample.filePrivate]) }
            return SharedFiles([Sample.file, Sample.fileElsewhere])
        case is GetFile, is CancelFile, is RemoveFile, is GetMap: return Sample.fileElsewhere
        case is ListMaps: return BaseMaps(kept: [Sample.map], shared: [Sample.file])
        case is RemoveMap: return Sample.map
        case is BeginUpload: return BeginUpload.Reply(Sample.upload)
        case is AppendUpload, is CancelUpload: return Done()
        case is PreparePhoto: return Sample.photo
        case let request as ReadPhoto:
            guard request.item.text == Sample.post.id.hex else { throw RequestError.photoNotHere }
            return PhotoBytes(Sample.jpeg(request.which))
        case let request as ReadPersonPhoto: return PhotoBytes(Sample.jpeg(request.which))
        case let request as ShareUpload:
            if request.name == "refused" {
                throw RequestError.otherAudience(room: Sample.room("#park"), isPrivate: true)
            }
            return request.name == "secret" ? Sample.filePrivate : Sample.file
        case let request as ShowFile:
            let files = [Sample.file, Sample.fileElsewhere]
            guard let file = files.first(where: { $0.id.hex == request.file }) else {
                throw RequestError.unknownItem(id: request.file)
            }
            return file
        case let request as ReadFile:
            let bytes = Sample.fileBytes.dropFirst(Int(request.offset)).prefix(request.length)
            return ReadFile.Reply(Array(bytes))
        case is ListUrgent: return ListUrgent.Reply([Sample.notification])
        case let request as DismissUrgent: return DismissUrgent.Reply(request.record.map { [$0] } ?? [])
        case is SearchLines, is LinesAround: return SearchLines.Reply([FoundLine(Sample.message())])
        case let change as SwitchNotifications: return SwitchNotifications.Reply(off: change.isOn ? [] : change.kinds)
        case let show as ShowItem:
            let items = [Sample.post, Sample.event, Sample.comment]
            guard hasItems, let item = items.first(where: { $0.id.hex == show.item.text }) else {
                throw RequestError.other(code: .unknownItem, message: "nothing here has an id that begins so")
            }
            return ItemDetail(
                item: item, comments: [Sample.comment], likedBy: [Sample.person], attendedBy: [Sample.person])
        case is ListProfiles, is FollowMet: return ListProfiles.Reply([named(Sample.person), named(Sample.other)])
        case let show as ShowProfile: return show.peer == nil ? named(Sample.own) : Sample.person
        case is FollowPerson, is ProfileChange: return Sample.person
        case is ShowHere: return Here(here)
        case let set as SetHere:
            here = set.place
            return Here(here)
        case is AttendEvent, is EditEvent:
            guard hasItems else { throw RequestError.other(code: .unknownItem, message: "nothing here has this id") }
            return Sample.event
        case is NewComment: return Sample.comment
        case is CreateEvent:
            // Each is another.
            records += 1
            var event = Sample.event
            event.id = Sample.record(records)
            return event
        default: return Sample.post
        }
    }
}

enum Sample {
    static let unread: UnreadCount = {
        do {
            return UnreadCount(.room(try RoomName("#park")), lines: 3, mentions: 1, isMore: false)
        } catch {
            preconditionFailure("it is a name: \(error)")
        }
    }()

    static let crossing = Crossing(
        rooms: [room("#park")], at: WallTime(milliseconds: 1_800_000_000_000),
        until: WallTime(milliseconds: 1_831_536_000_000))

    static let bridges: ShowBridges.Reply = {
        var lost = BridgeReport(BridgeEngine(.nats), broker: "nats://broker:4222")
        lost.startedAt = date
        lost.lostAt = WallTime(milliseconds: 1_800_000_000_000)
        lost.obstacleIn = .init(.unreachable, "no answer")
        lost.obstacleOut = .init(.full, "a stream has no space")
        (lost.behindIn, lost.behindOut, lost.clockAhead) = (3, 4, .seconds(-94))
        (lost.taken.added, lost.published.repeated) = (5, 6)
        return ShowBridges.Reply(
            [lost, BridgeReport(BridgeEngine(.mqtt), isConnected: true, isComplete: true)], isCrossing: true)
    }()

    static let card: MeshCardStatus = {
        var card = MeshCard(
            record: record(19), authorName: "bob", at: WallTime(milliseconds: 1_800_000_000_000), name: "Camp <b>")
        (card.about, card.area, card.textLength) = ("By the lake", MapArea(place, metres: 500), 280)
        (card.radiusChoices, card.welcome, card.rules) = ([100, 2_000], "Hello!", "Quiet at ten.\nNo fires.")
        card.pins = [MeshCard.Pin(record(20), name: "Kitchen"), MeshCard.Pin(record(21), name: nil)]
        return MeshCardStatus(
            signer: peer(2), card: card, defaults: MeshDefaults(textClusters: 280, radiusChoices: [100, 2_000]))
    }()

    static let conversation = ConversationInfo(unread, isMuted: true, people: 2, last: LastLine(message()))

    static let place: Coordinate = {
        guard let place = Coordinate(latitude: 40.7128, longitude: -74.006) else { preconditionFailure("it is one") }
        return place
    }()

    static let date = WallTime(milliseconds: 1_795_341_600_123)

    static func record(_ number: UInt64) -> RecordID { RecordID(Bytes32(words: (number, 0, 0, 1))) }

    static func peer(_ number: UInt64) -> PeerID { PeerID(Bytes32(words: (number << 40, 0, 0, number))) }

    static func name(_ text: String) -> PeerName {
        do { return try PeerName(text) } catch { preconditionFailure("\(error)") }
    }

    static func room(_ text: String) -> RoomName {
        do { return try RoomName(text) } catch { preconditionFailure("\(error)") }
    }

    static let me: Me = {
        do {
            return Me(
                id: peer(1), name: name("alice"), mesh: try MeshName("camp"), port: 4_000, discovery: "off",
                rooms: [room("#park"), room("#secret")], privateRooms: [room("#secret")])
        } catch { preconditionFailure("\(error)") }
    }()

    static let peers = [
        PeerInfo(
            id: peer(2), prefix: nil, name: "bob", state: .connected, hops: 1, roundTrip: .milliseconds(3),
            address: PeerAddress(host: "10.0.0.2", port: 4_000), source: .given, isHere: true, rooms: [room("#park")],
            info: ["role=kitchen"]),
        PeerInfo(
            id: peer(3), prefix: nil, name: "carol", state: .notConnected, hops: 2, via: peer(2), isHere: true,
            rooms: [room("#far")]),
        PeerInfo(id: peer(4), prefix: nil, name: "guest", state: .notConnected, hops: 1, isHere: true, host: peer(2)),
        PeerInfo(id: nil, prefix: nil, name: "seen", state: .notConnected, reason: .goodbye(text: "refused")),
    ]

    static let person = PersonInfo(
        id: peer(2), name: "bob", about: "likes parks", colour: Colour(rgb: 0x1E90FF), photo: photo)

    static let known = KnownPerson(id: peer(2), name: name("bob"), verified: date, ignored: date)
    static let blocked = KnownPerson(id: peer(3), name: name("carol"), blocked: date)
    static let safetyNumber = SafetyNumberInfo(
        person: known, groups: (0..<12).map { "0000\($0 % 10)" }, words: (0..<12).map { "word\($0)" })

    static let own = PersonInfo(id: peer(1), name: "alice", about: "", colour: nil, isMe: true)

    static let other = PersonInfo(id: peer(3), name: "carol", about: "", colour: nil)

    static let post: ItemInfo = {
        var item = made(1, .post)
        (item.text, item.placeName, item.blur) = ("<b>hello</b> & \"you\" \u{1} ", "City Hall", 7)
        item.photo = described
        item.writtenAt = WallTime(milliseconds: date.milliseconds - 3_600_000)
        return item
    }()

    static let draft: DraftInfo = {
        var draft = DraftInfo(number: 3, text: "hi", at: place, written: date)
        (draft.blur, draft.placeName, draft.lifetime) = (6, "City Hall", .seconds(90))
        (draft.isUrgent, draft.atPlace, draft.unlockMetres, draft.photo) = (true, record(8), 50, described)
        return draft
    }()

    static let event: ItemInfo = {
        var item = made(2, .event)
        (item.title, item.placeName, item.isMine) = ("Party", "Main St", true)
        (item.starts, item.ends) = (date, date)
        return item
    }()

    static let comment: ItemInfo = {
        var item = made(3, .comment)
        (item.text, item.parent, item.place) = ("nice", record(1), nil)
        return item
    }()

    private static func made(_ number: UInt64, _ kind: ItemInfo.Kind) -> ItemInfo {
        var item = ItemInfo(
            id: record(number), short: "000001", kind: kind, state: .shown, author: peer(2), authorName: "bob",
            at: date, expires: date)
        (item.place, item.metres, item.bearing) = (place, 12.5, 90)
        (item.authorColour, item.authorPhotoSize) = (Colour(rgb: 0xFF0000), 48_123)
        return item
    }

    static let notification = NotificationInfo(
        record: record(5), kind: .comment, by: person, at: date, isNew: true, room: room("#park"), text: "hi",
        emoji: "👍", item: post, comment: comment)

    /// More than one part.
    static let fileBytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    static let file = file(3, "a b.html", "text/html", .here)
    static let upload = UploadID(7)
    static let photo = PhotoInfo(width: 560, height: 420, size: 48_123, state: .here)
    static let described = PhotoInfo(width: 560, height: 420, size: 48_123, alt: "a <b>bridge</b>", state: .shared)

    static func jpeg(_ which: PhotoSize) -> [UInt8] { [0xFF, 0xD8, which == .photo ? 1 : 2] }

    static let fileElsewhere = file(4, "map.pdf", "application/pdf", .coming)

    static let map = BaseMapInfo(
        name: "camp.mbtiles", size: 12, title: "Birch Lake", bounds: MapBounds(degrees: [1, 2, 3, 4]), zooms: 0...3,
        attribution: "© somebody")
    static let filePrivate = FileInfo(
        id: record(5), name: "secret", type: "text/plain", size: 9, by: RoomEvent.Person(peer(3), name("carol")),
        at: date,
        room: nil, with: RoomEvent.Person(peer(4), name("dave")), isPrivate: true, state: .here, here: 9,
        isDelivered: true)

    private static func file(_ number: UInt64, _ name: String, _ type: String, _ state: FileInfo.State) -> FileInfo {
        FileInfo(
            id: record(number), name: name, type: type, size: Int64(fileBytes.count),
            by: RoomEvent.Person(peer(3), Sample.name("carol")), at: date, room: room("#park"), state: state,
            here: state == .here ? Int64(fileBytes.count) : 1_000)
    }

    static let pin = RoomPin(by: RoomEvent.Person(peer(3), name("carol")), at: date, line: message())

    static func message(_ number: UInt64 = 7, _ text: String = "hi") -> Message {
        Message(
            record: record(number), room: room("#park"), from: peer(2), name: name("bob"), text: text, style: .says,
            at: date, hops: 1)
    }

    /// An edited answer that two people reacted to.
    static let talkedLine: Message = {
        var line = Message(
            record: record(7), room: room("#park"), from: peer(2), name: name("bob"), text: "at ten", style: .says,
            at: date, hops: nil, reply: LineReference(message(6, "when?")))
        (line.isEdited, line.via) = (true, .nats)
        line.reactions = [LineReaction("👍", by: [peer(1), peer(3)]), LineReaction("❤️", by: [peer(3)])]
        return line
    }()

    static let told = PrivateMessage(
        number: 1, peer: peer(2), peerName: nil, isMine: true, text: "hi", style: .says,
        at: WallTime(milliseconds: 1_800_000_000_000), isLate: false, state: .waiting, record: record(12))

    static let privateMessage = Message(
        record: record(8), room: room("#secret"), from: peer(2), name: name("bob"), text: "psst", style: .says,
        at: date, hops: 1, isPrivate: true)

    static let syncStatus = SyncStatus(
        progress: SyncProgress(isCaughtUp: true, fetched: 1, total: 1, peers: 1), caughtUpAt: date,
        groups: [.init(name: "chat", records: 3, since: nil), .init(name: "posts", records: 3, since: date)],
        peers: [.init(id: peer(2), name: "bob", isConnected: true, comparedAt: date, gained: 1, given: 2)])

    static let token: AccessToken = {
        guard let token = AccessToken("tokentokentokentokento") else { preconditionFailure("it is one") }
        return token
    }()
}
