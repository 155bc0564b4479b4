import LatticeAPI
import LatticeCore
import LatticeGeo

private func made<Value>(_ make: @autoclosure () throws -> Value) -> Value {
    do {
        return try make()
    } catch {
        preconditionFailure("samples are right: \(error)")
    }
}

/// One of everything that can be asked, answered and told.
enum Samples {
    static let pins = RoomPins(
        room,
        [
            RoomPin(by: .init(peer, name), at: date, text: "at nine"),
            RoomPin(by: .init(peer, nil), at: date, line: message),
        ])
    static let peer = PeerID(Bytes32(words: (1, 2, 3, 4)))
    static let record = RecordID(Bytes32(words: (5, 6, 7, 8)))
    static let room = made(try RoomName("#park"))
    static let name = made(try PeerName("bob"))
    static let place = Coordinate(latitude: 52.5, longitude: -13.4000001)!
    static let date = WallTime(milliseconds: 1_795_000_000_123)
    static let item = ItemReference("a1b2c3")
    static let bob = PeerReference("bob#k7f3")
    static let page = PageRequest(limit: 7, after: PageCursor("x"))
    static let message = Message(
        record: record, room: room, from: peer, name: name, text: "grüß \u{1F44B} \"quoted\"\n", style: .acts, at: date,
        hops: 2, isLate: true, isPrivate: true)
    static let privateMessage = PrivateMessage(
        number: 9, peer: peer, peerName: name, isMine: true, text: "psst", style: .says, at: date, isLate: false,
        state: .relayed, isFileDelivered: true)
    static let person = KnownPerson(id: peer, name: name, petname: nil, firstSeen: date, verified: date)
    static let me = Me(
        id: peer, name: name, mesh: made(try MeshName("camp")), port: 4_000, discovery: "off", rooms: [room])
    static let progress = SyncProgress(isCaughtUp: false, fetched: 3, total: 9, peers: 2)
    static let someone = PersonInfo(id: peer, name: "bob", about: "here", colour: Colour(rgb: 0x12_34_56), posts: 3)
    static var post: ItemInfo {
        var item = ItemInfo(
            id: record, short: "a1b2c3", kind: .post, state: .shown, author: peer, authorName: "bob", at: date,
            expires: date)
        item.place = place
        (item.metres, item.authorPhotoSize) = (12.5, 48_123)
        item.text = "look"
        return item
    }
    static let map = BaseMapInfo(
        name: "camp.mbtiles", size: 12, title: "Birch Lake", bounds: MapBounds(degrees: [1, 2, 3, 4]), zooms: 0...3,
        attribution: "somebody")
    static let file = FileInfo(
        id: record, name: "camp.mbtiles", type: "application/vnd.sqlite3", size: 12, by: .init(peer, name), at: date,
        room: room, state: .shared, here: 0, bounds: MapBounds(degrees: [1, 2, 3, 4]))
    static let kitchen = PlaceDraft(
        name: "Kitchen", at: draft.at, category: "kitchen", hours: "8 to 20", text: "soup",
        partOf: PlaceReference("Camp"), editors: [bob])

    static var keptDraft: DraftInfo {
        var draft = DraftInfo(number: 3, text: "look", at: place, written: date)
        (draft.blur, draft.placeName, draft.lifetime) = (6, "gate", .seconds(90))
        (draft.isUrgent, draft.atPlace, draft.unlockMetres) = (true, record, 50)
        draft.photo = PhotoInfo(width: 4, height: 3, size: 9, alt: "a pot", state: .here)
        return draft
    }

    static var card: MeshCardStatus {
        var card = MeshCard(record: record, authorName: "bob", at: date, name: "Camp")
        (card.about, card.area, card.textLength) = ("By the lake", MapArea(place, metres: 500), 280)
        (card.radiusChoices, card.welcome, card.rules) = ([100, 2_000], "Hello!", "Quiet at ten.")
        card.pins = [MeshCard.Pin(record, name: "Kitchen"), MeshCard.Pin(record, name: nil)]
        return MeshCardStatus(
            signer: peer, isMine: true, card: card, defaults: MeshDefaults(textClusters: 280, radiusChoices: [100]))
    }

    static var cardDraft: MeshCardDraft {
        var draft = MeshCardDraft()
        (draft.name, draft.about, draft.area) = ("Camp", "By the lake", MapArea(place, metres: 500))
        (draft.textLength, draft.radiusChoices, draft.pins) = (280, [2_000, 100], [PlaceReference("Kitchen")])
        (draft.welcome, draft.rules) = ("Hello!", "Quiet at ten.")
        return draft
    }

    static let draft = EventDraft(name: "party", at: place, starts: date, text: "come")
    static var refused: RefusalCounts {
        var counts = RefusalCounts()
        counts.add(.halfOpen, 3)
        return counts
    }

    static let unread = UnreadCount(.room(room), lines: 7, mentions: 1, isMore: false)

    static let events: [NodeEvent] = [
        .ready(me), .peer(PeerChange(id: peer, name: name, state: .notConnected, reason: .goodbye(text: "they left"))),
        .presence(PresenceChange(id: peer, name: name, isHere: true, rooms: [room], hops: 2)), .message(message),
        .privateMessage(privateMessage), .privateProgress(PrivateProgress(number: 1, peer: peer, state: .delivered)),
        .privateProgress(PrivateProgress(number: 2, peer: peer, state: .delivered, file: "map.pdf")),
        .invitation(peer, name, context: [0, 255, 7]), .notice(Notice(.problem, code: "diskFull", "mend it")),
        .posted(post), .sync(progress), .missed(3), .nameClash(NameClash(newcomer: person, known: person)),
        .renamed(peer, from: name, to: made(try PeerName("rob"))),
        .contactMarks(
            ContactMarks(verified: [peer], blocked: [], ignored: [peer], muted: [room], petnames: [peer: name])),
        .me(me), .placed(PlacedItem(item: record, place: place)),
        .room(
            RoomEvent(
                .invited, room, by: .init(peer, nil), others: [.init(peer, name)], reason: .quotaFull)),
        .changed(
            FeedChanges(
                items: [ItemChange(record, about: record, [.like, .deletion]), ItemChange(record, [.attendance])],
                people: [PersonChange(peer, [.profile, .follow])])),
        .changed(.many), .sent([record]), .read(unread), .notificationsSeen, .urgentDismissed([record]),
        .pinned(PinChange(room, by: .init(peer, name), pins.pins[0])),
        .pinned(PinChange(room, by: .init(peer, nil), nil)),
        .notification(
            NotificationInfo(
                record: record, kind: .reaction, by: someone, at: date, isNew: true, room: room, text: "hi",
                emoji: "👍")),
    ]
}
