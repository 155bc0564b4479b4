import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import LatticeNode

/// Keeps a person's place as a receiver says it, and says which posts can be read from there that could not be read before.
struct HereFollow: Sendable {
    /// A receiver that stands still reports moves of a few metres.
    static let moveMetres = 10.0
    /// Posts that one line names; more are counted.
    private static let namedMax = 3

    let node: any MeshNode
    /// Metres within which posts can be read.
    let radius: Double
    let context: CommandContext
    /// Prints something.
    let tell: @Sendable (CommandOutput) throws -> Void

    /// - Returns: at the end of the positions, and when the task is cancelled.
    func run(_ next: @Sendable () async throws -> Coordinate?) async throws {
        var here: Coordinate?
        var readable: Set<RecordID>?
        while let position = try await next() {
            if let here, here.distance(to: position) <= Self.moveMetres { continue }
            here = position
            let place = try await node.perform(SetHere(position)).place
            let posts = try await posts()
            let new = readable.map { known in posts.filter { !known.contains($0.id) } } ?? []
            try tell(output(place ?? position, isFirst: readable == nil, posts.count, new))
            readable = (readable ?? []).union(posts.map(\.id))
        }
    }

    /// Those that can be read, nearest first.
    private func posts() async throws -> [ItemInfo] {
        var page = PageRequest(limit: PostLimit.pageSizeRange.upperBound)
        var posts: [ItemInfo] = []
        repeat {
            let found = try await node.perform(
                NearQuery(.posts, centre: nil, radius: radius, within: radius, page: page))
            posts += found.items.filter { $0.state == .shown }
            page.after = found.next
        } while page.after != nil && posts.count < Self.postsMax
        return posts
    }

    private static let postsMax = 1_000

    private func output(_ place: Coordinate, isFirst: Bool, _ count: Int, _ new: [ItemInfo]) -> CommandOutput {
        var lines: [String] = []
        if isFirst { lines.append("you are at \(place); \(ItemPhrases.counted(count, "post")) can be read here") }
        if !new.isEmpty {
            let named = new.prefix(Self.namedMax).map { "'\(DisplayText.safe($0.text ?? ""))' (\($0.short))" }
            let more = new.count > Self.namedMax ? " and others" : ""
            lines.append(
                "you can read \(ItemPhrases.counted(new.count, "more post", "more posts")) now: "
                    + "\(named.joined(separator: ", "))\(more)")
        }
        return CommandOutput(lines, objects: [PostJSON.here(place)] + new.map { PostJSON.object("item", $0) })
    }
}
