package import LatticeAPI
import LatticeCore
import Synchronization

/// The list of items that a chat showed last.
package final class ShownList: Sendable {
    private let items = Mutex<[RecordID]?>(nil)

    package init() {}

    func show(_ page: [RecordID]) { items.withLock { $0 = page } }

    fileprivate var now: [RecordID]? { items.withLock { $0 } }
}

/// A node that is asked about items by their numbers in the list that was shown last, too: `/like 2`. No id is that short.
package struct NumberedNode: MeshNode {
    /// A page has at most 100.
    private static let digitsMax = 3

    let node: any MeshNode
    let list: ShownList

    package init(node: any MeshNode, list: ShownList) {
        self.node = node
        self.list = list
    }

    package func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        let reply = try await node.perform(try named(request))
        if let page = reply as? ItemPage { list.show(page.items.map(\.id)) }
        return reply
    }

    package func events() async -> NodeEvents { await node.events() }

    private func named<R: Request>(_ request: R) throws(RequestError) -> R {
        guard var naming = request as? any NamesItem else { return request }
        naming.item = try named(naming.item)
        guard let named = naming as? R else { preconditionFailure("only its item is another") }
        return named
    }

    private func named(_ item: ItemReference) throws(RequestError) -> ItemReference {
        guard item.text.utf8.count <= Self.digitsMax, let number = Int(item.text) else { return item }
        guard let shown = list.now else {
            throw .other(
                code: .unknownItem,
                message: "no list has been shown in this chat yet; type /near first, then use its numbers")
        }
        guard shown.indices.contains(number - 1) else {
            let items = shown.count == 1 ? "1 item" : "\(shown.count) items"
            throw .other(code: .unknownItem, message: "the last list has \(items), so there is no number \(number)")
        }
        return ItemReference(shown[number - 1].hex)
    }
}
