package import LatticeCore

/// The body of a `chat` record; its topic is the room's name.
///
/// `body := style:1 name:bytes text:bytes fields`. It contains the author's name, because a reader may be many hops
/// away and know nothing else about the author.
package struct ChatLine: Hashable, Sendable {
    package enum Style: UInt8, Hashable, Sendable {
        /// `<bob> hi`
        case says = 0
        /// `* bob waves`
        case acts = 1
    }

    package static let textBytesMax = 4_096
    private static let replyNumber: UInt64 = 1
    private static let noticeNumber: UInt64 = 2
    static let urgentNumber: UInt64 = 3
    private static let fileNumber: UInt64 = 5
    private static let sealedFileNumber: UInt64 = 9

    package let style: Style
    package let name: PeerName
    package let text: String
    /// Field 1: the line that this one answers.
    package let replyTo: RecordID?
    /// Field 2: programs must not answer this line automatically.
    package let isNotice: Bool
    /// Field 3: the author claims that it is urgent. Each peer judges that for itself.
    package let isUrgent: Bool
    /// Field 5: the manifest of a file that this line shares.
    package let file: RecordID?
    /// All fields, including those of later versions.
    private let fields: BodyFields

    package init(
        style: Style, name: PeerName, text: String, replyTo: RecordID? = nil, isNotice: Bool = false,
        isUrgent: Bool = false, file: RecordID? = nil, sealedFile: SealedFile? = nil
    ) {
        precondition(text.utf8.count <= Self.textBytesMax, "a longer line is refused where it is typed")
        self.style = style
        self.name = name
        self.text = text
        self.replyTo = replyTo
        self.isNotice = isNotice
        self.isUrgent = isUrgent
        self.file = file
        var known: [(number: UInt64, value: [UInt8])] = []
        if let replyTo { known.append((Self.replyNumber, replyTo.hash.bytes)) }
        if isNotice { known.append((Self.noticeNumber, [])) }
        if isUrgent { known.append((Self.urgentNumber, [])) }
        if let file { known.append((Self.fileNumber, file.hash.bytes)) }
        if let sealedFile { known.append((Self.sealedFileNumber, sealedFile.bytes)) }
        fields = known.isEmpty ? .none : BodyFields(known)
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        guard let style = Style(rawValue: try reader.byte("chat style")) else { throw .outOfRange(field: "chat style") }
        self.style = style
        name = try reader.peerName("chat name")
        text = try reader.text("chat text", bytesMax: Self.textBytesMax)
        fields = try BodyFields(reading: &reader, "chat fields")
        replyTo = try Self.record(fields[Self.replyNumber], "chat reply")
        isNotice = try fields.flag(Self.noticeNumber, "chat notice")
        isUrgent = try fields.flag(Self.urgentNumber, "chat urgency")
        file = try Self.record(fields[Self.fileNumber], "chat file")
    }

    private static func record(_ value: ArraySlice<UInt8>?, _ field: String) throws(WireError) -> RecordID? {
        guard let value else { return nil }
        guard let hash = Bytes32(value) else { throw .outOfRange(field: field) }
        return RecordID(hash)
    }

    /// Field 9, in sealed lines only: a file and the key to it. In an open line the number means nothing.
    package func sealedFile() throws(WireError) -> SealedFile? {
        guard let value = fields[Self.sealedFileNumber] else { return nil }
        return try SealedFile(decoding: value)
    }

    package var body: [UInt8] {
        var writer = ByteWriter(reserving: 8 + name.text.utf8.count + text.utf8.count)
        writer.byte(style.rawValue)
        writer.text(name.text)
        writer.text(text)
        fields.append(to: &writer)
        return writer.bytes
    }
}

