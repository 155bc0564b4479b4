import DequeModule
import LatticeCore
import LatticeWire

/// Announcements (IHAVE) that wait for others, so that one frame holds many.
///
/// What a neighbour gets another way waits longer: its announcement only matters if that way has lost the record.
struct Announcements: Sendable {
    private struct Row: Sendable {
        var soon: [Have.Entry] = []
        /// Those that wait longer, and since when; in that order.
        var later: Deque<(entry: Have.Entry, since: Instant)> = []
        /// How many nanoseconds the oldest of these waits. It doubles with every frame of them, and is the shortest again once the
        /// neighbour requests a record.
        var patience: Int64
        /// Whether we announce first what both ends have.
        let isFirst: Bool

        /// When they go out. The end that announces second leaves the first one time to do so.
        var laterUntil: Instant? {
            guard let oldest = later.first else { return nil }
            return isFull ? oldest.since : oldest.since.advanced(byNanoseconds: isFirst ? patience : patience * 2)
        }

        var isFull: Bool {
            later.count >= (isFirst ? MeshLimit.postponedMax : MeshLimit.postponedMax * 2)
        }

        /// - Parameter isDue: they go out by themselves, not in a frame that goes out anyway.
        mutating func takeLater(isDue: Bool, at now: Instant) -> [Have.Entry] {
            let countMin = isFirst ? later.count : isFull ? MeshLimit.postponedMax : 0
            var entries: [Have.Entry] = []
            let latest = now.nanoseconds - patience * 3 / 2
            while let first = later.first, entries.count < countMin || first.since.nanoseconds <= latest {
                entries.append(first.entry)
                later.removeFirst()
            }
            if isDue { patience = min(patience * 2, Announcements.patienceMax) }
            return entries
        }
    }

    private static let patienceMax = MeshLimit.postponedHaveDelayMax.nanoseconds
    private let haveNanoseconds: Int64
    /// Row `i` belongs to link `i` of `LinkRegister`.
    private var rows: [Row] = []
    private var soonAt: Instant?
    private var laterAt: Instant?

    init(haveDelay: Duration) {
        haveNanoseconds = haveDelay.nanoseconds
    }

    // MARK: - Links

    mutating func linkOpened(announcesFirst isFirst: Bool) {
        rows.append(Row(patience: haveNanoseconds, isFirst: isFirst))
    }

    mutating func linkClosing(_ index: Int) {
        rows[index].soon = []
        rows[index].later = []
    }

    mutating func linkRemoved(at index: Int) {
        rows.remove(at: index)
    }

    // MARK: - Entries

    mutating func add(_ entry: Have.Entry, to index: Int, at now: Instant) {
        rows[index].soon.append(entry)
        if rows[index].soon.count > MeshLimit.unreportedMax { rows[index].soon.removeFirst() }
        if soonAt == nil { soonAt = now.advanced(byNanoseconds: haveNanoseconds) }
    }

    /// The neighbour gets the record another way.
    mutating func addLater(_ entry: Have.Entry, to index: Int, at now: Instant) {
        rows[index].later.append((entry, now))
        if rows[index].later.count == 1 || rows[index].isFull { considerLater(index) }
    }

    /// The neighbour has this record, so no announcement is needed.
    mutating func has(_ id: RecordID, at index: Int) {
        if let known = rows[index].soon.firstIndex(where: { $0.id == id }) { rows[index].soon.remove(at: known) }
        if let known = rows[index].later.firstIndex(where: { $0.entry.id == id }) {
            rows[index].later.remove(at: known)
        }
    }

    /// The neighbour lacked something, so the other ways lose records.
    mutating func grafted(by index: Int) {
        rows[index].patience = haveNanoseconds
        considerLater(index)
    }

    private mutating func considerLater(_ index: Int) {
        guard let until = rows[index].laterUntil else { return }
        laterAt = min(laterAt ?? until, until)
    }

    // MARK: - Time

    var nextDeadline: Instant? {
        guard let soonAt else { return laterAt }
        return min(soonAt, laterAt ?? soonAt)
    }

    mutating func release(at now: Instant, send: (Int, Have) -> Void) {
        let isDue = soonAt.map { $0 <= now } ?? false
        guard isDue || laterAt.map({ $0 <= now }) ?? false else { return }
        if isDue { soonAt = nil }
        laterAt = nil
        for index in rows.indices {
            var entries: [Have.Entry] = []
            if isDue {
                entries = rows[index].soon
                rows[index].soon.removeAll(keepingCapacity: true)
            }
            // A frame that goes out anyway takes along what waits.
            let isLaterDue = rows[index].laterUntil.map { $0 <= now } ?? false
            if isLaterDue || !entries.isEmpty { entries += rows[index].takeLater(isDue: isLaterDue, at: now) }
            considerLater(index)
            for start in stride(from: 0, to: entries.count, by: Have.countMax) {
                send(index, Have(entries: Array(entries[start..<min(start + Have.countMax, entries.count)])))
            }
        }
    }
}
