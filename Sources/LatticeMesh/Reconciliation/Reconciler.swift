package import LatticeCore

/// One side of a reconciliation (Negentropy protocol version 1): finds out with one neighbour which items either lacks.
///
/// The initiator learns both; the responder answers message by message. Neither keeps anything between messages, and the
/// set is handed in each time, so it may change meanwhile: what arrives is found now or the next time. Who begins counts
/// the rounds and gives up after `roundsMax`.
package struct Reconciler: Sendable {
    package struct Step: Equatable, Sendable {
        /// To be sent; `nil` when the initiator knows all.
        package var reply: [UInt8]?
        /// Here and not there. With a limit some ids are told again by a later message, here and in `need`: what a full
        /// frame takes back covers lists that were read already. So take both for sets.
        package var have: [Bytes32] = []
        /// There and not here; at most one for 32 bytes of the message.
        package var need: [Bytes32] = []

        package init(reply: [UInt8]? = nil) {
            self.reply = reply
        }
    }

    /// How messages are written where the specification leaves a choice. Each manner understands the other.
    package enum Manner: Hashable, Sendable {
        /// The same bytes as the reference implementation.
        case reference
        /// As few bytes as can be: see `Thrift`.
        case thrifty
    }

    enum Role {
        case initiator
        case responder
    }

    /// The smallest limit the reference implementation takes.
    package static let frameBytesMin = 4_096
    /// Messages from a responder, after which whoever began gives up. Two million items that are all different take as many
    /// at 4,096 bytes a message; one who never lets it end is a liar.
    package static let roundsMax = 20_000
    /// What a thrifty initiator learns of its own items from one message: 4 MB of ids. A message of ten bytes can say that
    /// the other side has nothing at all; the rest is asked for again.
    package static let haveMax = 131_072

    let role: Role
    let manner: Manner
    let since: UInt64
    let frameBytesMax: Int?
    let sha256: Fingerprinter

    /// - Parameters:
    ///   - since: items with an earlier timestamp do not exist for it; the same on both sides.
    ///   - frameBytesMax: bytes no message of ours exceeds, from `frameBytesMin`; `nil` for no limit.
    package static func initiator(
        _ manner: Manner = .reference, from since: UInt64 = 0, frameBytesMax: Int?, sha256: @escaping Fingerprinter
    ) -> Reconciler {
        Reconciler(.initiator, manner, since, frameBytesMax, sha256)
    }

    /// - Parameters:
    ///   - since: items with an earlier timestamp do not exist for it; the same on both sides.
    ///   - frameBytesMax: bytes no message of ours exceeds, from `frameBytesMin`; `nil` for no limit.
    package static func responder(
        _ manner: Manner = .reference, from since: UInt64 = 0, frameBytesMax: Int?, sha256: @escaping Fingerprinter
    ) -> Reconciler {
        Reconciler(.responder, manner, since, frameBytesMax, sha256)
    }

    private init(
        _ role: Role, _ manner: Manner, _ since: UInt64, _ frameBytesMax: Int?, _ sha256: @escaping Fingerprinter
    ) {
        precondition((frameBytesMax ?? .max) >= Self.frameBytesMin, "a frame has room for one answer")
        self.role = role
        self.manner = manner
        self.since = since
        self.frameBytesMax = frameBytesMax
        self.sha256 = sha256
    }

    /// The initiator's first message.
    package func begin(with set: ReconciliationSet) -> [UInt8] {
        precondition(role == .initiator, "an initiator begins")
        let start = set.sum(before: ReconciliationBound(timestamp: since))
        var answer = RangeAnswer(of: self, with: set, from: start)
        answer.begin()
        return answer.bytes
    }

    /// What a message from the other side says, and the answer to it. After an error an initiator knows no more than before,
    /// and its comparison is over; a responder takes the next message as if this one had not been.
    ///
    /// Costs at most one look at each range of the message, one fingerprint for each 19 bytes of it and for each 19 bytes of
    /// the answer; an initiator also looks at each of its items at most once.
    package func read(_ message: [UInt8], with set: ReconciliationSet) throws(ReconciliationError) -> Step {
        var reader = RangeReader(message)
        guard try isOurVersion(&reader) else {
            // The highest version known here, so that the other side may come down to it ("Message").
            return Step(reply: [RangeWriter.version])
        }
        let start = set.sum(before: ReconciliationBound(timestamp: since))
        var survey = RangeSurvey(of: self, with: set, from: start)
        while !reader.isAtEnd { try survey.hear(reader.range(), in: reader) }
        var answer = RangeAnswer(of: self, with: set, from: start)
        answer.write(survey)
        var step = survey.step
        // Nothing but the version byte: no range is open any more.
        step.reply = role == .initiator && answer.bytes.count == 1 ? nil : answer.bytes
        return step
    }

    private func isOurVersion(_ reader: inout RangeReader) throws(ReconciliationError) -> Bool {
        let version = try reader.byte("version")
        guard (0x60...0x6F).contains(version) else { throw .notAMessage(version) }
        guard version == RangeWriter.version || role == .responder else { throw .unknownVersion(version) }
        return version == RangeWriter.version
    }
}
