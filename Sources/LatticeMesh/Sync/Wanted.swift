import DequeModule
import LatticeCore
import LatticeWire

/// Records known to be missing here: which links have them, and which was asked.
///
/// Entries are in an array and named by index, so that each step costs only the look-up by id, even with a hundred
/// thousand entries. Queues hold tickets; a ticket whose entry was reused is skipped.
struct Wanted: Sendable {
    private static let ageMax = MeshLimit.fetchAgeMax.nanoseconds
    private var places: [RecordID: Int32] = [:]
    private var entries: [WantedEntry] = []
    private var free: [Int32] = []
    private var sources: [FetchSource?] = []
    private var openCount = 0
    private(set) var arrivedCount = 0
    private var arrivedBytes = 0
    /// Nothing is requested before this time, because the store has failed.
    private var pausedUntil: Instant?
    private var pause = MeshLimit.storeRetryMin

    var count: Int { places.count }
    var isEmpty: Bool { places.isEmpty }

    func state(of id: RecordID) -> WantedEntry.State? {
        places[id].map { entries[Int($0)].state }
    }

    func link(_ slot: SourceSlot) -> LinkID? {
        slot.index < sources.count ? sources[slot.index]?.link : nil
    }

    /// Ids that this link was the first to name.
    func announcedCount(_ slot: SourceSlot) -> Int {
        sources[slot.index]?.announcedCount ?? 0
    }

    /// How many ids one link may be the first to name.
    var share: Int {
        max(MeshLimit.wantedPerLinkMin, MeshLimit.wantedMax / max(1, openCount))
    }

    // MARK: - Links

    /// - Returns: `nil` if all slots are taken.
    mutating func open(_ link: LinkID) -> SourceSlot? {
        let number = sources.firstIndex { $0 == nil } ?? sources.count
        guard number < SourceSlot.countMax else { return nil }
        if number == sources.count { sources.append(nil) }
        sources[number] = FetchSource(link: link)
        openCount += 1
        return SourceSlot(number: UInt8(number))
    }

    mutating func close(_ slot: SourceSlot) {
        abandon(slot)
        for index in entries.indices {
            if entries[index].announcer == slot { entries[index].announcer = nil }
            if entries[index].state == .arrived(from: slot) { entries[index].state = .arrived(from: nil) }
        }
        sources[slot.index] = nil
        openCount -= 1
    }

    /// Requests nothing from this link any more, and forgets ids that only it has.
    mutating func abandon(_ slot: SourceSlot) {
        guard let owed = sources[slot.index]?.asked else { return }
        sources[slot.index]?.queue = []
        sources[slot.index]?.asked = []
        for asked in owed where isOwed(asked.ticket, by: slot) {
            sources[slot.index]?.window.excuse(1)
            dropSource(slot, of: Int(asked.ticket.index))
        }
        for index in entries.indices where entries[index].sources & slot.bit != 0 {
            entries[index].sources &= ~slot.bit
            entries[index].queues &= ~slot.bit
            if entries[index].sources == 0, entries[index].state == .queued { vacate(index) }
        }
    }

    // MARK: - What is missing

    /// - Returns: `false` if this link's share is used up.
    mutating func note(_ id: RecordID, at slot: SourceSlot) -> Bool {
        if let place = places[id] {
            addSource(slot, to: Int(place))
            return true
        }
        guard let told = sources[slot.index]?.announcedCount, told < share else { return false }
        sources[slot.index]?.announcedCount += 1
        let index: Int
        if let place = free.popLast() {
            index = Int(place)
            entries[index].id = id
            entries[index].state = .queued
            entries[index].announcer = slot
        } else {
            index = entries.count
            entries.append(WantedEntry(id: id, state: .queued, generation: 0, announcer: slot))
        }
        places[id] = Int32(index)
        addSource(slot, to: index)
        return true
    }

    /// It is here, or not wanted any more.
    ///
    /// - Returns: whether it was wanted.
    mutating func remove(_ id: RecordID) -> Bool {
        guard !places.isEmpty, let place = places[id] else { return false }
        let index = Int(place)
        if case .asked(let slot) = entries[index].state { sources[slot.index]?.window.excuse(1) }
        vacate(index)
        return true
    }

    // MARK: - Asking

    /// Takes the next ids to request from this link.
    mutating func ask(_ slot: SourceSlot, at now: Instant) -> [RecordID] {
        guard sources[slot.index]?.queue.isEmpty == false, mayAsk(at: now) else { return [] }
        let room = sources[slot.index]?.window.room(share: MeshLimit.fetchInFlightMax / max(1, openCount)) ?? 0
        var ids: [RecordID] = []
        while ids.count < min(room, RecordIDs.countMax), let ticket = sources[slot.index]?.queue.popFirst() {
            let index = Int(ticket.index)
            guard entries[index].generation == ticket.generation else { continue }
            entries[index].queues &= ~slot.bit
            guard entries[index].state == .queued, entries[index].sources & slot.bit != 0 else { continue }
            entries[index].state = .asked(slot)
            sources[slot.index]?.asked.append(FetchSource.Asked(ticket: ticket, at: now))
            ids.append(entries[index].id)
        }
        if !ids.isEmpty { sources[slot.index]?.window.asked(ids.count, at: now) }
        return ids
    }

