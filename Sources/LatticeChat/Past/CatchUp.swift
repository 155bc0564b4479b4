import DequeModule
package import LatticeAPI
package import LatticeCore
import OrderedCollections

/// What to tell of what was said while one was away. Lines of the past are gathered, so that they are shown together and in
/// their order; how far the whole is, is told where it takes a moment; what comes of it is told once.
package struct CatchUp: Sendable {
    package enum Event: Sendable {
        case line(Message)
        case post(LatePost)
        case progress(SyncProgress)
        /// A person wants to know when it is done.
        case asked
        /// Nobody is connected any more.
        case alone
        /// The chat is about to end.
        case leaving
        /// Some time has passed.
        case tick
    }

    package enum Effect: Hashable, Sendable {
        /// How far it is; `nil` when that is not to be seen any more.
        case bar(SyncProgress?)
        /// What came late in one room, in the order in which it came, and how many lines that were.
        case lines(RoomName, [Message], count: Int)
        /// In the order of their dates.
        case posts([LatePost])
        case manyPosts(Int)
        case caughtUp(SyncProgress)
        /// A person waits and nothing was heard of it for a while: ask how it stands. The last time for this wish.
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

    /// Lines gathered; of more the newest, which are those that are shown. At most 8 MiB of text.
    package static let linesMax = 2_000
    /// More posts than so many are told as a number.
    package static let postsToldMax = 5
    /// What comes in pieces no further apart than this is shown together.
    private static let silence: Duration = .seconds(2)
    /// Who waits longer than this sees how far it is; so does who has more than `barRecords` to wait for.
    private static let patience: Duration = .seconds(1)
    private static let barRecords = 20
    /// A bar that stands still for so long tells of nothing that goes on.
    private static let stalledAfter: Duration = .seconds(10)
    /// Nothing needs to be told of a comparison that found nothing, so that who waits for one asks.
    private static let askAgainAfter: Duration = .milliseconds(1_500)
    private static let wishLasts: Duration = .seconds(60)

    private var lines: Deque<Message> = []
    private var counts: OrderedDictionary<RoomName, Int> = [:]
    private var posts: [LatePost] = []
    private var postCount = 0
    private var gatheredAt: Instant?
    private var progress: SyncProgress?
    private var progressAt: Instant = .zero
    /// Since when something is known to be missing.
    private var began: Instant?
    private var isBarShown = false
    /// Whether this is the first time since somebody is here: what comes of that is told, a stray record later is not.
    private var isFirst = true
    private var wish: (since: Instant, askedAt: Instant)?

    package init() {}

    /// Whether something is known to be missing: what comes now has most likely waited for us.
    package var isBehind: Bool { began != nil }

    /// Whether time alone will bring something to tell.
    package var isWaiting: Bool { gatheredAt != nil || began != nil || isBarShown || wish != nil }

    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .line(let message): gather(message, at: now)
        case .post(let post): gather(post, at: now)
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
        if posts.count < Self.postsToldMax { posts.append(post) }
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
        // What is being compared anew says nothing of how far it is.
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
        if postCount > Self.postsToldMax {
            effects.append(.manyPosts(postCount))
        } else if postCount > 0 {
            effects.append(.posts(posts.sorted { $0.item.at < $1.item.at }))
        }
        (lines, counts, posts, postCount, gatheredAt) = ([], [:], [], 0, nil)
    }
}
