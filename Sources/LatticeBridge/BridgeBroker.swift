/// What is published for a record.
package struct BridgeParcel: Hashable, Sendable {
    package let subject: String
    /// The broker keeps one parcel of each id.
    package let id: String
    package let payload: [UInt8]

    package init(subject: String, id: String, payload: [UInt8]) {
        (self.subject, self.id, self.payload) = (subject, id, payload)
    }
}

/// What a broker delivers.
package struct BrokerMessage: Hashable, Sendable {
    /// Its place in the stream, from 1.
    package let sequence: UInt64
    package let subject: String
    package let payload: [UInt8]
    /// When the broker stored it, by its clock, in Unix milliseconds; `nil` if it does not tell.
    package let storedAt: Int64?

    package init(sequence: UInt64, subject: String, payload: [UInt8], storedAt: Int64? = nil) {
        (self.sequence, self.subject, self.payload, self.storedAt) = (sequence, subject, payload, storedAt)
    }
}

package struct BrokerPage: Sendable {
    package let messages: [BrokerMessage]
    /// Everything up to here was delivered, or is not there any more.
    package let passed: UInt64
    /// How many come after it.
    package let remaining: UInt64

    package init(_ messages: [BrokerMessage], passed: UInt64, remaining: UInt64) {
        (self.messages, self.passed, self.remaining) = (messages, passed, remaining)
    }
}

/// How far a stream has got.
package struct StreamStand: Hashable, Codable, Sendable {
    /// Distinguishes the stream from a later one of its name.
    package let created: String
    /// The newest sequence; 0 if it was never written.
    package let last: UInt64

    package init(created: String, last: UInt64) {
        (self.created, self.last) = (created, last)
    }
}

package enum PublishOutcome: Hashable, Sendable {
    case stored
    /// The broker had it.
    case known
    /// The stream has no space.
    case full
    /// Nothing is known about it: it has to be published again.
    case failed(String)
}

/// Why a broker did not do something.
package enum BrokerFault: Error, Hashable, Sendable {
    /// There is no connection, or no answer in time: it is tried again.
    case unreachable(String)
    /// The broker rejects the login, a certificate is not trusted, or a permission is missing.
    case refused(String)
    /// A stream has settings with which records would be lost or doubled.
    case otherSettings(String)
    /// There is no stream of this name, and none may be created.
    case missingStream(String)
    /// The connection is closed for good; a new one may do.
    case closed(String)
}

/// A message broker that stores what it carries between bridges.
package protocol BridgeBroker: Sendable {
    /// Creates the stream if it is missing.
    func stand(of span: BridgeSpan) async throws(BrokerFault) -> StreamStand

    /// What comes after this sequence; waits for about a second if nothing does.
    func next(_ span: BridgeSpan, after sequence: UInt64) async throws(BrokerFault) -> BrokerPage

    /// - Returns: one outcome for each parcel, in their order.
    func publish(_ parcels: [BridgeParcel]) async -> [PublishOutcome]
}