    /// Whether the store keeps up.
    private func mayAsk(at now: Instant) -> Bool {
        if let pausedUntil, now < pausedUntil { return false }
        return arrivedCount < MeshLimit.arrivedMax && arrivedBytes < MeshLimit.arrivedBytesMax
    }

    // MARK: - Answers

    enum Answer: Hashable, Sendable {
        /// It was expected.
        case taken
        /// It was requested and is not needed any more.
        case late
        case unasked
    }

    /// - Parameter groups: the group of the record's kind.
    mutating func served(
        _ id: RecordID, bytes: Int, groups: SyncGroups, by slot: SourceSlot, at now: Instant
    ) -> Answer {
        let place = places[id].map(Int.init)
        if let place, entries[place].state == .asked(slot) {
            sources[slot.index]?.window.answered(bytes: bytes, at: now)
            sources[slot.index]?.answers += 1
            arrive(place, bytes: bytes, groups, from: slot)
            forgetAnswered(slot)
            return .taken
        }
        guard sources[slot.index]?.window.takeExcuse() ?? false else { return .unasked }
        guard let place else { return .late }
        switch entries[place].state {
        case .free, .arrived: return .late
        case .asked(let other): sources[other.index]?.window.excuse(1)
        case .queued: break
        }
        arrive(place, bytes: bytes, groups, from: slot)
        return .taken
    }

    mutating func lacked(_ id: RecordID, by slot: SourceSlot, at now: Instant) -> Answer {
        guard let place = places[id].map(Int.init), entries[place].state == .asked(slot) else {
            return sources[slot.index]?.window.takeExcuse() ?? false ? .late : .unasked
        }
        sources[slot.index]?.window.answered(bytes: nil, at: now)
        sources[slot.index]?.answers += 1
        dropSource(slot, of: place)
        return .taken
    }

    private mutating func arrive(_ index: Int, bytes: Int, _ groups: SyncGroups, from slot: SourceSlot) {
        entries[index].state = .arrived(from: slot)
        entries[index].groups = groups
        entries[index].bytes = UInt16(clamping: bytes)
        arrivedCount += 1
        arrivedBytes += Int(entries[index].bytes)
    }

    // MARK: - Outcomes from the store

    struct Arrival: Hashable, Sendable {
        /// The link that served it; `nil` if that link is gone, or the record came another way.
        let from: SourceSlot?
        /// Bits of all links that have it.
        let sources: UInt64
        let groups: SyncGroups
    }

    /// It is stored, or never will be.
    mutating func settle(_ id: RecordID) -> Arrival? {
        guard !places.isEmpty, let place = places[id] else { return nil }
        let index = Int(place)
        var from: SourceSlot?
        if case .arrived(let slot) = entries[index].state { from = slot }
        let sources = entries[index].sources | (from?.bit ?? 0)
        let arrival = Arrival(from: from, sources: sources, groups: entries[index].groups)
        _ = remove(id)
        return arrival
    }

    /// The copy from one link was useless: another link is asked.
    mutating func refetch(_ id: RecordID) -> Arrival? {
        guard let place = places[id].map(Int.init), case .arrived(let from) = entries[place].state else { return nil }
        let arrival = Arrival(from: from, sources: entries[place].sources, groups: entries[place].groups)
        leaveStore(place)
        if let from {
            dropSource(from, of: place)
        } else {
            queue(place)
        }
        return arrival
    }

    /// The store failed: these are fetched again after a while.
    mutating func storeFailed(_ ids: [RecordID], at now: Instant) {
        for id in ids {
            guard let place = places[id].map(Int.init), case .arrived = entries[place].state else { continue }
            leaveStore(place)
            queue(place)
        }
        if let pausedUntil, now < pausedUntil { return }
        pausedUntil = now + pause
        pause = min(pause * 2, MeshLimit.storeRetryMax)
    }

    mutating func storeWorks() {
        pausedUntil = nil
        pause = MeshLimit.storeRetryMin
    }

    private mutating func leaveStore(_ index: Int) {
        arrivedCount -= 1
        arrivedBytes -= Int(entries[index].bytes)
    }

    // MARK: - Time

    struct Lapsed: Sendable {
        /// Links that were late, and some of whose ids are forgotten now.
        var late: [SourceSlot] = []
        /// Links that repeatedly owed records and hardly answered, and how many of their ids are forgotten now.
        var abandoned: [(slot: SourceSlot, lost: Int)] = []
    }

