package import LatticeCore
package import LatticeGeo

/// A post, a comment, an event or a place as one reader may see it: one object in JSON.
@dynamicMemberLookup
package struct ItemInfo: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
        case post
        case comment
        case event
        case place
    }

    package enum State: String, Hashable, Sendable, Codable {
        case shown
        /// Its place is strictly outside the radius: the text is left out.
        case tooFar
        case deletedByAuthor
        /// A comment that the author of its post deleted.
        case deletedByPostAuthor
    }

    /// What its author wrote.
    package struct Content: Hashable, Sendable, Codable {
        package var id: RecordID
        package var kind: Kind
        package var author: PeerID
        /// As its author wrote it; not yet made safe for a screen.
        package var authorName: String
        package var authorColour: Colour?
        /// Bytes of the photo of the author's profile; absent if it has none.
        package var authorPhotoSize: Int64?
        package var at: WallTime
        package var expires: WallTime
        package var editedAt: WallTime?
        /// Absent unless `shown`.
        package var text: String?
        /// The name of an event or a place.
        package var title: String?
        /// The name of a post's place, or the address of an event; absent unless `shown`.
        package var placeName: String?
        package var place: Coordinate?
        /// The named place where a post or an event is; absent unless `shown`.
        package var atPlace: RecordID?
        /// From within how many metres a post can be read; absent if the reader decides.
        package var unlockMetres: Int?
        /// When a post was written, if that was before it was published, as its author says.
        package var writtenAt: WallTime?
        /// What kind of place a place is, such as `kitchen`.
        package var category: String?
        /// When a place is open, in words.
        package var hours: String?
        /// The name of the place that a place is part of, if it is stored.
        package var partOf: String?
        /// Characters of the geohash to which its author cut the place; absent if it is exact.
        package var blur: Int?
        package var starts: WallTime?
        package var ends: WallTime?
        /// The item that a comment is about, or the place that a place is part of.
        package var parent: RecordID?
        /// Absent unless `shown`.
        package var photo: PhotoInfo?
    }

    /// What is so here and for this reader.
    package struct View: Hashable, Sendable, Codable {
        /// The shortest prefix of its id that is unique in this store, at least six hexadecimal digits.
        package var short: String
        package var state: State
        /// Metres from the reader's place, and the bearing to it in degrees, 0 ..< 360.
        package var metres: Double?
        package var bearing: Double?
        package var likes = 0
        package var comments = 0
        package var attendees = 0
        package var isMine = false
        package var isLikedByMe = false
        package var isAttendedByMe = false
        /// Whether nobody has taken it from here yet; it is sent when a peer connects.
        package var isWaiting = false
        /// It was urgent when it came here; only a post is.
        @CodedFlag package var isUrgent = false
        /// Whether an event is over. One without an end is over three hours after its start.
        @CodedFlag package var isPast = false
        /// The network over which a bridge brought it here; absent if it came by the mesh, and in lists.
        package var via: RecordVia?
        /// The card of the mesh names this place: lists show it first.
        @CodedFlag package var isPinned = false
    }

    private var content: Content
    private var view: View

    package init(
        id: RecordID, short: String, kind: Kind, state: State, author: PeerID, authorName: String, at: WallTime,
        expires: WallTime
    ) {
        content = Content(id: id, kind: kind, author: author, authorName: authorName, at: at, expires: expires)
        view = View(short: short, state: state)
    }

    package subscript<Value>(dynamicMember member: WritableKeyPath<Content, Value>) -> Value {
        get { content[keyPath: member] }
        set { content[keyPath: member] = newValue }
    }

    package subscript<Value>(dynamicMember member: WritableKeyPath<View, Value>) -> Value {
        get { view[keyPath: member] }
        set { view[keyPath: member] = newValue }
    }

    package init(from decoder: any Decoder) throws {
        (content, view) = (try Content(from: decoder), try View(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try content.encode(to: encoder)
        try view.encode(to: encoder)
    }
}

package struct ItemDetail: Hashable, Sendable, Codable {
    package var item: ItemInfo
    /// What is left of the item that a comment is about; absent if it is not stored.
    package var parent: ItemInfo?
    /// Oldest first, at most `commentsMax`.
    package var comments: [ItemInfo]
    /// The newest ones.
    package var likedBy: [PersonInfo]
    package var attendedBy: [PersonInfo]
    /// The picture that its photo was made of, as a file.
    package var original: ItemFile?
    /// This person may change the item: it is theirs, or a place that names them as an editor.
    @CodedFlag package var mayEdit: Bool
    /// What a place was after each change, and when it was made: the newest first, at most `versionsMax`. Empty if nobody changed it.
    package var versions: [PlaceVersion]

    package static let versionsMax = 20
    package static let commentsMax = 500
    package static let peopleMax = 100

    package init(
        item: ItemInfo, parent: ItemInfo? = nil, comments: [ItemInfo] = [], likedBy: [PersonInfo] = [],
        attendedBy: [PersonInfo] = [], original: ItemFile? = nil,
        mayEdit: Bool = false, versions: [PlaceVersion] = []
    ) {
        self.versions = versions
        self.original = original
        self.mayEdit = mayEdit
        self.item = item
        self.parent = parent
        self.comments = comments
        self.likedBy = likedBy
        self.attendedBy = attendedBy
    }
}

/// A place as somebody made or changed it.
package struct PlaceVersion: Hashable, Sendable, Codable {
    /// Who made or changed it.
    package var author: PeerID
    /// As they wrote it; not yet made safe for a screen, like all texts here.
    package var authorName: String
    package var at: WallTime
    package var title: String
    package var category: String
    package var hours: String
    package var text: String
    package var place: Coordinate
    /// It is the place as it was made.
    package var isOriginal: Bool

    package init(
        by author: PeerID, called authorName: String, at date: WallTime, title: String, category: String = "",
        hours: String = "", text: String = "", place: Coordinate, isOriginal: Bool = false
    ) {
        self.isOriginal = isOriginal
        (self.author, self.authorName, at, self.title) = (author, authorName, date, title)
        (self.category, self.hours, self.text, self.place) = (category, hours, text, place)
    }
}

extension KeyedDecodingContainer {
    /// A missing list is empty.
    func decode(_ type: [PlaceVersion].Type, forKey key: Key) throws -> [PlaceVersion] {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}

/// A file that belongs to a post or an event. `GetFile` fetches it.
package struct ItemFile: Hashable, Sendable, Codable {
    package let id: RecordID
    /// As its author wrote it; not yet made safe for a screen.
    package let name: String
    /// Such as `image/jpeg`.
    package let type: String
    /// Bytes.
    package let size: Int64

    package init(id: RecordID, name: String, type: String, size: Int64) {
        (self.id, self.name, self.type, self.size) = (id, name, type, size)
    }
}

/// Part of a list of items.
package struct ItemPage: Hashable, Sendable, Codable {
    package var items: [ItemInfo]
    /// The centre of the search, and the radius within which posts can be read, if the list is around a place.
    package var centre: Coordinate?
    package var radius: Double?
    /// Absent on the last page.
    package var next: PageCursor?

    package init(items: [ItemInfo], centre: Coordinate? = nil, radius: Double? = nil, next: PageCursor? = nil) {
        self.items = items
        self.centre = centre
        self.radius = radius
        self.next = next
    }
}

package struct PersonInfo: Hashable, Sendable, Codable {
    package var id: PeerID
    /// Absent until a record of theirs gives a name.
    package var name: String?
    package var about: String
    package var colour: Colour?
    package var photo: PhotoInfo?
    package var isMe: Bool
    package var isFollowedByMe: Bool
    package var posts: Int
    package var followers: Int
    package var following: Int

    package init(
        id: PeerID, name: String?, about: String = "", colour: Colour? = nil, photo: PhotoInfo? = nil,
        isMe: Bool = false,
        isFollowedByMe: Bool = false, posts: Int = 0, followers: Int = 0, following: Int = 0
    ) {
        self.id = id
        self.name = name
        self.about = about
        self.colour = colour
        self.photo = photo
        self.isMe = isMe
        self.isFollowedByMe = isFollowedByMe
        self.posts = posts
        self.followers = followers
        self.following = following
    }
}

package struct StoreStats: Hashable, Sendable, Codable {
    package struct KindCount: Hashable, Sendable, Codable {
        /// `post`, `comment`, …; `kind 47` for an unknown kind.
        package var kind: String
        package var records: Int
        package var bytes: Int

        package init(kind: String, records: Int, bytes: Int) {
            self.kind = kind
            self.records = records
            self.bytes = bytes
        }
    }

    package var path: String
    /// Bytes of the file, including its log.
    package var fileBytes: Int
    package var records: Int
    /// Bytes that count against the quota.
    package var bytes: Int
    package var quotaBytes: Int
    package var authorQuotaBytes: Int
    package var kinds: [KindCount]
    package var authors: Int
    package var oldest: WallTime?
    package var newest: WallTime?
    /// Own records that no peer has taken yet.
    package var waiting: Int
    /// Records evicted for the quotas, and records that expired, since the store was created.
    package var evicted: Int
    package var expired: Int

    package init(
        path: String, fileBytes: Int, records: Int, bytes: Int, quotaBytes: Int, authorQuotaBytes: Int,
        kinds: [KindCount], authors: Int, oldest: WallTime?, newest: WallTime?, waiting: Int, evicted: Int,
        expired: Int
    ) {
        self.path = path
        self.fileBytes = fileBytes
        self.records = records
        self.bytes = bytes
        self.quotaBytes = quotaBytes
        self.authorQuotaBytes = authorQuotaBytes
        self.kinds = kinds
        self.authors = authors
        self.oldest = oldest
        self.newest = newest
        self.waiting = waiting
        self.evicted = evicted
        self.expired = expired
    }
}

package struct StoreCheck: Hashable, Sendable, Codable {
    package var records: Int
    /// One sentence each, at most 100; empty if no fault was found.
    package var faults: [String]

    package init(records: Int, faults: [String]) {
        self.records = records
        self.faults = faults
    }
}

package struct StoreRebuild: Hashable, Sendable, Codable {
    package var records: Int
    /// Where the damaged file is now; absent if the file was not damaged.
    package var damagedPath: String?
    /// Records of the damaged file that could not be saved, as far as it could be read.
    package var lost: Int
    /// Whether `lost` counts all of them; if not, the number is unknown.
    package var isLossKnown: Bool

    package init(records: Int, damagedPath: String? = nil, lost: Int = 0, isLossKnown: Bool = true) {
        self.records = records
        self.damagedPath = damagedPath
        self.lost = lost
        self.isLossKnown = isLossKnown
    }

    /// Whether every record was saved.
    package var isComplete: Bool { lost == 0 && isLossKnown }

    /// Whether the file had, or may have had, records and none was saved.
    package var isInVain: Bool { records == 0 && !isComplete }
}

package struct ImportReport: Hashable, Sendable, Codable {
    package var added: Int
    /// Already stored.
    package var known: Int
    /// Expired, replaced by a newer record, or deleted by their authors.
    package var outdated: Int
    /// Not signed by their author, or of an unknown format.
    package var refused: Int
    /// The byte at which the file ends in the middle of a record or is no longer a bundle.
    package var brokenAt: Int?

    package init(added: Int = 0, known: Int = 0, outdated: Int = 0, refused: Int = 0, brokenAt: Int? = nil) {
        self.added = added
        self.known = known
        self.outdated = outdated
        self.refused = refused
        self.brokenAt = brokenAt
    }
}
