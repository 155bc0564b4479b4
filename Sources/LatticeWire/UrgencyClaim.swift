extension Record {
    /// Whether its author claims that it is urgent: field 3 of a chat line or a post. A body of another form claims
    /// nothing. It is called for every record that arrives, so it steps over names and texts without reading them.
    package var claimsUrgency: Bool {
        switch kind {
        // The style, the name, the text.
        case .chat: hasFlag(ChatLine.urgentNumber, behind: endOfBytes(endOfBytes(1)))
        // The name, the place, the text, the name of the place.
        case .post:
            hasFlag(PostBody.urgentNumber, behind: endOfBytes(endOfBytes(endOfBytes(0).map { $0 + Place.bytes })))
        default: false
        }
    }

    /// Whether the fields that begin at this index have a flag of this number. Most lines have no fields.
    private func hasFlag(_ number: UInt64, behind index: Int?) -> Bool {
        guard let index, index < body.count else { return false }
        var reader = ByteReader(body[index...])
        do throws(WireError) {
            return try BodyFields(reading: &reader, "fields").flag(number, "urgency")
        } catch {
            // A store refuses the form; here malformed fields count as no claim.
            return false
        }
    }

    /// The index after `length:varint octets` that begin at this one; `nil` beyond the end.
    private func endOfBytes(_ start: Int?) -> Int? {
        guard var index = start else { return nil }
        var (length, shift) = (0, 0)
        // Three bytes can encode any length within `Record.bytesMax`.
        while index < body.count, shift < 21 {
            let byte = body[index]
            index += 1
            length |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return index + length <= body.count ? index + length : nil }
            shift += 7
        }
        return nil
    }
}
