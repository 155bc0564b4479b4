package struct CreateEvent: Request, BringsPhoto {
    package static let name = "posts.createEvent"
    package static let replyName = "posts.item"
    package typealias Reply = ItemInfo

    package let event: EventDraft

    package var photoSource: PhotoSource? { event.photo }

    package init(_ event: EventDraft) { self.event = event }

    package init(from decoder: any Decoder) throws { self.init(try EventDraft(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try event.encode(to: encoder) }
}

package struct EditEvent: Request, NamesItem, BringsPhoto {
    package static let name = "posts.editEvent"
    package static let replyName = "posts.item"
    package typealias Reply = ItemInfo

    package var item: ItemReference
    package let event: EventDraft

    package var photoSource: PhotoSource? { event.photo }

    package init(_ item: ItemReference, _ event: EventDraft) {
        (self.item, self.event) = (item, event)
    }
}

/// Events that somebody announced, or goes to: those that are not over by their start, the next one first; then those that are
/// over, the newest first.
///
/// - Throws: `unknownPeer`, `ambiguousPeer`.
package struct ListEvents: Request {
    package static let name = "posts.events"
    package static let replyName = "posts.page"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = ItemPage

    /// `nil` is this person.
    package let person: PeerReference?
    /// Those they go to instead of those they announced.
    package let isAttending: Bool
    package let page: PageRequest

    package init(
        by person: PeerReference? = nil, isAttending: Bool = false, _ page: PageRequest = PageRequest()
    ) {
        (self.person, self.isAttending, self.page) = (person, isAttending, page)
    }

    private enum CodingKeys: String, CodingKey {
        case person
        case isAttending = "attending"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            by: try fields.decodeIfPresent(PeerReference.self, forKey: .person),
            isAttending: try fields.decodeIfPresent(Bool.self, forKey: .isAttending) ?? false,
            try PageRequest(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try page.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(person, forKey: .person)
        if isAttending { try fields.encode(true, forKey: .isAttending) }
    }
}

/// Says that this person is going to an event, or not going.
package struct AttendEvent: Request, NamesItem {
    package static let name = "posts.attend"
    package static let replyName = "posts.item"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = ItemInfo

    package var item: ItemReference
    @OrTrue package private(set) var attends: Bool

    package init(_ item: ItemReference, _ attends: Bool) {
        self.item = item
        _attends = OrTrue(wrappedValue: attends)
    }
}
