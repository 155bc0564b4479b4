package import LatticeCore

package enum FieldFault: Hashable, Codable, Sendable {
    /// The fields' names, stable for programs.
    package enum Field: String, Hashable, Codable, Sendable {
        case id
        case emoji
        case after
        case radius
        case limit
        case words
        case peer
        case text
        case placeName = "place_name"
        case about
        case name
        case address
        case starts
        case ends
        case place
        case blur
        case expires
        case password
        case alt
        case photo
        case kind
        case unlock
        case hours
        case editors
        case partOf = "part_of"
        case area
        case textLength = "text_length"
        case pins
        case rooms
        case welcome
        case rules
    }

    package enum Text: String, Hashable, Codable, Sendable {
        case text
        case placeName
        case about
        case eventName
        case address
        case eventText
        case name
        case category
        case hours
        case meshName
        case meshAbout
        case welcome
        case rules
        /// A photo in words.
        case photo

        package var field: Field {
            switch self {
            case .text, .eventText: .text
            case .placeName: .placeName
            case .about, .meshAbout: .about
            case .eventName, .name, .meshName: .name
            case .welcome: .welcome
            case .rules: .rules
            case .category: .kind
            case .hours: .hours
            case .address: .address
            case .photo: .alt
            }
        }
    }

    case notAnID(given: String)
    case notAnEmoji(given: String)
    /// The cursor of another list.
    case otherCursor
    case radius(maxKilometres: Int)
    case pageSize(max: Int)
    case noWord
    case isSelf
    case emptyMessage
    case empty(text: Text)
    case tooManyCharacters(text: Text, count: Int, max: Int)
    case tooManyBytes(text: Text, count: Int, max: Int)
    case noEventName
    /// Metres.
    case unlock(min: Int, maxKilometres: Int)
    /// A name has no "/": names of places are joined by it.
    case slashInName
    case tooManyEditors(max: Int)
    /// Metres.
    case area(min: Int, maxKilometres: Int)
    case textLength(max: Int)
    case radiusChoices(max: Int, maxKilometres: Int)
    case tooManyPins(max: Int)
    case tooManyRooms(max: Int)
    /// Its name would be in a record that everybody reads.
    case privateRoom(room: RoomName)
    /// Only a new place is put into another, or gets editors.
    case onlyNew(field: Field)
    case noStart
    case startsTooLate(daysMax: Int)
    case endsTooLate(daysMax: Int)
    case endsBeforeStart
    /// The event ended more than a day ago.
    case over(field: Field)
    case blur(max: Int)
    case noPlace
    case lifetime
    case passwordBytes(min: Int, max: Int)
    case photoOfComment
    case originalOfProfile
    case originalOfDraft

    package var field: Field {
        switch self {
        case .notAnID: .id
        case .notAnEmoji: .emoji
        case .otherCursor: .after
        case .radius, .radiusChoices: .radius
        case .area: .area
        case .textLength: .textLength
        case .tooManyPins: .pins
        case .tooManyRooms, .privateRoom: .rooms
        case .pageSize: .limit
        case .noWord: .words
        case .isSelf: .peer
        case .emptyMessage: .text
        case .empty(let text), .tooManyCharacters(let text, _, _), .tooManyBytes(let text, _, _): text.field
        case .noEventName, .slashInName: .name
        case .unlock: .unlock
        case .tooManyEditors: .editors
        case .onlyNew(let field): field
        case .noStart, .startsTooLate: .starts
        case .endsTooLate, .endsBeforeStart: .ends
        case .over(let field): field
        case .blur: .blur
        case .noPlace: .place
        case .lifetime: .expires
        case .passwordBytes: .password
        case .photoOfComment, .originalOfProfile, .originalOfDraft: .photo
        }
    }
}
