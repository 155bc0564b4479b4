import LatticeCore
import LatticeGeo

extension WallRequest {
    static let prefix = "wall."

    var call: Call {
        switch self {
        case .post(let post): Call("wall.post", of: post)
        case .comment(let item, let text): Call("wall.comment", [.on: item, .text: text])
        case .like(let item, let likes): Call("wall.like", [.item: item, .likes: likes])
        case .delete(let item): Call("wall.delete", [.item: item])
        case .edit(let item, let text): Call("wall.edit", [.item: item, .text: text])
        case .near(let query): Call("wall.near", of: query)
        case .show(let item, let from): Call("wall.show", [.item: item, .from: from])
        case .timeline(let page): Call("wall.timeline", of: page)
        case .activity(let page): Call("wall.activity", of: page)
        case .follow(let peer, let follows): Call("wall.follow", [.peer: peer, .follows: follows])
        case .profile(let peer): Call("wall.profile", [.peer: peer])
        case .setProfile(let change): Call("wall.setProfile", of: change)
        case .people: Call("wall.people")
        case .createEvent(let draft): Call("wall.createEvent", of: draft)
        case .editEvent(let item, let draft): Call("wall.editEvent", [.item: item, .event: draft])
        case .attend(let item, let attends): Call("wall.attend", [.item: item, .attends: attends])
        case .search(let query): Call("wall.search", of: query)
        case .here: Call("wall.here")
        case .setHere(let place): Call("wall.setHere", [.place: place])
        case .storeStats: Call("wall.storeStats")
        case .storeCheck: Call("wall.storeCheck")
        case .storeRebuild: Call("wall.storeRebuild")
        case .storeVacuum: Call("wall.storeVacuum")
        case .keepRule: Call("wall.keepRule")
        case .setKeepRule(let rule): Call("wall.setKeepRule", of: rule)
        case .exportBundle(let path, let selection): Call("wall.exportBundle", [.path: path, .selection: selection])
        case .importBundle(let path): Call("wall.importBundle", [.path: path])
        }
    }

    init(_ name: String, _ params: CallParams) throws {
        switch name.dropFirst(Self.prefix.count) {
        case "post": self = .post(try params.whole())
        case "comment": self = .comment(on: try params[.on], text: try params[.text])
        case "like": self = .like(try params[.item], try params.optional(.likes) ?? true)
        case "delete": self = .delete(try params[.item])
        case "edit": self = .edit(try params[.item], text: try params[.text])
        case "near": self = .near(try params.whole())
        case "show": self = .show(try params[.item], from: try params.optional(.from))
        case "timeline": self = .timeline(try params.whole())
        case "activity": self = .activity(try params.whole())
        case "follow": self = .follow(try params[.peer], try params.optional(.follows) ?? true)
        case "profile": self = .profile(try params.optional(.peer))
        case "setProfile": self = .setProfile(try params.whole())
        case "people": self = .people
        case "createEvent": self = .createEvent(try params.whole())
        case "editEvent": self = .editEvent(try params[.item], try params[.event])
        case "attend": self = .attend(try params[.item], try params.optional(.attends) ?? true)
        case "search": self = .search(try params.whole())
        case "here": self = .here
        case "setHere": self = .setHere(try params.optional(.place))
        case "storeStats": self = .storeStats
        case "storeCheck": self = .storeCheck
        case "storeRebuild": self = .storeRebuild
        case "storeVacuum": self = .storeVacuum
        case "keepRule": self = .keepRule
        case "setKeepRule": self = .setKeepRule(try params.whole())
        case "exportBundle":
            self = .exportBundle(path: try params[.path], try params.optional(.selection) ?? BundleSelection())
        case "importBundle": self = .importBundle(path: try params[.path])
        default: throw UnknownCall(name: name)
        }
    }
}

extension WallAnswer {
    static let prefix = "wall."

    var call: Call {
        switch self {
        case .item(let item): Call("wall.item", of: item)
        case .detail(let detail): Call("wall.detail", of: detail)
        case .page(let page): Call("wall.page", of: page)
        case .activity(let page): Call("wall.activity", of: page)
        case .person(let person): Call("wall.person", of: person)
        case .people(let people): Call("wall.people", [.people: people])
        case .here(let place): Call("wall.here", [.place: place])
        case .stats(let stats): Call("wall.stats", of: stats)
        case .check(let check): Call("wall.check", of: check)
        case .rebuilt(let rebuild): Call("wall.rebuilt", of: rebuild)
        case .vacuumed(let before, let after): Call("wall.vacuumed", [.before: before, .after: after])
        case .keepRule(let rule): Call("wall.keepRule", of: rule)
        case .exported(let records, let bytes): Call("wall.exported", [.records: records, .bytes: bytes])
        case .imported(let report): Call("wall.imported", of: report)
        }
    }

    init(_ name: String, _ params: CallParams) throws {
        switch name.dropFirst(Self.prefix.count) {
        case "item": self = .item(try params.whole())
        case "detail": self = .detail(try params.whole())
        case "page": self = .page(try params.whole())
        case "activity": self = .activity(try params.whole())
        case "person": self = .person(try params.whole())
        case "people": self = .people(try params[.people])
        case "here": self = .here(try params.optional(.place))
        case "stats": self = .stats(try params.whole())
        case "check": self = .check(try params.whole())
        case "rebuilt": self = .rebuilt(try params.whole())
        case "vacuumed": self = .vacuumed(before: try params[.before], after: try params[.after])
        case "keepRule": self = .keepRule(try params.whole())
        case "exported": self = .exported(records: try params[.records], bytes: try params[.bytes])
        case "imported": self = .imported(try params.whole())
        default: throw UnknownCall(name: name)
        }
    }
}
