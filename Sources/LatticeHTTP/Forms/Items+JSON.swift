import LatticeAPI
import LatticeCore
import LatticeGeo

extension ItemInfo {
    var json: JSON {
        let author: JSON = [
            "id": .text(self.author.hex), "short": .text(self.author.short), "name": .text(self.authorName),
            "colour": .text(self.authorColour?.description),
            "photo": self.authorPhotoSize.map { ["size": .integer(Int($0))] },
        ]
        return [
            "id": .text(self.id.hex), "short": .text(self.short), "kind": .text(self.kind.rawValue),
            "state": .text(self.state.word), "author": author, "at": self.at.json, "expires": self.expires.json,
            "edited_at": self.editedAt?.json, "text": .text(self.text), "title": .text(self.title),
            "place_name": .text(self.placeName), "lat": .number(self.place?.latitude),
            "lon": .number(self.place?.longitude), "blur": .integer(self.blur), "metres": .number(self.metres),
            "bearing": .number(self.bearing), "starts": self.starts?.json, "ends": self.ends?.json,
            "past": self.kind == .event ? .flag(self.isPast) : nil,
            "parent": .text(self.parent?.hex), "category": .text(self.category), "hours": .text(self.hours),
            "part_of": .text(self.partOf), "at_place": .text(self.atPlace?.hex),
            "unlock_metres": .integer(self.unlockMetres), "written_at": self.writtenAt?.json,
            "likes": .integer(self.likes),
            "comments": .integer(self.comments),
            "attendees": .integer(self.attendees), "mine": .flag(self.isMine), "liked": .flag(self.isLikedByMe),
            "attending": .flag(self.isAttendedByMe), "waiting": .flag(self.isWaiting), "urgent": .flag(self.isUrgent),
            "via": .text(self.via?.rawValue), "pinned": self.isPinned ? .flag(true) : nil,
            "photo": self.photo?.json,
        ]
    }

    static let schema = JSONSchema.object(
        ("id", JSONSchema.id), ("short", JSONSchema.text),
        ("kind", JSONSchema.one(of: "post", "comment", "event", "place")),
        ("state", JSONSchema.one(of: "shown", "too_far", "deleted_by_author", "deleted_by_post_author")),
        (
            "author",
            JSONSchema.object(
                ("id", JSONSchema.id), ("short", JSONSchema.text), ("name", JSONSchema.text),
                ("colour?", JSONSchema.colour), ("photo?", JSONSchema.object(("size", JSONSchema.integer))))
        ),
        ("at", JSONSchema.date), ("expires", JSONSchema.date), ("edited_at?", JSONSchema.date),
        ("text?", JSONSchema.text),
        ("title?", JSONSchema.text), ("place_name?", JSONSchema.text), ("lat?", JSONSchema.number(-90...90)),
        ("lon?", JSONSchema.number(-180...180)), ("blur?", JSONSchema.integer(1...12)), ("metres?", JSONSchema.number),
        ("bearing?", JSONSchema.number(0...360)), ("starts?", JSONSchema.date), ("ends?", JSONSchema.date),
        ("past?", JSONSchema.flag),
        ("parent?", JSONSchema.id), ("category?", JSONSchema.text), ("hours?", JSONSchema.text),
        ("part_of?", JSONSchema.text), ("at_place?", JSONSchema.id), ("unlock_metres?", JSONSchema.integer),
        ("written_at?", JSONSchema.date),
        ("likes", JSONSchema.integer), ("comments", JSONSchema.integer), ("attendees", JSONSchema.integer),
        ("mine", JSONSchema.flag),
        ("liked", JSONSchema.flag), ("attending", JSONSchema.flag), ("waiting", JSONSchema.flag),
        ("urgent", JSONSchema.flag), ("via?", RecordVia.schema), ("pinned?", JSONSchema.flag),
        ("photo?", PhotoInfo.schema))
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

extension ItemDetail {
    var json: JSON {
        [
            "item": item.json, "parent": parent?.json, "comments": .list(comments.map(\.json)),
            "liked_by": .list(likedBy.map(\.json)), "attended_by": .list(attendedBy.map(\.json)),
            "original": original?.json, "editable": .flag(mayEdit),
            "versions": .list(versions.map(\.json)),
        ]
    }

