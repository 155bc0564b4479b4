import LatticeAPI
import LatticeCore
import LatticeGeo

/// A node that notes what it was asked about posts and answers as a test says.
actor CommandNode: MeshNode {
    typealias Answering = @Sendable (any Request) throws(RequestError) -> any Sendable

    private var asked: [any Request] = []
    private let answering: Answering

    /// In order.
    nonisolated var requests: [AnyHashable] { get async { await asked.map { AnyHashable($0) } } }

    init(_ answering: @escaping Answering = obliging) {
        self.answering = answering
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        // For the defaults, by many commands.
        if !(request is ShowMeshCard) { asked.append(request) }
        // Most tests have no card of the mesh.
        guard let reply = try answering(request) as? R.Reply ?? MeshCardStatus() as? R.Reply else {
            preconditionFailure("\(R.name) has another reply")
        }
        return reply
    }

    func events() -> NodeEvents {
        .over
    }

    static let here = Coordinate(latitude: 40.7128, longitude: -74.006)

    static let item: ItemInfo = {
        let peer = PeerID(.zero)
        var item = ItemInfo(
            id: RecordID(.zero), short: "a1b2c3", kind: .post, state: .shown, author: peer, authorName: "bob",
            at: WallTime(milliseconds: 1_795_253_400_000), expires: WallTime(milliseconds: 1_797_845_400_000))
        item.text = "Water at the gate"
        item.place = here
        item.metres = 180
        item.bearing = 45
        return item
    }()

    static let draft: DraftInfo = {
        guard let here else { preconditionFailure("it lies on the globe") }
        return DraftInfo(number: 2, text: "Water at\nthe gate", at: here, written: item.at)
    }()

    static let me: PeerID = {
        guard let key = Bytes32([UInt8](repeating: 7, count: 32)) else { preconditionFailure("32 bytes are 32 bytes") }
        return PeerID(key)
    }()

    /// Knows one person.
    private static func known(_ request: any Request) throws(RequestError) -> any Sendable {
        var bob = KnownPerson(id: PeerID(.zero), firstSeen: item.at, lastSeen: item.at)
        bob.blocked = item.at
        return switch request {
        case is ListKnownPeople: ListKnownPeople.Reply([bob])
        case is ShowSafetyNumber:
            SafetyNumberInfo(person: bob, groups: (10...21).map { "123\($0)" }, words: (1...12).map { "word\($0)" })
        case is FindPerson, is VerifyPerson, is AddContact, is RemoveContact, is BlockPerson, is IgnorePerson: bob
        case let request as BlockPeople:
            BlockPeople.Reply(
                new: request.entries.count { $0.id != me }, hasSelf: request.entries.contains { $0.id == me })
        case let request as MuteRoom: MutedRooms(request.isMuted ? [request.room] : [])
        case is ListMutedRooms: MutedRooms([])
        default: throw RequestError.other(code: .stopped, message: "this is an archive")
        }
    }

    /// Has one of everything.
    static let obliging: Answering = { request throws(RequestError) in
        switch request {
        case is NewPost, is NewComment, is LikeItem, is DeleteItem, is EditItem, is CreateEvent, is EditEvent,
            is AttendEvent, is CreatePlace, is EditPlace, is FindPlace:
            item
        case is KeepDraft, is EditDraft: draft
        case is ListDrafts: DraftList([draft])
        case is DeleteDrafts: Done()
        case is PublishDrafts: PublishDrafts.Reply(items: [item])
        case is ImportDrafts: ImportDrafts.Reply([draft], others: 2)
        case is ListPlaces: ItemPage(items: [])
        case is ShowMeshCard, is SetMeshCard, is TakeMeshCard: MeshCardStatus()
        case is ShowCrossing, is SetCrossing: Crossing()
        case is ShowBridges: ShowBridges.Reply([], isCrossing: false)
        case is NearQuery, is ListTimeline, is ListEvents, is SearchQuery:
            ItemPage(items: [item], centre: here, radius: 2_000)
        case is ShowItem: ItemDetail(item: item)
        case is ListNotifications: NotificationPage(notifications: [], newCount: 0)
        case is MarkNotificationsSeen: Done()
        case is ListUrgent: ListUrgent.Reply([])
        case is DismissUrgent: DismissUrgent.Reply([])
        case is SearchLines: SearchLines.Reply([])
        case is LinesAround:
            SearchLines.Reply([
                FoundLine(
                    record: nil, conversation: .peer(PeerReference("bob")), from: PeerID(.zero), name: "bob",
                    text: "hi",
                    at: WallTime(milliseconds: 0))
            ])
        case is SwitchNotifications: SwitchNotifications.Reply(off: [])
        case is FollowPerson, is ShowProfile, is ProfileChange: PersonInfo(id: PeerID(.zero), name: "bob")
        case is ListProfiles, is FollowMet: ListProfiles.Reply([PersonInfo(id: PeerID(.zero), name: "bob")])
        case is ShowHere: Here(here)
        case let request as SetHere: Here(request.place)
        case is ShowStoreStats:
            StoreStats(
                path: "/store", fileBytes: 4_096, records: 1, bytes: 200, quotaBytes: 1_073_741_824,
                authorQuotaBytes: 67_108_864, kinds: [.init(kind: "post", records: 1, bytes: 200)], authors: 1,
                oldest: item.at, newest: item.at, waiting: 0, evicted: 0, expired: 0)
        case is CheckStore: StoreCheck(records: 1, faults: [])
        case is RebuildStore: StoreRebuild(records: 1)
        case is VacuumStore: VacuumStore.Reply(before: 8_192, after: 4_096)
        case is ShowRetention: RetentionRule.everything
        case let request as SetRetention: request.rule
        case is ExportBundle: ExportBundle.Reply(records: 1, bytes: 200)
        case is ImportBundle: ImportReport(added: 1)
        default: try known(request)
        }
    }
}
