import LatticeCore
import LatticeMesh

/// One life of a peer, from a start to its end. What was meant for an earlier life is dropped.
struct Life: Hashable {
    let peer: Int
    let instance: UInt64
}

struct Dialling {
    let dialler: Life
    let target: Int
    let dial: DialID
}

/// The clock of a world and everything that will happen. Data that does not fit into an `Entry` waits in pools.
struct Schedule {
    enum Occurrence {
        case weather(Weather)
        case errand(MeshEvent, for: Life)
        /// An event that arrives over a connection.
        case delivery(MeshEvent, to: LinkID)
        /// A record that arrives over a connection.
        case heard(Entry)
        case woke(Life)
        case opened(Dialling)
        case mischief(Life)
        case store(StoreErrand, for: Life)
        /// The socket at the other end of this link takes more.
        case writable(to: LinkID)
        case inspection
    }

    private var queue = CalendarQueue()
    private var weather: [Weather] = []
    private var deliveries = Pool<MeshEvent>()
    private var errands = Pool<(life: Life, event: MeshEvent)>()
    private var diallings = Pool<Dialling>()
    private var storeErrands = Pool<(life: Life, errand: StoreErrand)>()

    /// Milliseconds since the start.
    var now: Int64 { queue.now }

    /// Takes out what happens next, if it is due by `end`, and advances the clock to its time.
    mutating func next(until end: Int64) -> Occurrence? {
        guard let entry = queue.pop(until: end) else { return nil }
        switch entry.kind {
        case .weather: return .weather(weather[Int(entry.payload)])
        case .errand:
            let errand = errands.take(entry.payload)
            return .errand(errand.event, for: errand.life)
        case .delivery: return .delivery(deliveries.take(entry.payload), to: entry.link)
        case .heard: return .heard(entry)
        case .woke: return .woke(entry.life)
        case .opened: return .opened(diallings.take(entry.payload))
        case .mischief: return .mischief(entry.life)
        case .store:
            let errand = storeErrands.take(entry.payload)
            return .store(errand.errand, for: errand.life)
        case .writable: return .writable(to: entry.link)
        case .inspection: return .inspection
        }
    }

    /// Advances the clock; nothing may be due before `time`.
    mutating func advance(to time: Int64) {
        queue.advance(to: time)
    }

    mutating func add(_ event: Weather) {
        queue.push(Entry(.weather, payload: weather.count), at: event.time)
        weather.append(event)
    }

    mutating func add(_ event: MeshEvent, for life: Life, after wait: Int64) {
        queue.push(Entry(.errand, subject: life.peer, payload: errands.put((life, event))), at: now + wait)
    }

    mutating func add(_ errand: StoreErrand, for life: Life, after wait: Int64) {
        queue.push(Entry(.store, subject: life.peer, payload: storeErrands.put((life, errand))), at: now + wait)
    }

    mutating func add(_ dialling: Dialling, after wait: Int64) {
        queue.push(Entry(.opened, payload: diallings.put(dialling)), at: now + wait)
    }

    mutating func addWake(of life: Life, at time: Int64) {
        queue.push(Entry(.woke, life), at: time)
    }

    mutating func addMischief(of life: Life, after wait: Int64) {
        queue.push(Entry(.mischief, life), at: now + wait)
    }

    mutating func addWritable(to link: LinkID, at time: Int64) {
        queue.push(Entry(.writable, subject: Int(link.rawValue)), at: time)
    }

    mutating func addInspection(after wait: Int64) {
        queue.push(Entry(.inspection), at: now + wait)
    }

    /// The entry must then be pushed or dropped.
    mutating func delivery(_ event: MeshEvent, to link: LinkID) -> Entry {
        Entry(.delivery, subject: Int(link.rawValue), payload: deliveries.put(event))
    }

    mutating func push(_ entry: Entry, at time: Int64) {
        queue.push(entry, at: time)
    }

    mutating func drop(_ entry: Entry) {
        if entry.kind == .delivery { _ = deliveries.take(entry.payload) }
    }

    mutating func copy(of entry: Entry) -> Entry {
        guard entry.kind == .delivery else { return entry }
        let event = deliveries.take(entry.payload)
        // The slot just freed is reused, so the original keeps its number.
        let number = deliveries.put(event)
        precondition(number == Int(entry.payload), "a pool gives the slot it got last")
        return delivery(event, to: entry.link)
    }
}

extension Entry {
    fileprivate init(_ kind: Kind, _ life: Life) {
        self.init(kind, subject: life.peer, payload: Int(life.instance))
    }

    fileprivate var life: Life { Life(peer: Int(subject), instance: UInt64(payload)) }

    /// The receiver's link, for what travels over a connection.
    var link: LinkID { LinkID(rawValue: UInt64(subject)) }
}