    static let schema = JSONSchema.object(
        ("item", JSONSchema.named("Item")), ("parent?", JSONSchema.named("Item")),
        ("comments", JSONSchema.list(JSONSchema.named("Item"))),
        ("liked_by", JSONSchema.list(JSONSchema.named("Person"))),
        ("attended_by", JSONSchema.list(JSONSchema.named("Person"))), ("original?", ItemFile.schema),
        ("editable", JSONSchema.flag), ("versions", JSONSchema.list(PlaceVersion.schema)))
}

extension PlaceVersion {
    var json: JSON {
        [
            "by": ["id": .text(author.hex), "name": .text(authorName)], "at": at.json, "title": .text(title),
            "category": .text(category), "hours": .text(hours), "text": .text(text), "lat": .number(place.latitude),
            "lon": .number(place.longitude), "original": .flag(isOriginal),
        ]
    }

    static let schema = JSONSchema.object(
        ("by", JSONSchema.object(("id", JSONSchema.id), ("name", JSONSchema.text))), ("at", JSONSchema.date),
        ("title", JSONSchema.text), ("category", JSONSchema.text), ("hours", JSONSchema.text),
        ("text", JSONSchema.text), ("lat", JSONSchema.number(-90...90)), ("lon", JSONSchema.number(-180...180)),
        ("original", JSONSchema.flag))
}

extension ItemFile {
    var json: JSON {
        ["id": .text(id.hex), "name": .text(name), "type": .text(type), "size": .integer(Int(size))]
    }

    static let schema = JSONSchema.object(
        ("id", JSONSchema.id), ("name", JSONSchema.text), ("type", JSONSchema.text), ("size", JSONSchema.integer))
}

extension ItemPage {
    var json: JSON {
        [
            "items": .list(items.map(\.json)), "centre": centre?.json, "radius": .number(radius),
            "next": .text(next?.text),
        ]
    }

    static let schema = JSONSchema.object(
        ("items", JSONSchema.list(JSONSchema.named("Item"))), ("centre?", JSONSchema.named("Place")),
        ("radius?", JSONSchema.number), ("next?", JSONSchema.text))
}

extension PersonInfo {
    var json: JSON {
        [
            "id": .text(id.hex), "short": .text(id.short), "name": .text(name), "about": .text(about),
            "colour": .text(colour?.description), "me": .flag(isMe), "followed": .flag(isFollowedByMe),
            "posts": .integer(posts), "followers": .integer(followers), "following": .integer(following),
            "photo": photo?.json,
        ]
    }

    static let schema = JSONSchema.object(
        ("id", JSONSchema.id), ("short", JSONSchema.text), ("name?", JSONSchema.text), ("about", JSONSchema.text),
        ("colour?", JSONSchema.colour), ("me", JSONSchema.flag), ("followed", JSONSchema.flag),
        ("posts", JSONSchema.integer),
        ("followers", JSONSchema.integer), ("following", JSONSchema.integer), ("photo?", PhotoInfo.schema))
}

extension PlacedItem {
    var json: JSON {
        ["id": .text(item.hex), "lat": .number(place.latitude), "lon": .number(place.longitude)]
    }
}

extension SimilarPlace {
    var json: JSON {
        ["id": .text(id.hex), "short": .text(short), "name": .text(name), "metres": .number(metres)]
    }

    static let schema = JSONSchema.object(
        ("id", JSONSchema.id), ("short", JSONSchema.text), ("name", JSONSchema.text), ("metres", JSONSchema.number))
}

extension Coordinate {
    var json: JSON { ["lat": .number(latitude), "lon": .number(longitude)] }

    static let schema = JSONSchema.object(("lat", JSONSchema.number(-90...90)), ("lon", JSONSchema.number(-180...180)))
}

extension WallTime {
    var json: JSON { .text(RFC3339.string(self)) }
}
