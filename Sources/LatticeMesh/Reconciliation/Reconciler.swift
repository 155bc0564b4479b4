package import LatticeCore

/// One side of a reconciliation (Negentropy protocol version 1), which finds the items that only one of two peers has.
///
/// The initiator learns both differences; the responder only answers. Neither keeps state between messages, and the set
/// is passed in each time, so it may change meanwhile: a new item is found now or in the next reconciliation. The
/// initiator's caller counts the rounds and gives up after `roundsMax`.
package struct Reconciler: Sendable {
    package struct Step: Equatable, Sendable {
        /// The message to send; `nil` when the initiator is done.
        package var reply: [UInt8]?
        /// Ids that are only here. With a frame limit, ids may appear again in a later message, here and in `need`,
        /// because a full frame drops ranges whose lists were read already. Treat both as sets.
        package var have: [Bytes32] = []
        /// Ids that are only there; at most one per 32 bytes of the message.
        package var need: [Bytes32] = []

        package init(reply: [UInt8]? = nil) {
            self.reply = reply
        }
    }

    /// How messages are written where the specification leaves a choice. Each manner understands the other.
    package enum Manner: Hashable, Sendable {
        /// The same bytes as the reference implementation.
        case reference
        /// As few bytes as possible: see `Thrift`.
        case thrifty
    }

    enum Role {
        case initiator
        case responder
    }

    /// The smallest limit that the reference implementation accepts.
    package static let frameBytesMin = 4_096
    /// Responder messages after which the initiator gives up. Two million differing items need as many at 4,096 bytes a
    /// message; a responder that needs more is lying.
    package static let roundsMax = 20_000
    /// Own ids that a thrifty initiator reports from one message: 4 MB. A message of ten bytes can claim that the other
    /// side has nothing at all; the rest is asked for again.
    package static let haveMax = 131_072

    let role: Role
    let manner: Manner
    let since: UInt64
    let frameBytesMax: Int?
    let sha256: Fingerprinter

    /// - Parameters:
    ///   - since: items with an earlier timestamp are ignored; the same on both sides.
    ///   - frameBytesMax: the maximum size of our messages, at least `frameBytesMin`; `nil` for no limit.
    package static func initiator(
        _ manner: Manner = .reference, from since: UInt64 = 0, frameBytesMax: Int?, sha256: @escaping Fingerprinter
    ) -> Reconciler {
        Reconciler(.initiator, manner, since, frameBytesMax, sha256)
    }

    /// - Parameters:
    ///   - since: items with an earlier timestamp are ignored; the same on both sides.
    ///   - frameBytesMax: the maximum size of our messages, at least `frameBytesMin`; `nil` for no limit.
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

    /// Reads a message of the other side and writes the answer. After an error an initiator has learned nothing and its
    /// reconciliation is over; a responder continues with the next message as if this one had not come.
    ///
    /// Costs at most one look-up for each range of the message and one fingerprint for each 19 bytes of message and
    /// answer. An initiator also reads each item at most once.
    package func read(_ message: [UInt8], with set: ReconciliationSet) throws(ReconciliationError) -> Step {
        var reader = RangeReader(message)
        guard try isOurVersion(&reader) else {
            // The highest version supported here, so that the other side can fall back to it ("Message").
            return Step(reply: [RangeWriter.version])
        }
        let start = set.sum(before: ReconciliationBound(timestamp: since))
        var survey = RangeSurvey(of: self, with: set, from: start)
        while !reader.isAtEnd { try survey.hear(reader.range(), in: reader) }
        var answer = RangeAnswer(of: self, with: set, from: start)
        answer.write(survey)
        var step = survey.step
        // Only the version byte: no range is open any more.
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