/// The body of a `presence` record; its topic is empty.
///
/// `body := state:1 name:bytes count:varint room:bytes* fields`
package struct Presence: Hashable, Sendable {
    package static let roomsMax = 64
    /// The interval between presences, in seconds. 15, so that a killed peer is gone everywhere within 45 s; 60 in a
    /// large mesh, where presences would otherwise cost more than speech.
    package static let renewalSecondsRange: ClosedRange<UInt8> = 15...60
    /// Presences per second in the whole mesh from 240 people on: as many as 960 people send who renew every minute.
    private static let presencesPerSecond = 16
    private static let briefNumber: UInt64 = 1
    private static let renewalNumber: UInt64 = 2
    private static let awayNumber: UInt64 = 3
    package static let awayBytesMax = 200

    package let isHere: Bool
    package let name: PeerName
    package let rooms: [RoomName]
    /// Field 1: a command that runs briefly. Fronts do not announce it.
    package let isBrief: Bool
    /// Field 2: the author's next presence comes within this time. Without the field it is 60.
    package var renewalSeconds: UInt8
    /// Field 3: the author's away text, at most 200 bytes; may be empty. `nil` if they are not away.
    package let away: String?

    package init(
        isHere: Bool, name: PeerName, rooms: [RoomName], isBrief: Bool = false,
        renewalSeconds: UInt8 = Self.renewalSecondsRange.upperBound, away: String? = nil
    ) {
        precondition((away?.utf8.count ?? 0) <= Self.awayBytesMax, "a longer text is refused where it is typed")
        self.away = away
        precondition(rooms.count <= Self.roomsMax, "joining more rooms is refused where it is typed")
        precondition(Self.renewalSecondsRange.contains(renewalSeconds), "our own renewals are within the range")
        self.isHere = isHere
        self.name = name
        self.rooms = rooms
        self.isBrief = isBrief
        self.renewalSeconds = renewalSeconds
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        let state = try reader.byte("presence state")
        guard state <= 1 else { throw .outOfRange(field: "presence state") }
        let name = try reader.peerName("presence name")
        let count = try reader.varint("presence rooms")
        guard count <= UInt64(Self.roomsMax) else { throw .outOfRange(field: "presence rooms") }
        var rooms: [RoomName] = []
        for _ in 0..<count {
            rooms.append(try reader.roomName("presence room"))
        }
        let fields = try BodyFields(reading: &reader, "presence fields")
        isHere = state == 1
        self.name = name
        self.rooms = rooms
        isBrief = try fields.flag(Self.briefNumber, "presence brief")
        renewalSeconds = try Self.renewal(fields[Self.renewalNumber])
        away = try Self.away(fields[Self.awayNumber])
    }

    private static func away(_ value: ArraySlice<UInt8>?) throws(WireError) -> String? {
        guard let value else { return nil }
        guard value.count <= awayBytesMax else {
            throw .tooLong(field: "presence away", bytes: value.count, bytesMax: awayBytesMax)
        }
        guard let text = String(validating: value, as: UTF8.self) else { throw .notUTF8(field: "presence away") }
        return text
    }

    private static func renewal(_ value: ArraySlice<UInt8>?) throws(WireError) -> UInt8 {
        guard let value else { return renewalSecondsRange.upperBound }
        var reader = ByteReader(value)
        let number = try reader.varint("presence renewal")
        try reader.end("presence renewal")
        guard let seconds = UInt8(exactly: number), renewalSecondsRange.contains(seconds) else {
            throw .outOfRange(field: "presence renewal")
        }
        return seconds
    }

    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.byte(isHere ? 1 : 0)
        writer.text(name.text)
        writer.varint(UInt64(rooms.count))
        for room in rooms { writer.text(room.text) }
        var fields: [(number: UInt64, value: [UInt8])] = isBrief ? [(Self.briefNumber, [])] : []
        if renewalSeconds != Self.renewalSecondsRange.upperBound {
            fields.append((Self.renewalNumber, [renewalSeconds]))
        }
        if let away { fields.append((Self.awayNumber, Array(away.utf8))) }
        BodyFields(fields).append(to: &writer)
        return writer.bytes
    }

    /// How long its author counts as here after making it: two and a half renewals, at most 150 s.
    package var hereMilliseconds: Int64 { Int64(renewalSeconds) * 2_500 }
    package static let hereMillisecondsMax = Int64(renewalSecondsRange.upperBound) * 2_500

    /// The lifetime of the record that carries it.
    package var lifetimeSeconds: UInt32 {
        max(UInt32(renewalSeconds) * 5 / 2, Record.lifetimeSecondsRange.lowerBound)
    }

    /// The renewal interval in a mesh of this size.
    package static func renewalSeconds(people: Int) -> UInt8 {
        let range = renewalSecondsRange
        return UInt8(min(max(people / presencesPerSecond, Int(range.lowerBound)), Int(range.upperBound)))
    }

    /// The last presence of its author: a goodbye, or what is reported after expiry.
    package var ended: Presence { Presence(isHere: false, name: name, rooms: [], isBrief: isBrief) }

    /// Whether both mean the same to people: a new renewal interval is no news.
    package func saysTheSame(as other: Presence) -> Bool {
        isHere == other.isHere && name == other.name && rooms == other.rooms && isBrief == other.isBrief
            && away == other.away
    }
}

extension ByteReader {
    package mutating func peerName(_ field: String) throws(WireError) -> PeerName {
        let text = try text(field, bytesMax: PeerName.bytesMax)
        do {
            return try PeerName(text)
        } catch {
            throw .notUTF8(field: field)
        }
    }

    package mutating func meshName(_ field: String) throws(WireError) -> MeshName {
        let text = try text(field, bytesMax: MeshName.bytesMax)
        do {
            return try MeshName(text)
        } catch {
            throw .notUTF8(field: field)
        }
    }

    package mutating func roomName(_ field: String) throws(WireError) -> RoomName {
        let text = try text(field, bytesMax: RoomName.bytesMax)
        do {
            return try RoomName(text)
        } catch {
            throw .notUTF8(field: field)
        }
    }
}