    /// Gives up overdue records.
    mutating func lapse(at now: Instant) -> Lapsed {
        var lapsed = Lapsed()
        if let time = pausedUntil, time <= now { pausedUntil = nil }
        for number in sources.indices {
            guard let silentAt = sources[number]?.window.silentAt else { continue }
            let slot = SourceSlot(number: UInt8(number))
            let before = count
            let latest = silentAt <= now ? now : now.advanced(byNanoseconds: -Self.ageMax)
            let givenUp = giveUp(slot, askedUntil: latest)
            guard givenUp > 0 else { continue }
            if isPoor(slot, givenUp: givenUp) {
                abandon(slot)
                lapsed.abandoned.append((slot, lost: before - count))
            } else if count < before {
                lapsed.late.append(slot)
            }
        }
        return lapsed
    }

    private mutating func giveUp(_ slot: SourceSlot, askedUntil latest: Instant) -> Int {
        var count = 0
        while let first = sources[slot.index]?.asked.first {
            if isOwed(first.ticket, by: slot) {
                guard first.at <= latest else { break }
                giveUp(Int(first.ticket.index), by: slot)
                count += 1
            }
            _ = sources[slot.index]?.asked.popFirst()
        }
        return count
    }

    private mutating func isPoor(_ slot: SourceSlot, givenUp: Int) -> Bool {
        guard var source = sources[slot.index] else { return false }
        source.window.wasLate()
        source.strikes = givenUp > source.answers ? source.strikes + 1 : 0
        source.answers = 0
        let isPoor = source.strikes >= MeshLimit.strikesMax
        if isPoor { source.strikes = 0 }
        sources[slot.index] = source
        return isPoor
    }

    var nextDeadline: Instant? {
        var earliest = isEmpty ? nil : pausedUntil
        for number in sources.indices {
            guard let silentAt = sources[number]?.window.silentAt else { continue }
            let oldest = sources[number]?.asked.first?.at.advanced(byNanoseconds: Self.ageMax) ?? silentAt
            earliest = min(earliest ?? silentAt, silentAt, oldest)
        }
        return earliest
    }

    // MARK: - Entries

    private func isOwed(_ ticket: FetchTicket, by slot: SourceSlot) -> Bool {
        let entry = entries[Int(ticket.index)]
        return entry.generation == ticket.generation && entry.state == .asked(slot)
    }

    /// Forgets answered requests at the front, and all other answered ones before the list grows to many times the
    /// window.
    private mutating func forgetAnswered(_ slot: SourceSlot) {
        while let first = sources[slot.index]?.asked.first, !isOwed(first.ticket, by: slot) {
            _ = sources[slot.index]?.asked.popFirst()
        }
        guard (sources[slot.index]?.asked.count ?? 0) > 4 * MeshLimit.fetchWindowMax else { return }
        let owed = sources[slot.index]?.asked.filter { isOwed($0.ticket, by: slot) } ?? []
        sources[slot.index]?.asked = Deque(owed)
    }

    private mutating func addSource(_ slot: SourceSlot, to index: Int) {
        let known = entries[index].sources
        guard known & slot.bit == 0, known.nonzeroBitCount < MeshLimit.sourcesMax else { return }
        entries[index].sources |= slot.bit
        if entries[index].state == .queued { stand(index, in: slot) }
    }

    private mutating func stand(_ index: Int, in slot: SourceSlot, first: Bool = false) {
        guard entries[index].queues & slot.bit == 0 else { return }
        entries[index].queues |= slot.bit
        let ticket = FetchTicket(index: Int32(index), generation: entries[index].generation)
        if first { sources[slot.index]?.queue.prepend(ticket) } else { sources[slot.index]?.queue.append(ticket) }
        guard (sources[slot.index]?.queue.count ?? 0) > 2 * entries.count + 1_024 else { return }
        let live = sources[slot.index]?.queue.filter { entries[Int($0.index)].generation == $0.generation } ?? []
        sources[slot.index]?.queue = Deque(live)
    }

    /// The request failed: another link is asked, or the same one again if no other has it.
    private mutating func giveUp(_ index: Int, by slot: SourceSlot) {
        sources[slot.index]?.window.excuse(1)
        guard entries[index].sources == slot.bit, !entries[index].isAskedAgain else {
            return dropSource(slot, of: index)
        }
        entries[index].isAskedAgain = true
        queue(index)
    }

    private mutating func dropSource(_ slot: SourceSlot, of index: Int) {
        entries[index].sources &= ~slot.bit
        queue(index)
    }

    /// Puts it at the front of the queues of all links that have it, because it has waited.
    private mutating func queue(_ index: Int) {
        entries[index].state = .queued
        guard entries[index].sources != 0 else { return vacate(index) }
        for number in sources.indices where entries[index].sources & (1 << UInt64(number)) != 0 {
            stand(index, in: SourceSlot(number: UInt8(number)), first: true)
        }
    }

    private mutating func vacate(_ index: Int) {
        if case .arrived = entries[index].state { leaveStore(index) }
        places[entries[index].id] = nil
        if let announcer = entries[index].announcer { sources[announcer.index]?.announcedCount -= 1 }
        entries[index].state = .free
        entries[index].generation &+= 1
        entries[index].sources = 0
        entries[index].queues = 0
        entries[index].announcer = nil
        entries[index].groups = []
        entries[index].isAskedAgain = false
        free.append(Int32(index))
    }
}
