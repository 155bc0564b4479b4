package import LatticeCore
package import LatticeGeo

// Posts that somebody has written and not published: each persona's own, on this machine alone.

/// A draft, with the place and the time of when it was written.
package struct DraftInfo: Hashable, Sendable, Codable {
    /// Its author names it by this number. The number of a draft that is gone may be given again.
    package let number: Int
    package var text: String
    package var place: Coordinate
    /// Characters of the geohash to which the place is cut.
    package var blur: Int?
    package var placeName: String?
    package var written: WallTime
    /// How long the post will last; `nil` is `PostLimit.postLifetime`.
    @InSeconds package var lifetime: Duration?
    @CodedFlag package var isUrgent: Bool
    package var photo: PhotoInfo?
    package var atPlace: RecordID?
    package var unlockMetres: Int?

    package init(number: Int, text: String, at place: Coordinate, written: WallTime) {
        (self.number, self.text, self.place, self.written) = (number, text, place, written)
        lifetime = nil
        isUrgent = false
    }
}

package struct DraftList: Hashable, Sendable, Codable {
    /// In the order in which they were written.
    package let drafts: [DraftInfo]

    package init(_ drafts: [DraftInfo]) { self.drafts = drafts }
}

/// Keeps a post until it is published: nothing is signed or sent. It has the fields of `NewPost`; the original of a photo is not kept.
///
/// - Throws: what `NewPost` throws; `draftsFull`.
package struct KeepDraft: Request, BringsPhoto {
    package static let name = "drafts.keep"
    package static let replyName = "drafts.draft"
    package typealias Reply = DraftInfo

    package let post: NewPost

    package var photoSource: PhotoSource? { post.photo }

    package init(_ post: NewPost) { self.post = post }

    package init(from decoder: any Decoder) throws { post = try NewPost(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try post.encode(to: encoder) }
}

/// All drafts of this person.
package struct ListDrafts: Request {
    package static let name = "drafts.list"
    package static let replyName = "drafts.list"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = DraftList

    package init() {}
}

/// Replaces the words of a draft.
///
/// - Throws: `unknownDraft`, `invalid`; `deletedMeanwhile` if it was changed or published meanwhile.
package struct EditDraft: Request {
    package static let name = "drafts.edit"
    package static let replyName = "drafts.draft"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = DraftInfo

    package let number: Int
    package let text: String

    package init(_ number: Int, text: String) { (self.number, self.text) = (number, text) }
}

/// Deletes all of these drafts, or none.
///
/// - Throws: `unknownDraft`.
package struct DeleteDrafts: Request {
    package static let name = "drafts.delete"
    package static let replyName = "done"
    package typealias Reply = Done

    package let numbers: [Int]

    package init(_ numbers: [Int]) { self.numbers = numbers }
}

/// Publishes drafts in the order in which they were written. Each is published and no longer a draft, or stays as it is.
///
/// - Throws: `unknownDraft`: then none was published.
package struct PublishDrafts: Request {
    package static let name = "drafts.publish"
    package static let replyName = "drafts.published"

    /// `nil` is all of them.
    package let numbers: [Int]?

    package init(_ numbers: [Int]? = nil) { self.numbers = numbers }

    package struct Reply: Hashable, Sendable, Codable {
        package var items: [ItemInfo]
        package var failed: [Failed]

        package init(items: [ItemInfo] = [], failed: [Failed] = []) { (self.items, self.failed) = (items, failed) }
    }

    /// A draft that stays, and why.
    package struct Failed: Hashable, Sendable, Codable {
        package let number: Int
        package let error: RequestError

        package init(_ number: Int, _ error: RequestError) { (self.number, self.error) = (number, error) }
    }
}

/// Makes drafts of the points in a file: waypoints of GPX, or points of GeoJSON. All or none.
///
/// - Throws: `badPoints` with the line; `draftsFull`; `file` if it cannot be read.
package struct ImportDrafts: Request {
    package static let name = "drafts.import"
    package static let replyName = "drafts.imported"

    /// An absolute path on the machine of the node.
    package let path: String

    package init(path: String) { self.path = path }

    package struct Reply: Hashable, Sendable, Codable {
        package let drafts: [DraftInfo]
        /// What is no point: tracks, routes, lines and areas.
        package let others: Int

        package init(_ drafts: [DraftInfo], others: Int) { (self.drafts, self.others) = (drafts, others) }
    }
}
