package import LatticeCore
package import LatticeWire

/// A post, comment, event or place in its current state: edits applied, reactions counted. Nothing is withheld here.
package struct StoredItem: Hashable, Sendable {
    package enum State: Int, Hashable, Sendable {
        case shown = 0
        case deletedByAuthor = 1
        /// A comment that was deleted by the author of the item it is about.
        case deletedByParentAuthor = 2
    }

    /// As the profile of the author says.
    package struct AuthorLook: Hashable, Sendable {
        package let colour: Colour?
        /// Bytes of the photo.
        package let photoSize: Int64?
    }

    package struct Counts: Hashable, Sendable {
        package let likes: Int
        package let comments: Int
        package let attendees: Int
    }

    /// When an event is, a place is open, or a post was written.
    package struct Times: Hashable, Sendable {
        package let starts: WallTime?
        package let ends: WallTime?
        /// In words.
        package let hours: String
        /// When a post was written, if its author says that it was before it was published.
        package let written: WallTime?
        /// Whether an event was over when it was read.
        package let isPast: Bool
    }

    /// Its number in the order of arrival.
    package let seq: Int64
    package let id: RecordID
    /// `post`, `comment`, `event` or `place`.
    package let kind: RecordKind
    package let author: PeerID
    /// The author's name from their profile, or else from the record.
    package let authorName: String
    package let authorLook: AuthorLook
    package let date: WallTime
    package let expires: WallTime
    package let state: State
    package let parent: RecordID?
    package let title: String
    package let text: String
    /// The name of a post's place, an event's address, or what kind of place a place is.
    package let placeName: String
    package let place: Place?
    /// The record of the named place where a post or an event is.
    package let atPlace: RecordID?
    /// From within how many metres a post can be read; `nil` if the reader decides.
    package let unlockMetres: Int?
    package let times: Times
    package let edited: WallTime?
    package let photo: StoredPhoto?
    package let counts: Counts
    package let isLikedByOwner: Bool
    package let isAttendedByOwner: Bool
    /// An own item that no peer has confirmed yet.
    package let isWaiting: Bool
    /// It was urgent when it came.
    package let isUrgent: Bool

    package var likes: Int { counts.likes }
    package var comments: Int { counts.comments }
    package var attendees: Int { counts.attendees }
    package var starts: WallTime? { times.starts }
    package var ends: WallTime? { times.ends }
    package var hours: String { times.hours }
    package var written: WallTime? { times.written }
    package var isPast: Bool { times.isPast }
}
