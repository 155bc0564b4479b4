import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

/// Who looks, and from where: decides which parts of an item are visible and withholds the rest.
///
/// That is courtesy and a game, not secrecy: every relay of a post holds its text.
struct Viewer: Sendable {
    let me: PeerID
    let followed: Set<PeerID>
    let position: Coordinate?
    /// Metres within which posts can be read.
    let radius: Double
    /// Whether distance also counts for my own items and those of people I follow, as on a map.
    let isStrict: Bool

    func state(of item: StoredItem) -> ItemInfo.State {
        switch item.state {
        case .deletedByAuthor: return .deletedByAuthor
        case .deletedByParentAuthor: return .deletedByPostAuthor
        case .shown: break
        }
        guard item.kind == .post, let place = item.place else { return .shown }
        if let unlock = item.unlockMetres { return isUnlocked(place, within: unlock, item) ? .shown : .tooFar }
        if !isStrict, item.author == me || followed.contains(item.author) { return .shown }
        // Without a position nothing is too far away.
        guard let position else { return .shown }
        return position.distance(to: place.coordinate) > radius ? .tooFar : .shown
    }

    /// A post that says from where it can be read is for those who go there, whom its author follows or not.
    private func isUnlocked(_ place: Place, within metres: Int, _ item: StoredItem) -> Bool {
        if item.author == me { return true }
        return position.map { $0.distance(to: place.coordinate) <= Double(metres) } ?? false
    }

    /// - Parameters:
    ///   - parent: the item a comment is about; it decides whether the comment may be read.
    func info(_ item: StoredItem, short: String, parent: StoredItem? = nil) -> ItemInfo {
        var state = state(of: item)
        if state == .shown, item.author != me, let parent {
            if self.state(of: parent) == .tooFar { state = .tooFar }
        }
        var info = ItemInfo(
            id: item.id, short: short, kind: item.infoKind, state: state, author: item.author,
            authorName: item.authorName, at: item.date, expires: item.expires)
        info.authorColour = item.authorLook.colour
        info.authorPhotoSize = item.authorLook.photoSize
        info.editedAt = item.edited
        info.parent = item.parent
        info.isMine = item.author == me
        info.isWaiting = item.isWaiting
        info.likes = item.likes
        info.comments = item.comments
        info.attendees = item.attendees
        info.isLikedByMe = item.isLikedByOwner
        info.isAttendedByMe = item.isAttendedByOwner
        if let place = item.place {
            info.place = place.coordinate
            info.blur = place.geohashCharacters.map(Int.init)
            if let position {
                info.metres = position.distance(to: place.coordinate)
                info.bearing = position.bearing(to: place.coordinate)
            }
        }
        info.isUrgent = item.isUrgent
        info.unlockMetres = item.unlockMetres
        // Nobody writes after they publish; a date ahead says nothing.
        info.writtenAt = item.written.flatMap { $0 < item.date ? $0 : nil }
        guard state == .shown else { return info }
        info.text = item.text
        info.title = item.title.isEmpty ? nil : item.title
        let words = item.placeName.isEmpty ? nil : item.placeName
        if item.kind == .place { info.category = words } else { info.placeName = words }
        info.atPlace = item.atPlace
        info.hours = item.hours.isEmpty ? nil : item.hours
        info.starts = item.starts
        info.ends = item.ends
        info.isPast = item.isPast
        info.photo = item.photo.map { PhotoInfo($0) }
        return info
    }
}

extension PhotoInfo {
    init(_ photo: StoredPhoto) {
        self.init(
            width: photo.width, height: photo.height, size: photo.blob.size, alt: photo.alt,
            state: photo.isHere ? .here : .shared)
    }
}

extension StoredItem {
    var infoKind: ItemInfo.Kind {
        switch kind {
        case .post: .post
        case .event: .event
        case .comment: .comment
        case .place: .place
        default: preconditionFailure("only posts, comments, events and places are items")
        }
    }
}
