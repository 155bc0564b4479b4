import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

// Posts that are kept until their author publishes them.
extension PersonaDesk {
    func keepDraft(_ post: NewPost, photo: BodyPhoto?, at now: WallTime) async throws(RequestError) -> DraftInfo {
        let (body, lifetime) = try await checked(post, photo: photo, isUrgent: post.isUrgent, at: now)
        return DraftInfo(try await keep([NewDraft(body, written: now, lifetime: lifetime)])[0])
    }

    /// All or none.
    func keep(_ drafts: [NewDraft]) async throws(RequestError) -> [StoredDraft] {
        let kept = try await stored { () throws(StoreError) in try await archive.store.drafts.keep(drafts) }
        switch kept {
        case .kept(let drafts): return drafts
        case .full(let withPhotos):
            throw .draftsFull(
                max: withPhotos ? DraftTable.photosMax : DraftTable.draftsMax, withPhotos: withPhotos)
        }
    }

    /// In the order in which they were written.
    func drafts() async throws(RequestError) -> [StoredDraft] {
        try await stored { () throws(StoreError) in try await archive.store.drafts.all() }
    }

    func editDraft(_ number: Int, text: String, at now: WallTime) async throws(RequestError) -> DraftInfo {
        let rules = try await rules(at: now)
        var faults = PostRules.Faults()
        let text = rules.text(text, &faults)
        try faults.check()
        let found = try await stored { () throws(StoreError) in try await archive.store.drafts.draft(number) }
        guard let old = found else { throw .unknownDraft(number: number) }
        let body = PostBody(
            name: old.body.name, place: old.body.place, text: text, placeName: old.body.placeName,
            isUrgent: old.body.isUrgent, photo: old.body.photo, atPlace: old.body.atPlace,
            unlockMetres: old.body.unlockMetres)
        let new = NewDraft(body, written: old.written, lifetime: old.lifetime)
        let changed = try await stored { () throws(StoreError) in try await archive.store.drafts.change(old, to: new) }
        guard let changed else { throw .deletedMeanwhile }
        return DraftInfo(changed)
    }

    func deleteDrafts(_ numbers: [Int]) async throws(RequestError) {
        let unique = Set(numbers).sorted()
        let missing = try await stored { () throws(StoreError) in try await archive.store.drafts.delete(unique) }
        if let missing { throw .unknownDraft(number: missing) }
    }

    /// - Parameter numbers: `nil` is all.
    func publishDrafts(_ numbers: [Int]?, at now: WallTime) async throws(RequestError) -> PublishDrafts.Reply {
        var drafts = try await drafts()
        if let numbers {
            let here = Set(drafts.map(\.number))
            if let missing = numbers.first(where: { !here.contains($0) }) { throw .unknownDraft(number: missing) }
            let wanted = Set(numbers)
            drafts = drafts.filter { wanted.contains($0.number) }
        }
        var reply = PublishDrafts.Reply()
        for draft in drafts {
            do throws(RequestError) {
                reply.items.append(try await publish(draft, at: now))
            } catch {
                reply.failed.append(.init(draft.number, error))
            }
        }
        return reply
    }

    private func publish(_ draft: StoredDraft, at now: WallTime) async throws(RequestError) -> ItemInfo {
        let (old, range) = (draft.body, PostBody.writtenRange)
        let rules = try await rules(at: now)
        var faults = PostRules.Faults()
        // The limit may have been another one then, and an import takes longer words.
        let text = rules.text(old.text, &faults)
        try faults.check()
        let isWrittenBefore = draft.written < now && range.contains(draft.written.milliseconds)
        let body = PostBody(
            name: try await reader.authorName(), place: old.place, text: text, placeName: old.placeName,
            isUrgent: old.isUrgent ? try await reader.mayBeUrgent(at: now) : false, photo: old.photo,
            atPlace: old.atPlace, unlockMetres: old.unlockMetres, written: isWrittenBefore ? draft.written : nil)
        let id = try await publish(
            .post, body: body.body, lifetime: draft.lifetime ?? PostRules.postLifetime, at: now, publishing: draft.seq)
        return try await reader.info(of: id, at: now)
    }
}

extension DraftInfo {
    init(_ draft: StoredDraft) {
        let body = draft.body
        self.init(number: draft.number, text: body.text, at: body.place.coordinate, written: draft.written)
        blur = body.place.geohashCharacters.map(Int.init)
        placeName = body.placeName.isEmpty ? nil : body.placeName
        lifetime = draft.lifetime.map { .seconds(Int64($0)) }
        isUrgent = body.isUrgent
        photo = body.photo.map {
            PhotoInfo(width: $0.width, height: $0.height, size: $0.blob.size, alt: $0.alt, state: .here)
        }
        (atPlace, unlockMetres) = (body.atPlace, body.unlockMetres)
    }
}
