package import LatticeAPI
package import LatticeCore
package import LatticeGeo

/// JSON for posts and related items: one object for each, with values unchanged except for JSON escapes.
package enum PostJSON {
    typealias Members = [(String, JSONLine.Value)]

    package static func object(_ event: String, _ item: ItemInfo) -> JSONLine {
        JSONLine([("event", .text(event))] + members(item))
    }

    package static func object(_ person: PersonInfo) -> JSONLine {
        JSONLine([("event", .text("person"))] + members(person))
    }

    package static func object(_ notification: NotificationInfo) -> JSONLine {
        JSONLine(self.notification(notification))
    }

    static func notification(_ one: NotificationInfo) -> Members {
        [
            ("event", .text("notification")), ("id", .text(one.record.hex)), ("kind", .text(one.kind.rawValue)),
            ("at", .text(RFC3339.string(one.at))), ("new", .flag(one.isNew)),
            ("by", .object(JSONLine(members(one.by)))), ("room", .text(one.room?.text)), ("text", .text(one.text)),
            ("emoji", .text(one.emoji)), ("item", one.item.map { .object(JSONLine(members($0))) } ?? .null),
            ("comment", one.comment.map { .object(JSONLine(members($0))) } ?? .null),
        ]
    }

    package static func object(_ detail: ItemDetail) -> JSONLine {
        JSONLine(
            [("event", .text("item"))] + members(detail.item) + [
                ("about", detail.parent.map { .object(JSONLine(members($0))) } ?? .null),
                ("comment_list", .list(detail.comments.map { .object(JSONLine(members($0))) })),
                ("liked_by", .list(detail.likedBy.map { .object(JSONLine(members($0))) })),
                ("attended_by", .list(detail.attendedBy.map { .object(JSONLine(members($0))) })),
                ("original", detail.original.map { .object(file($0)) } ?? .null), ("editable", .flag(detail.mayEdit)),
                ("via", .text(detail.item.via?.rawValue)),
                ("versions", .list(detail.versions.map { .object(version($0)) })),
            ])
    }

    private static func version(_ version: PlaceVersion) -> JSONLine {
        JSONLine([
            ("by", .object(JSONLine([("id", .text(version.author.hex)), ("name", .text(version.authorName))]))),
            ("at", .text(RFC3339.string(version.at))), ("title", .text(version.title)),
            ("category", .text(version.category)), ("hours", .text(version.hours)), ("text", .text(version.text)),
            ("lat", number(version.place.latitude)), ("lon", number(version.place.longitude)),
            ("original", .flag(version.isOriginal)),
        ])
    }

    private static func file(_ file: ItemFile) -> JSONLine {
        JSONLine([
            ("id", .text(file.id.hex)), ("name", .text(file.name)), ("type", .text(file.type)),
            ("size", .integer(Int(file.size))),
        ])
    }

    /// What was urgent and is dismissed.
    package static func dismissed(_ records: [RecordID]) -> JSONLine {
        JSONLine([("event", .text("dismissed")), ("records", .list(records.map { .text($0.hex) }))])
    }

    /// The kinds of notifications that are off.
    package static func switches(off: [NotificationKind]) -> JSONLine {
        JSONLine([("event", .text("notify")), ("off", .list(off.map { .text($0.rawValue) }))])
    }

    package static func next(_ cursor: PageCursor) -> JSONLine {
        JSONLine([("event", .text("next")), ("after", .text(cursor.text))])
    }

    package static func here(_ place: Coordinate?) -> JSONLine {
        JSONLine([
            ("event", .text("here")), ("lat", number(place?.latitude)), ("lon", number(place?.longitude)),
        ])
    }

    /// Metres and degrees.
    package static func way(from here: Coordinate, to place: Coordinate) -> JSONLine {
        let bearing = here.bearing(to: place)
        return JSONLine([
            ("event", .text("way")), ("lat", number(here.latitude)), ("lon", number(here.longitude)),
            ("metres", tenths(here.distance(to: place))), ("bearing", tenths(bearing >= 359.95 ? 0 : bearing)),
            ("compass", .text(CompassPoint(bearing: bearing).abbreviation)),
        ])
    }

    package static func object(_ stats: StoreStats) -> JSONLine {
        let kinds = stats.kinds.map { kind in
            JSONLine.Value.object(
                JSONLine([
                    ("kind", .text(kind.kind)), ("records", .integer(kind.records)), ("bytes", .integer(kind.bytes)),
                ]))
        }
        return JSONLine([
            ("event", .text("stats")), ("path", .text(stats.path)), ("file_bytes", .integer(stats.fileBytes)),
            ("records", .integer(stats.records)), ("bytes", .integer(stats.bytes)),
            ("quota_bytes", .integer(stats.quotaBytes)), ("author_quota_bytes", .integer(stats.authorQuotaBytes)),
            ("authors", .integer(stats.authors)), ("kinds", .list(kinds)), ("oldest", date(stats.oldest)),
            ("newest", date(stats.newest)), ("waiting", .integer(stats.waiting)), ("evicted", .integer(stats.evicted)),
            ("expired", .integer(stats.expired)),
        ])
    }

    package static func object(_ report: ImportReport) -> JSONLine {
        JSONLine([
            ("event", .text("imported")), ("added", .integer(report.added)), ("known", .integer(report.known)),
            ("outdated", .integer(report.outdated)), ("refused", .integer(report.refused)),
            ("broken_at", .integer(report.brokenAt)),
        ])
    }

    static func members(_ item: ItemInfo, thumbnail: [UInt8]? = nil) -> Members {
        identity(of: item) + [
            ("at", .text(RFC3339.string(item.at))), ("expires", .text(RFC3339.string(item.expires))),
            ("edited_at", date(item.editedAt)), ("text", .text(item.text)), ("title", .text(item.title)),
            ("place_name", .text(item.placeName)), ("lat", number(item.place?.latitude)),
            ("lon", number(item.place?.longitude)), ("blur", .integer(item.blur)), ("metres", tenths(item.metres)),
            ("bearing", tenths(item.bearing.map { $0 >= 359.95 ? 0 : $0 })),
            ("compass", .text(item.bearing.map { CompassPoint(bearing: $0).abbreviation })),
            ("category", .text(item.category)), ("hours", .text(item.hours)), ("part_of", .text(item.partOf)),
            ("at_place", .text(item.atPlace?.hex)), ("unlock_metres", .integer(item.unlockMetres)),
            ("written_at", date(item.writtenAt)),
            ("starts", date(item.starts)), ("ends", date(item.ends)), ("past", .flag(item.isPast)),
            ("parent", .text(item.parent?.hex)),
            ("likes", .integer(item.likes)), ("comments", .integer(item.comments)),
            ("attendees", .integer(item.attendees)), ("mine", .flag(item.isMine)),
            ("liked_by_me", .flag(item.isLikedByMe)), ("attended_by_me", .flag(item.isAttendedByMe)),
            ("waiting", .flag(item.isWaiting)),
            ("photo", item.photo.map { .object(PhotoPhrases.object($0, thumbnail: thumbnail)) } ?? .null),
        ]
    }

    private static func identity(of item: ItemInfo) -> Members {
        [
            ("id", .text(item.id.hex)), ("short", .text(item.short)), ("kind", .text(item.kind.rawValue)),
            ("state", .text(item.state.word)), ("author", .text(item.author.hex)),
            ("author_name", .text(item.authorName)), ("author_colour", .text(item.authorColour?.description)),
            ("author_photo_size", .integer(item.authorPhotoSize.map { Int($0) })),
        ]
    }

    private static func members(_ person: PersonInfo) -> Members {
        [
            ("id", .text(person.id.hex)), ("short", .text(person.id.short)), ("name", .text(person.name)),
            ("about", .text(person.about)), ("colour", .text(person.colour?.description)), ("me", .flag(person.isMe)),
            ("followed_by_me", .flag(person.isFollowedByMe)), ("posts", .integer(person.posts)),
            ("followers", .integer(person.followers)), ("following", .integer(person.following)),
            ("photo", person.photo.map { .object(PhotoPhrases.object($0)) } ?? .null),
        ]
    }

    package static func object(_ draft: DraftInfo) -> JSONLine {
        JSONLine([
            ("event", .text("draft")), ("number", .integer(draft.number)), ("text", .text(draft.text)),
            ("written_at", date(draft.written)), ("place_name", .text(draft.placeName)),
            ("lat", number(draft.place.latitude)), ("lon", number(draft.place.longitude)),
            ("blur", .integer(draft.blur)), ("at_place", .text(draft.atPlace?.hex)),
            ("unlock_metres", .integer(draft.unlockMetres)), ("urgent", .flag(draft.isUrgent)),
            ("expires_s", .integer(draft.lifetime.map { Int($0.components.seconds) })),
            ("photo", draft.photo.map { .object(PhotoPhrases.object($0)) } ?? .null),
        ])
    }

    private static func date(_ time: WallTime?) -> JSONLine.Value {
        .text(time.map(RFC3339.string))
    }

    /// Distances to 0.1 m, bearings to 0.1°.
    private static func tenths(_ value: Double?) -> JSONLine.Value {
        number(value.map { ($0 * 10).rounded() / 10 })
    }

    private static func number(_ value: Double?) -> JSONLine.Value {
        value.map { .number($0) } ?? .null
    }
}

extension ItemInfo.State {
    fileprivate var word: String {
        switch self {
        case .shown: "shown"
        case .tooFar: "too_far"
        case .deletedByAuthor: "deleted_by_author"
        case .deletedByPostAuthor: "deleted_by_post_author"
        }
    }
}
