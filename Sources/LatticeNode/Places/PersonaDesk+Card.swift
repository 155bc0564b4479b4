import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

// The card of the mesh.
extension PersonaDesk {
    /// Its signer signs it again after a day. So everybody sees how old it is, and it is not evicted before others.
    private static let cardRenewedAfter: Int64 = 86_400_000

    /// What may be posted here.
    func rules(at now: WallTime) async throws(RequestError) -> PostRules {
        if let own = archive.textClustersMax { return PostRules(textClustersMax: own) }
        let store = archive.store
        let card = try await stored { () throws(StoreError) in try await store.cards.current(at: now).card }
        return PostRules(textClustersMax: card?.body.parts.textLength ?? PostLimit.textClusters)
    }

    func card(at now: WallTime) async throws(RequestError) -> MeshCardStatus {
        let store = archive.store
        let (signer, found) = try await stored { () throws(StoreError) in try await store.cards.current(at: now) }
        let card: MeshCard? = if let found { try await info(of: found, at: now) } else { nil }
        return MeshCardStatus(
            signer: signer, isMine: signer == me, card: card,
            defaults: MeshDefaults(
                textClusters: archive.textClustersMax ?? card?.textLength ?? PostLimit.textClusters,
                radiusChoices: card?.radiusChoices.map { $0.map(Double.init) } ?? PostLimit.radiusChoices))
    }

    /// Parts that the draft leaves out stay as they are, unless they are removed.
    func setCard(_ request: SetMeshCard, at now: WallTime) async throws(RequestError) -> MeshCardStatus {
        let (store, author) = (archive.store, me)
        let old = try await stored { () throws(StoreError) in try await store.cards.card(by: author, at: now) }
        var kept = old?.body.parts ?? MeshCardBody.Parts()
        for part in request.remove { kept.remove(part) }
        var faults = PostRules.Faults()
        let rules = try await rules(at: now)
        let name = rules.meshName(request.card.name ?? old?.body.name, &faults)
        var parts = rules.card(request.card, else: kept, &faults)
        if let pins = request.card.pins {
            if pins.count > MeshCardBody.pinsMax { faults.add(.tooManyPins(max: MeshCardBody.pinsMax)) }
            try faults.check()
            parts.pins = try await ids(of: pins, at: now)
        }
        try faults.check()
        let body = MeshCardBody(author: try await reader.authorName(), name: name, parts)
        try await publish(.card, body: body.body, lifetime: PostRules.year, at: now)
        try await stored { () throws(StoreError) in try await store.cards.take(author) }
        return try await card(at: now)
    }

    /// - Parameter peer: `nil`: no card counts.
    func takeCard(of peer: PeerReference?, at now: WallTime) async throws(RequestError) -> MeshCardStatus {
        let store = archive.store
        let signer: PeerID? = if let peer { try await reader.find(peer, at: now).peer } else { nil }
        try await stored { () throws(StoreError) in try await store.cards.take(signer) }
        return try await card(at: now)
    }

    func renewCard(at now: WallTime) async throws(RequestError) {
        let (store, limit) = (
            archive.store, WallTime(milliseconds: now.milliseconds - Self.cardRenewedAfter)
        )
        let old = try await stored { () throws(StoreError) in try await store.cards.own(olderThan: limit, at: now) }
        guard let old else { return }
        try await publish(.card, body: old.body.body, lifetime: PostRules.year, at: now)
    }

