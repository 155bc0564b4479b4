import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeStore
import LatticeWire
import Logging

/// Notifies fronts of what happens: each of the news once, and of what stored records changed when these have been read.
final class Notifier {
    /// More are announced as "many".
    private static let recordsMax = 4_096
    private static let strangersMax = 1_024

    private let logger: Logger
    private let noticeText: @Sendable (Notice) -> String
    /// The first event is readiness.
    private(set) var isReady = false
    private var isStoreFaulty = false
    /// Private rooms: older keys and public namesakes.
    private var strangers: Set<String> = []
    private var records: [VerifiedRecord] = []
    let news = Signal()
    private var recent = RecentLines()
    private var early = EarlyActs()
    var personal = PersonalNews()
    var pins = ShownPins()
    private(set) var spoken = SpokenTimes()

    /// - Parameter noticeText: what the log says of a notice.
    init(_ logger: Logger, noticeText: @escaping @Sendable (Notice) -> String) {
        (self.logger, self.noticeText) = (logger, noticeText)
    }

    // MARK: - Events

    /// The first event is readiness.
    func tell(_ event: NodeEvent, for node: isolated Node) {
        notifyOwner(event, for: node)
        if event.isForEverybody { node.personas.deliverToVisitors(event) }
    }

    /// Delivers an event to one persona only.
    func deliver(_ event: NodeEvent, to id: PeerID, for node: isolated Node) {
        if id == node.personas.owner.id {
            notifyOwner(event, for: node)
        } else {
            node.personas.deliver(event, to: id)
        }
    }

    /// Events for an ended visit are dropped.
    func deliver(_ events: [NodeEvent], in visit: Persona.Visit, for node: isolated Node) {
        guard !events.isEmpty, node.personas[visit] != nil else { return }
        for event in events { deliver(event, to: visit.id, for: node) }
    }

    /// Delivers an event to the owner only.
    func notifyOwner(_ event: NodeEvent, for node: isolated Node) {
        deliverReady(for: node)
        log(event)
        node.personas.deliver(event, to: node.personas.owner.id)
    }

    /// Delivers a line of a public room to everybody in it.
    func deliverLine(_ line: Message, for node: isolated Node) {
        guard let line = early.take(for: line).map({ recent.add($0) }) else { return }
        if !line.isLate { spoken.spoke(line.from, at: Clocks.now) }
        let isOwnerIn = node.personas.owner.rooms.contains(line.room)
        if isOwnerIn, !node.personas.owner.privacy.isPublic(line.room) {
            node.rooms.reportNamesake(line.room, for: node)
        }
        deliver(.message(line), in: line.room, for: node)
        note(line, for: node)
    }

    /// Delivers what changed about a line of a public room to everybody in it.
    func deliverChange(_ change: LineChange, for node: isolated Node) {
        guard !early.hides(change.line.record), recent.change(change.line) else { return }
        deliver(.lineChanged(change), in: change.line.room, for: node)
    }

    /// An edit, a deletion or an emoji arrived. Fronts hear of it when it is stored, if its line is here by then.
    func heard(_ act: VerifiedRecord) {
        guard let line = LineAct(act)?.line, recent[line] == nil else { return }
        early.add(act, on: line)
    }

    /// The store knew that this line was deleted, which was shown when it arrived.
    func deliverDeletion(of record: RecordID, for node: isolated Node) {
        guard let line = recent[record], !line.isDeleted else { return }
        deliverChange(LineChange(.deleted, by: line.from, of: line.deleted), for: node)
    }

    private func deliver(_ event: NodeEvent, in room: RoomName, for node: isolated Node) {
        let owner = node.personas.owner
        let isForOwner = owner.rooms.contains(room) && owner.privacy.isPublic(room)
        if isForOwner { notifyOwner(event, for: node) }
        if isForOwner || node.personas.hasVisitors(in: room) { node.personas.deliverToVisitors(event) }
    }

    /// A service may have no front that reads events.
    private func log(_ event: NodeEvent) {
        guard case .notice(let notice) = event, notice.level == .problem else { return }
        logger.warning("\(noticeText(notice))", metadata: ["code": "\(notice.code)"])
    }

    // MARK: - Once

    func deliverReady(for node: isolated Node) {
        guard !isReady else { return }
        isReady = true
        let ready = NodeEvent.ready(node.me)
        node.personas.deliver(ready, to: node.personas.owner.id)
        node.personas.deliverToVisitors(ready)
    }

    /// The store takes nothing. Fronts hear of it once, until it works again.
    func reportOnce(_ error: StoreError, for node: isolated Node) {
        guard !isStoreFaulty else { return }
        isStoreFaulty = true
        tell(.notice(.failed(error: RequestError(error))), for: node)
    }

    func storeWorks() {
        isStoreFaulty = false
    }

    /// Whether this is the first notice of its kind about strangers.
    func isFirst(_ stranger: String) -> Bool {
        strangers.count < Self.strangersMax && strangers.insert(stranger).inserted
    }

    // MARK: - Stored records

    /// These were stored; what they change has to be read.
    ///
    /// - Returns: `false` if there are too many to announce one by one.
    func add(_ more: some Collection<VerifiedRecord>) -> Bool {
        guard !more.isEmpty else { return true }
        news.raise()
        guard records.count < Self.recordsMax else { return false }
        records += more
        return true
    }

    func takeRecords() -> [VerifiedRecord] {
        defer { records = [] }
        return records
    }
}
