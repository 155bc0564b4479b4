import LatticeCore
import LatticeGeo
import LatticeWire

/// The content of a post, comment, event or place: from its own body, or from that of the valid edit.
struct ItemContent: Hashable {
    var name = ""
    var title = ""
    var text = ""
    /// The name of a post's place, an event's address, or what kind of place a place is.
    var placeName = ""
    var place: Place?
    /// The record of the named place where a post or an event is.
    var atPlace: RecordID?
    /// From within how many metres a post can be read.
    var unlockMetres: Int?
    /// When a post was written, if that was before it was published.
    var written: WallTime?
    /// When a place is open, in words.
    var hours = ""
    var starts: WallTime?
    var ends: WallTime?
    var photo: BodyPhoto?
    /// Who may edit a place besides its author.
    var editors: [PeerID] = []

    /// An erased item has no content.
    static let erased = ItemContent()

    private init() {}

    /// - Parameter kind: that of a post, comment, event or place; other kinds have no content.
    init(kind: RecordKind, body: [UInt8]) throws(WireError) {
        switch kind {
        case .post:
            let post = try PostBody(decoding: body)
            name = post.name.text
            text = post.text
            placeName = post.placeName
            place = post.place
            photo = post.photo
            atPlace = post.atPlace
            unlockMetres = post.unlockMetres
            written = post.written
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
            atPlace = event.atPlace
        case .place:
            let named = try PlaceBody(decoding: body)
            name = named.author.text
            title = named.name
            text = named.text
            placeName = named.category
            place = Place(named.coordinate)
            hours = named.hours
            photo = named.photo
            editors = named.editors
        default: throw .outOfRange(field: "kind of what is edited")
        }
    }
}
