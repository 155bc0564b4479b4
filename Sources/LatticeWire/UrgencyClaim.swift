extension Record {
    /// Whether its author claims that it is urgent: field 3 of a chat line or a post. A body of another form claims
    /// nothing. It is asked for every record that arrives, so it steps over names and texts without reading them.
    package var claimsUrgency: Bool {
        var reader = ByteReader(body)
        do throws(WireError) {
            switch kind {
            case .chat:
                _ = try reader.byte("chat style")
                _ = try reader.bytes("chat name", bytesMax: Self.bytesMax)
                _ = try reader.bytes("chat text", bytesMax: Self.bytesMax)
                guard reader.remaining > 0 else { return false }
                return try BodyFields(reading: &reader, "chat fields").flag(ChatLine.urgentNumber, "chat urgency")
            case .post:
                _ = try reader.bytes("post name", bytesMax: Self.bytesMax)
                _ = try reader.place("post place")
                _ = try reader.bytes("post text", bytesMax: Self.bytesMax)
                _ = try reader.bytes("post place name", bytesMax: Self.bytesMax)
                guard reader.remaining > 0 else { return false }
                return try BodyFields(reading: &reader, "post fields").flag(PostBody.urgentNumber, "post urgency")
            default: return false
            }
        } catch {
            // A store refuses the form; here it is only no claim.
            return false
        }
    }
}
