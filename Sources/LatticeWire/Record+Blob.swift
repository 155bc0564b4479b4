extension Record {
    /// The picture or file that this record names.
    package var namedBlob: BlobName? {
        do {
            switch kind {
            case .profile: return try ProfileBody(decoding: body).photo?.blob
            case .post: return try PostBody(decoding: body).photo?.blob
            case .event: return try EventBody(decoding: body).photo?.blob
            case .place: return try PlaceBody(decoding: body).photo?.blob
            case .manifest: return try ManifestBody(decoding: body).blob
            case .edit: return editedPhoto
            default: return nil
            }
        } catch {
            return nil  // The store judges what it is.
        }
    }

    /// An edit has the body of what it changes, and does not say of which kind that is.
    private var editedPhoto: BlobName? {
        for kind in [RecordKind.post, .event, .place] {
            let target = Record(
                kind: kind, author: author, created: created, lifetimeSeconds: lifetimeSeconds, topic: topic, body: body
            )
            if let blob = target.namedBlob { return blob }
        }
        return nil
    }
}
