import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

// Events.
extension PersonaDesk {
    func createEvent(
        _ draft: EventDraft, photo: BodyPhoto?, at now: WallTime
    ) async throws(RequestError) -> ItemInfo {
        let event = try await checked(
            draft, by: try await reader.authorName(), place: try await reader.orHere(draft.at), photo: photo, at: now)
        let lifetime = PostRules.eventLifetime(starts: event.starts, ends: event.ends, from: now)
        return try await reader.info(
            of: try await publish(.event, body: event.body, lifetime: lifetime, at: now), at: now)
    }

    func editEvent(
        _ target: ItemReference, _ draft: EventDraft, photo: BodyPhoto?, at now: WallTime
    ) async throws(RequestError) -> ItemInfo {
        try await editEvent(try await reader.findMine(target, at: now), draft, photo: photo, at: now)
    }

    /// Fields that the draft leaves out stay unchanged.
    func editEvent(
        _ item: StoredItem, _ draft: EventDraft, photo: BodyPhoto?, removesPhoto: Bool = false, at now: WallTime
    ) async throws(RequestError) -> ItemInfo {
        guard item.kind == .event else {
            throw .notAnEvent(kind: item.infoKind)
        }
        var whole = draft
        whole.name = draft.name ?? item.title
        whole.starts = draft.starts ?? item.starts
        // An event that is moved without a new end keeps its duration.
        whole.ends = draft.ends ?? moved(item, to: draft.starts)
        whole.address = draft.address ?? item.placeName
        whole.text = draft.text ?? item.text
        // An event that is moved is no longer at the named place, unless the draft names it again.
        if draft.at == nil { whole.atPlace = draft.atPlace ?? item.atPlace }
        if draft.at == nil, draft.blur == nil { whole.blur = item.place?.geohashCharacters.map(Int.init) }
        let kept = photo == nil && !removesPhoto ? try await self.photo(of: item, at: now) : nil
        let event = try await checked(
            whole, by: try await reader.authorName(), place: draft.at ?? item.place?.coordinate, photo: photo,
            else: kept, at: now)
        let lifetime = max(
            PostRules.eventLifetime(starts: event.starts, ends: event.ends, from: now),
            PostRules.seconds(until: item.expires, from: now))
        let edited = try await edit(item, event.body, lifetime: lifetime, at: now)
        if photo != nil || removesPhoto { try await deleteFiles(of: item.id, at: now) }
        return edited
    }

    private func moved(_ item: StoredItem, to starts: WallTime?) -> WallTime? {
        guard let starts, let old = item.starts, let ends = item.ends else { return item.ends }
        return WallTime(milliseconds: ends.milliseconds + starts.milliseconds - old.milliseconds)
    }

    private func checked(
        _ draft: EventDraft, by name: PeerName, place: Coordinate?, photo: BodyPhoto?, else kept: BodyPhoto? = nil,
        at now: WallTime
    ) async throws(RequestError) -> EventBody {
        let rules = try await rules(at: now)
        var faults = PostRules.Faults()
        let place = rules.place(place, blur: draft.blur, &faults)
        let title = rules.eventName(draft.name, &faults)
        let dates = rules.dates(starts: draft.starts, ends: draft.ends, at: now, &faults)
        let address = rules.address(draft.address, &faults)
        let text = rules.eventText(draft.text, &faults)
        let photo = rules.photo(photo, else: kept, alt: draft.alt, &faults)
        try faults.check()
        guard let place, let dates else { preconditionFailure("an event without place or dates is at fault") }
        return EventBody(
            author: name, name: title, place: place, starts: dates.starts, ends: dates.ends, address: address,
            text: text, photo: photo, atPlace: draft.atPlace)
    }
}
