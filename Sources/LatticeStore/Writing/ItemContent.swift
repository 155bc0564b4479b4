import LatticeCore
import LatticeGeo
import LatticeWire

/// The content of a post, comment or event: from its own body, or from that of the valid edit.
struct ItemContent: Hashable {
    var name = ""
    var title = ""
    var text = ""
    var placeName = ""
    var place: Place?
    var starts: WallTime?
    var ends: WallTime?
    var photo: BodyPhoto?

    /// An erased item has no content.
    static let erased = ItemContent()

    private init() {}

    /// - Parameter kind: that of a post, comment or event; other kinds have no content.
    init(kind: RecordKind, body: [UInt8]) throws(WireError) {
        switch kind {
        case .post:
            let post = try PostBody(decoding: body)
            name = post.name.text
            text = post.text
            placeName = post.placeName
            place = post.place
            photo = post.photo
        case .comment:
            let comment = try CommentBody(decoding: body)
            name = comment.name.text
            text = comment.text
        case .event:
            let event = try EventBody(decoding: body)
            name = event.author.text
            title = event.name
            text = event.text
            placeName = event.address
            place = event.place
            starts = event.starts
            ends = event.ends
            photo = event.photo
        default: throw .outOfRange(field: "kind of what is edited")
        }
    }
}
