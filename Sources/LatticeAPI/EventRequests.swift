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
