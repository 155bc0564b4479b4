import LatticeAPI
import LatticeCore
import LatticeGeo

extension ItemInfo {
    var json: JSON {
        let author: JSON = [
            "id": .text(self.author.hex), "short": .text(self.author.short), "name": .text(authorName),
            "colour": .text(authorColour?.description),
        ]
        return [
            "id": .text(id.hex), "short": .text(short), "kind": .text(kind.rawValue), "state": .text(state.word),
            "author": author, "at": at.json, "expires": expires.json, "edited_at": editedAt?.json, "text": .text(text),
            "title": .text(title), "place_name": .text(placeName), "lat": .number(place?.latitude),
            "lon": .number(place?.longitude), "blur": .integer(blur), "metres": .number(metres),
            "bearing": .number(bearing), "starts": starts?.json, "ends": ends?.json, "parent": .text(parent?.hex),
            "likes": .integer(likes), "comments": .integer(comments), "attendees": .integer(attendees),
            "mine": .flag(isMine), "liked": .flag(isLikedByMe), "attending": .flag(isAttendedByMe),
            "waiting": .flag(isWaiting),
        ]
    }

    static let schema = Schema.object(
        ("id", Schema.id), ("short", Schema.text), ("kind", Schema.one(of: "post", "comment", "event")),
        ("state", Schema.one(of: "shown", "too_far", "deleted_by_author", "deleted_by_post_author")),
        (
            "author",
            Schema.object(
                ("id", Schema.id), ("short", Schema.text), ("name", Schema.text), ("colour?", Schema.colour))
        ),
        ("at", Schema.date), ("expires", Schema.date), ("edited_at?", Schema.date), ("text?", Schema.text),
        ("title?", Schema.text), ("place_name?", Schema.text), ("lat?", Schema.number(-90...90)),
        ("lon?", Schema.number(-180...180)), ("blur?", Schema.integer(1...12)), ("metres?", Schema.number),
        ("bearing?", Schema.number(0...360)), ("starts?", Schema.date), ("ends?", Schema.date), ("parent?", Schema.id),
        ("likes", Schema.integer), ("comments", Schema.integer), ("attendees", Schema.integer), ("mine", Schema.flag),
        ("liked", Schema.flag), ("attending", Schema.flag), ("waiting", Schema.flag))
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
        ]
    }

    static let schema = Schema.object(
        ("item", Schema.named("Item")), ("parent?", Schema.named("Item")),
        ("comments", Schema.list(Schema.named("Item"))), ("liked_by", Schema.list(Schema.named("Person"))),
        ("attended_by", Schema.list(Schema.named("Person"))))
}

extension ItemPage {
    var json: JSON {
        [
            "items": .list(items.map(\.json)), "centre": centre?.json, "radius": .number(radius),
            "next": .text(next?.text),
        ]
    }

    static let schema = Schema.object(
        ("items", Schema.list(Schema.named("Item"))), ("centre?", Schema.named("Place")),
        ("radius?", Schema.number), ("next?", Schema.text))
}

extension ActivityPage {
    var json: JSON { ["items": .list(activities.map(\.json)), "next": .text(next?.text)] }

    static let schema = Schema.object(("items", Schema.list(Schema.named("Activity"))), ("next?", Schema.text))
}

extension ActivityInfo {
    var json: JSON {
        [
            "record": .text(record.hex), "kind": .text(kind.rawValue), "by": by.json, "at": at.json,
            "item": item?.json, "comment": comment?.json,
        ]
    }

    static let schema = Schema.object(
        ("record", Schema.id), ("kind", Schema.one(of: "comment", "like", "follow", "attendance")),
        ("by", Schema.named("Person")), ("at", Schema.date), ("item?", Schema.named("Item")),
        ("comment?", Schema.named("Item")))
}

extension PersonInfo {
    var json: JSON {
        [
            "id": .text(id.hex), "short": .text(id.short), "name": .text(name), "about": .text(about),
            "colour": .text(colour?.description), "me": .flag(isMe), "followed": .flag(isFollowedByMe),
            "posts": .integer(posts), "followers": .integer(followers), "following": .integer(following),
        ]
    }

    static let schema = Schema.object(
        ("id", Schema.id), ("short", Schema.text), ("name?", Schema.text), ("about", Schema.text),
        ("colour?", Schema.colour), ("me", Schema.flag), ("followed", Schema.flag), ("posts", Schema.integer),
        ("followers", Schema.integer), ("following", Schema.integer))
}

extension PlacedItem {
    var json: JSON {
        ["id": .text(item.hex), "lat": .number(place.latitude), "lon": .number(place.longitude)]
    }
}

extension Coordinate {
    var json: JSON { ["lat": .number(latitude), "lon": .number(longitude)] }

    static let schema = Schema.object(("lat", Schema.number(-90...90)), ("lon", Schema.number(-180...180)))
}

extension WallTime {
    var json: JSON { .text(RFC3339.string(self)) }
}
