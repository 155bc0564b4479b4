import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

// Named places.
extension PersonaDesk {
    private var guide: PlaceGuide { PlaceGuide(reader: reader) }

    func createPlace(_ request: CreatePlace, photo: BodyPhoto?, at now: WallTime) async throws(RequestError) -> ItemInfo
    {
        let draft = request.place
        let rules = try await rules(at: now)
        var faults = PostRules.Faults()
        let fields = rules.place(draft, else: nil, &faults)
        let photo = rules.photo(photo, alt: draft.alt, &faults)
        let place = rules.place(try await reader.orHere(draft.at), blur: nil, &faults)
        let editors = try await editors(draft.editors ?? [], &faults, at: now)
        try faults.check()
        guard let coordinate = place?.coordinate else {
            preconditionFailure("a place without a coordinate is at fault")
        }
        let outer: StoredItem? = if let name = draft.partOf { try await guide.find(name, at: now) } else { nil }
        if !request.anyway {
            let similar = try await guide.similar(to: fields.name, at: coordinate, in: outer, at: now)
            guard similar.isEmpty else { throw .similarPlaces(places: similar) }
        }
        let body = PlaceBody(
            author: try await reader.authorName(), name: fields.name, at: coordinate, category: fields.category,
            hours: fields.hours, text: fields.text, editors: editors, photo: photo)
        let id = try await publish(
            .place, topic: outer?.id.hash.bytes ?? [], body: body.body,
            lifetime: UInt32(PostLimit.placeLifetime.components.seconds), at: now)
        return try await info(ofPlace: id, at: now)
    }

    /// Fields that the draft leaves out stay unchanged.
    func editPlace(_ request: EditPlace, photo: BodyPhoto?, at now: WallTime) async throws(RequestError) -> ItemInfo {
        let item = try await reader.find(request.item, at: now)
        guard item.kind == .place else { throw .notAPlace(kind: item.infoKind) }
        try PostRules.mustBeThere(item)
        return try await editPlace(item, request.place, photo: photo, at: now)
    }

    func editPlace(
        _ item: StoredItem, _ draft: PlaceDraft, photo: BodyPhoto?, removesPhoto: Bool = false, at now: WallTime
    ) async throws(RequestError) -> ItemInfo {
        let rules = try await rules(at: now)
        var faults = PostRules.Faults()
        let fields = rules.place(draft, else: item, &faults)
        if draft.partOf != nil { faults.add(.onlyNew(field: .partOf)) }
        if draft.editors != nil { faults.add(.onlyNew(field: .editors)) }
        let kept = photo == nil && !removesPhoto ? try await self.photo(of: item, at: now) : nil
        let photo = rules.photo(photo, else: kept, alt: draft.alt, &faults)
        let place = rules.place(draft.at ?? item.place?.coordinate, blur: nil, &faults)
        try faults.check()
        guard let coordinate = place?.coordinate else {
            preconditionFailure("a place without a coordinate is at fault")
        }
        let body = PlaceBody(
            author: try await reader.authorName(), name: fields.name, at: coordinate, category: fields.category,
            hours: fields.hours, text: fields.text, photo: photo)
        // Whether somebody else may edit it is decided by the store, as for every peer.
        do throws(RequestError) {
            try await publish(
                .edit, topic: item.id.hash.bytes, body: body.body,
                lifetime: UInt32(PostLimit.placeLifetime.components.seconds), at: now)
        } catch .refused where item.author != me {
            throw .notTheAuthor(kind: .place, act: .edit)
        }
        if item.author == me, photo != nil || removesPhoto { try await deleteFiles(of: item.id, at: now) }
        return try await info(ofPlace: item.id, at: now)
    }

    private func editors(
        _ references: [PeerReference], _ faults: inout PostRules.Faults, at now: WallTime
    ) async throws(RequestError) -> [PeerID] {
        guard references.count <= PlaceBody.editorsMax else {
            faults.add(.tooManyEditors(max: PlaceBody.editorsMax))
            return []
        }
        var editors: [PeerID] = []
        for reference in references {
            let editor = try await reader.find(reference, at: now).peer
            if editor != me, !editors.contains(editor) { editors.append(editor) }
        }
        return editors
    }

    private func info(ofPlace id: RecordID, at now: WallTime) async throws(RequestError) -> ItemInfo {
        let (store, guide) = (archive.store, guide)
        guard let item = try await stored({ () throws(StoreError) in try await store.items.item(id, at: now) }) else {
            throw .store(fault: .unreadable)
        }
        return try await guide.info(item, at: now)
    }
}

extension PostRules {
    /// The words of a place.
    struct PlaceWords {
        let name: String
        let category: String
        let hours: String
        let text: String
    }

    /// - Parameter old: gives what the draft leaves out.
    func place(_ draft: PlaceDraft, else old: StoredItem?, _ faults: inout Faults) -> PlaceWords {
        let name = placeTitle(draft.name ?? old?.title, &faults)
        return PlaceWords(
            name: name, category: category(draft.category ?? old?.placeName, &faults),
            hours: hours(draft.hours ?? old?.hours, &faults), text: eventText(draft.text ?? old?.text, &faults))
    }
}
