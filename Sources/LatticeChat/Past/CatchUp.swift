import DequeModule
package import LatticeAPI
package import LatticeCore
import OrderedCollections

/// Decides what to show of what was said while I was away. Late lines are gathered and shown together in order.
/// Progress is shown if reconciling takes a moment, and the result is shown once.
package struct CatchUp: Sendable {
    package enum Event: Sendable {
        case line(Message)
        case post(LatePost)
        /// Pins of a room changed.
        case pins(RoomName)
        case progress(SyncProgress)
        case asked
        /// Nobody is connected any more.
        case alone
        case leaving
        case tick
    }

    package enum Effect: Hashable, Sendable {
        /// Show progress; `nil` hides it.
        case bar(SyncProgress?)
        /// Late lines of one room in order of arrival, and how many there were in total.
        case lines(RoomName, [Message], count: Int)
        case posts([LatePost])
        case manyPosts(Int)
        /// The pins of a room, as they are now.
        case pins(RoomName)
        case caughtUp(SyncProgress)
        /// A person waits and nothing was heard for a while: ask the node. `isLast` ends that wait.
        case statusWanted(isLast: Bool)
    }

    package struct LatePost: Hashable, Sendable {
        package let item: ItemInfo
        package let shown: String

        package init(_ item: ItemInfo, shown: String) {
            self.item = item
            self.shown = shown
        }
    }

    /// Limit on gathered lines; the newest are kept, because those are shown. At most 8 MiB of text.
    package static let linesMax = 2_000
    /// Beyond this number, only a count of posts is shown.
    package static let postsShownMax = 5
    /// Lines that arrive within this interval of each other are shown together.
    private static let silence: Duration = .seconds(2)
    /// Progress is shown after this time, or for more than `barRecords` missing records.
    private static let patience: Duration = .seconds(1)
    private static let barRecords = 20
    /// Progress without change for this long is hidden.
    private static let stalledAfter: Duration = .seconds(10)
    /// A reconciliation without a result causes no event, so for a waiting person the node is asked at this interval.
    private static let askAgainAfter: Duration = .milliseconds(1_500)
    private static let wishLasts: Duration = .seconds(60)

    private var lines: Deque<Message> = []
    private var counts: OrderedDictionary<RoomName, Int> = [:]
    private var posts: [LatePost] = []
    private var postCount = 0
    private var pinned: OrderedSet<RoomName> = []
    private var gatheredAt: Instant?
    private var progress: SyncProgress?
    private var progressAt: Instant = .zero
    /// When records were first known to be missing.
    private var began: Instant?
    private var isBarShown = false
    /// Whether this is the first result since somebody connected. That one is shown; a stray record later is not.
    private var isFirst = true
    private var wish: (since: Instant, askedAt: Instant)?

    package init() {}

    /// Whether records are missing; a line that arrives now was most likely waiting for us.
    package var isBehind: Bool { began != nil }

    /// Whether ticks are needed.
    package var isWaiting: Bool { gatheredAt != nil || began != nil || isBarShown || wish != nil }

    /// - Returns: whether the line is among the gathered ones, and will be shown as it is now.
    package mutating func change(_ line: Message) -> Bool {
        guard let index = lines.lastIndex(where: { $0.record == line.record }) else { return false }
        lines[index] = line
        return true
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .line(let message): gather(message, at: now)
        case .post(let post): gather(post, at: now)
        case .pins(let room):
            gatheredAt = now
            pinned.append(room)
        case .progress(let progress): progressed(progress, at: now, into: &effects)
        case .asked: wish = (now, now)
        case .alone: left(into: &effects)
        case .leaving: release(into: &effects)
        case .tick: passed(at: now, into: &effects)
        }
        return effects
    }

    private mutating func gather(_ message: Message, at now: Instant) {
        gatheredAt = now
        counts[message.room, default: 0] += 1
        lines.append(message)
        if lines.count > Self.linesMax { lines.removeFirst() }
    }

    private mutating func gather(_ post: LatePost, at now: Instant) {
        gatheredAt = now
        postCount += 1
        if posts.count < Self.postsShownMax { posts.append(post) }
    }

    private mutating func progressed(_ new: SyncProgress, at now: Instant, into effects: inout [Effect]) {
        progress = new
        progressAt = now
        guard new.isCaughtUp else {
            guard new.total > 0 else { return }
            began = began ?? now
            return showBar(new, at: now, into: &effects)
        }
        let isNews = new.fetched > 0 && (isBarShown || isFirst)
        hideBar(into: &effects)
        release(into: &effects)
        if isNews || wish != nil { effects.append(.caughtUp(new)) }
        wish = nil
        isFirst = false
    }

    private mutating func left(into effects: inout [Effect]) {
        hideBar(into: &effects)
        release(into: &effects)
        if wish != nil { effects.append(.statusWanted(isLast: true)) }
        wish = nil
        isFirst = true
    }

    private mutating func passed(at now: Instant, into effects: inout [Effect]) {
        if let progress, began != nil, !isBarShown { showBar(progress, at: now, into: &effects) }
        if progressAt.duration(to: now) >= Self.stalledAfter { hideBar(into: &effects) }
        if let gatheredAt, gatheredAt.duration(to: now) >= Self.silence { release(into: &effects) }
        if let wish, max(wish.askedAt, progressAt).duration(to: now) >= Self.askAgainAfter {
            let isLast = wish.since.duration(to: now) >= Self.wishLasts
            self.wish = isLast ? nil : (wish.since, now)
            effects.append(.statusWanted(isLast: isLast))
        }
    }

    private mutating func showBar(_ progress: SyncProgress, at now: Instant, into effects: inout [Effect]) {
        let isLong = began.map { $0.duration(to: now) > Self.patience } ?? false
        // Without a total, a new reconciliation has no progress to show.
        guard progress.total > 0, isBarShown || progress.total > Self.barRecords || isLong else { return }
        isBarShown = true
        effects.append(.bar(progress))
    }

    private mutating func hideBar(into effects: inout [Effect]) {
        if isBarShown { effects.append(.bar(nil)) }
        isBarShown = false
        began = nil
    }

    private mutating func release(into effects: inout [Effect]) {
        for (room, count) in counts {
            effects.append(.lines(room, lines.filter { $0.room == room }, count: count))
        }
        if postCount > Self.postsShownMax {
            effects.append(.manyPosts(postCount))
        } else if postCount > 0 {
            effects.append(.posts(posts.sorted { $0.item.at < $1.item.at }))
        }
        effects += pinned.map(Effect.pins)
        (lines, counts, posts, postCount, pinned, gatheredAt) = ([], [:], [], 0, [], nil)
    }
}
