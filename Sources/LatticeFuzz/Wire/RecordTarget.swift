import LatticeCrypto
import LatticeWire

extension FuzzTarget {
    static let record = FuzzTarget(
        "record", "a signed record: its fields are written again in the same bytes, and so is its body",
        inputBytesMax: 2_048
    ) { bytes throws(BrokenProperty) in
        guard let signed = accepted({ try SignedRecord(decoding: bytes[...]) }) else { return }
        try hold(signed.bytes == bytes, "a record is not the bytes that it was read from")
        let again = SignedRecord(signed.record, signature: signed.signature)
        try hold(again.bytes == bytes, "the fields of a record are written in other bytes")
        try hold(again == signed && again.signedBytes == signed.signedBytes, "one record is two")
        try checkBody(of: signed.record)
        guard let verified = accepted({ try RecordVerifier.verify(signed) }) else { return }
        try hold(verified.signed.bytes == bytes, "another record was verified")
        let twice = accepted { try RecordVerifier.verify(again) }
        try hold(twice?.id == verified.id, "one record has two ids")
    }

    private static func checkBody(of record: Record) throws(BrokenProperty) {
        for form in BodyForm.all where form.kinds.contains(record.kind) { try form.check(record.body) }
    }
}