    private func ids(of places: [PlaceReference], at now: WallTime) async throws(RequestError) -> [RecordID] {
        let guide = PlaceGuide(reader: reader)
        var ids: [RecordID] = []
        for place in places {
            let id = try await guide.find(place, at: now).id
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    private func info(of stored: StoredCard, at now: WallTime) async throws(RequestError) -> MeshCard {
        let (body, parts) = (stored.body, stored.body.parts)
        var card = MeshCard(record: stored.id, authorName: body.author.text, at: stored.date, name: body.name)
        card.about = parts.about.isEmpty ? nil : parts.about
        card.area = parts.area.map { MapArea($0.centre, metres: $0.metres) }
        card.textLength = parts.textLength
        card.radiusChoices = parts.radiusChoices.isEmpty ? nil : parts.radiusChoices
        card.welcome = parts.welcome.isEmpty ? nil : parts.welcome
        card.rules = parts.rules.isEmpty ? nil : parts.rules
        let here = try await PlaceGuide(reader: reader).pinned(parts.pins, at: now)
        card.pins = parts.pins.map { id in MeshCard.Pin(id, name: here.first { $0.id == id }?.title) }
        return card
    }
}

extension PlaceGuide {
    /// Those of the places that are here, in their order; without those of blocked people.
    func pinned(_ ids: [RecordID], at now: WallTime) async throws(RequestError) -> [StoredItem] {
        let (store, blocked) = (reader.store, reader.store.blockedAuthors)
        var places: [StoredItem] = []
        for id in ids {
            let item = try await stored { () throws(StoreError) in try await store.items.item(id, at: now) }
            guard let item, item.kind == .place, item.state == .shown, !blocked.contains(item.author) else { continue }
            places.append(item)
        }
        return places
    }

    /// The places that the card of the mesh pins.
    func pinnedByCard(at now: WallTime) async throws(RequestError) -> [StoredItem] {
        let store = reader.store
        let card = try await stored { () throws(StoreError) in try await store.cards.current(at: now).card }
        return try await pinned(card?.body.parts.pins ?? [], at: now)
    }
}

extension MeshCardBody.Parts {
    fileprivate mutating func remove(_ part: MeshCardDraft.Part) {
        switch part {
        case .about: about = ""
        case .area: area = nil
        case .textLength: textLength = nil
        case .radiusChoices: radiusChoices = []
        case .pins: pins = []
        case .welcome: welcome = ""
        case .rules: rules = ""
        }
    }
}

extension PostRules {
    func meshName(_ text: String?, _ faults: inout Faults) -> String {
        required(
            text ?? "", .meshName, clustersMax: MeshCardBody.nameBytesMax, bytesMax: MeshCardBody.nameBytesMax, &faults)
    }

    /// All parts but the pins.
    func card(
        _ draft: MeshCardDraft, else old: MeshCardBody.Parts, _ faults: inout Faults
    ) -> MeshCardBody.Parts {
        var parts = old
        parts.about = optional(
            draft.about ?? old.about, .meshAbout, clustersMax: MeshCardBody.aboutBytesMax,
            bytesMax: MeshCardBody.aboutBytesMax, &faults)
        parts.welcome = optional(
            draft.welcome ?? old.welcome, .welcome, clustersMax: MeshCardBody.welcomeBytesMax,
            bytesMax: MeshCardBody.welcomeBytesMax, &faults)
        parts.rules = optional(
            draft.rules ?? old.rules, .rules, clustersMax: MeshCardBody.rulesBytesMax,
            bytesMax: MeshCardBody.rulesBytesMax, &faults)
        if let area = draft.area {
            let range = MeshCardBody.Area.metresRange
            if range.contains(area.metres) {
                parts.area = MeshCardBody.Area(area.centre, metres: area.metres)
            } else {
                faults.add(.area(min: range.lowerBound, maxKilometres: range.upperBound / 1_000))
            }
        }
        if let length = draft.textLength {
            if MeshCardBody.textLengthRange.contains(length) {
                parts.textLength = length
            } else {
                faults.add(.textLength(max: MeshCardBody.textLengthRange.upperBound))
            }
        }
        if let choices = draft.radiusChoices {
            let sorted = Set(choices).sorted()
            if sorted.count <= MeshCardBody.radiusChoicesMax, sorted.allSatisfy(MeshCardBody.radiusRange.contains) {
                parts.radiusChoices = sorted
            } else {
                faults.add(
                    .radiusChoices(
                        max: MeshCardBody.radiusChoicesMax,
                        maxKilometres: MeshCardBody.radiusRange.upperBound / 1_000))
            }
        }
        return parts
    }
}
