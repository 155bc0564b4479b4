import LatticeAPI
import LatticeCore
import LatticeNode

extension Records {
    /// Something new among the records.
    public enum Event: Hashable, Sendable {
        /// Somebody, perhaps this session, said a line in a room that the session is in.
        case line(Line)
        /// Somebody left a post anywhere. Only with a folder.
        case post(Post)
        /// The author of a line or a post deleted it. Only with a folder.
        case removed(RecordID)
        /// The reader fell behind, and this many events of the session were dropped, of these kinds and others.
        case missed(Int)
    }

    /// What is new from this call on, until the session ends. Any number of readers; 16,384 events wait for each.
    ///
    /// - Throws: as all calls here.
    public var events: Events {
        get async throws(LatticeError) {
            let running = try await session.running()
            return Events(events: await running.node.events(), running: running)
        }
    }

    /// What is new among the records. For one reader.
    public struct Events: AsyncSequence, Sendable {
        /// One event.
        public typealias Element = Event
        /// It does not throw.
        public typealias Failure = Never

        fileprivate let events: NodeEvents
        fileprivate let running: ServingNode

        /// Begins with the oldest event that was not read.
        public func makeAsyncIterator() -> Iterator {
            Iterator(events: events.makeAsyncIterator(), running: running)
        }

        /// Reads the events in order.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var events: NodeEvents.Iterator
            fileprivate let running: ServingNode
            /// Records of one change; there may be many.
            private var waiting: [RecordID] = []

            fileprivate init(events: NodeEvents.Iterator, running: ServingNode) {
                (self.events, self.running) = (events, running)
            }

            /// - Returns: `nil` after the end of the session, or when the task is cancelled.
            nonisolated(nonsending) public mutating func next() async -> Event? {
                while true {
                    if !waiting.isEmpty { return .removed(waiting.removeFirst()) }
                    guard let event = await events.next() else { return nil }
                    switch event {
                    case .message(let line): return .line(Line(line))
                    case .lineChanged(let change) where change.kind == .deleted:
                        return .removed(RecordID(change.line.record))
                    case .placed(let placed): if let post = await post(placed.item) { return .post(post) }
                    case .changed(let changes):
                        waiting = changes.items.filter { $0.kinds.contains(.deletion) }.map { RecordID($0.item) }
                    case .missed(let count): return .missed(count)
                    default: continue
                    }
                }
            }

            /// - Returns: `nil` after the end of the session, or when the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
                await next()
            }

            private nonisolated(nonsending) func post(_ id: LatticeCore.RecordID) async -> Post? {
                do throws(LatticeError) {
                    let item = try await running.perform(ShowItem(ItemReference(id.hex))).item
                    return Post(item, hasDistance: false)
                } catch {
                    return nil  // It was deleted meanwhile, or the session ends.
                }
            }
        }
    }
}
