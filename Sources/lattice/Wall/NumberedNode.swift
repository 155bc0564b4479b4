import LatticeAPI
import LatticeCore
import Synchronization

/// The list of items that a chat showed last.
final class ShownList: Sendable {
    private let items = Mutex<[RecordID]?>(nil)

    func show(_ page: [RecordID]) { items.withLock { $0 = page } }

    fileprivate var now: [RecordID]? { items.withLock { $0 } }
}

/// A node that is asked about items by their numbers in the list that was shown last, too: `/like 2`. No id is that short.
struct NumberedNode: MeshNode {
    /// A page has at most 100.
    private static let digitsMax = 3

    let node: any MeshNode
    let list: ShownList

    func perform(_ request: NodeRequest) async throws(RequestError) -> Answer {
        guard case .wall(let request) = request else { return try await node.perform(request) }
        let answer = try await node.perform(.wall(try named(request)))
        if case .wall(.page(let page)) = answer { list.show(page.items.map(\.id)) }
        return answer
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        try await node.perform(request)
    }

    func events() async -> NodeEvents { await node.events() }

    private func named(_ request: WallRequest) throws(RequestError) -> WallRequest {
        switch request {
        case .comment(let item, let text): .comment(on: try named(item), text: text)
        case .like(let item, let isLiked): .like(try named(item), isLiked)
        case .delete(let item): .delete(try named(item))
        case .edit(let item, let text): .edit(try named(item), text: text)
        case .show(let item, let place): .show(try named(item), from: place)
        case .editEvent(let item, let draft): .editEvent(try named(item), draft)
        case .attend(let item, let comes): .attend(try named(item), comes)
        default: request
        }
    }

    private func named(_ item: ItemReference) throws(RequestError) -> ItemReference {
        guard item.text.utf8.count <= Self.digitsMax, let number = Int(item.text) else { return item }
        guard let shown = list.now else {
            throw RequestError(
                .unknownItem, "no list has been shown in this chat yet; type /near first, then use its numbers")
        }
        guard shown.indices.contains(number - 1) else {
            let items = shown.count == 1 ? "1 item" : "\(shown.count) items"
            throw RequestError(.unknownItem, "the last list has \(items), so there is no number \(number)")
        }
        return ItemReference(shown[number - 1].hex)
    }
}
