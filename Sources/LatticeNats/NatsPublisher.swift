import CNats
import LatticeBridge
import LatticeConcurrency

// Safety: payloads and texts are lent to libnats for the length of the call, with their true sizes; it copies what it keeps.

/// Publishes on a thread of its own, since libnats waits on the thread that calls it.
actor NatsPublisher {
    private let executor = BlockingExecutor("lattice.nats.publish")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let connection: NatsConnection
    private let acks: NatsAcks
    /// The library has no list of what is pending before.
    private var hasPublished = false
    /// Milliseconds. A cluster without a leader answers at once; a cut line does not answer.
    private static let ackTimeout: Int64 = 4_000

    init(_ connection: NatsConnection, _ acks: NatsAcks) { (self.connection, self.acks) = (connection, acks) }

    /// - Returns: one outcome for each parcel, once the broker has answered about all or the time is over.
    func publish(_ parcels: [BridgeParcel]) -> [PublishOutcome] {
        guard connection.isConnected else { return parcels.map { _ in .failed("there is no connection") } }
        let unsent = parcels.map { Self.send($0, connection) }
        if unsent.contains(nil) { hasPublished = true }
        var options = jsPubOptions()
        jsPubOptions_Init(&options)
        options.MaxWait = Self.ackTimeout
        js_PublishAsyncComplete(connection.context, &options)
        if hasPublished { forgetPending() }
        let outcomes = acks.take()
        return zip(parcels, unsent).map { parcel, unsent in
            unsent.map { .failed($0) } ?? outcomes[parcel.id] ?? .failed("no answer")
        }
    }

    /// - Returns: why it could not be sent.
    private static func send(_ parcel: BridgeParcel, _ connection: NatsConnection) -> String? {
        var message: OpaquePointer?
        let status = parcel.payload.withUnsafeBytes { payload in
            natsMsg_Create(
                &message, parcel.subject, nil, payload.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(payload.count))
        }
        guard status == NATS_OK else { return status.words }
        let sent = parcel.id.withCString { id in
            var options = jsPubOptions()
            jsPubOptions_Init(&options)
            options.MsgId = id
            return js_PublishMsgAsync(connection.context, &message, &options)
        }
        guard sent != NATS_OK else { return nil }
        natsMsg_Destroy(message)
        return sent.words
    }

    /// What was not answered is published again, as a message of its own.
    private func forgetPending() {
        var list = natsMsgList()
        guard js_PublishAsyncGetPendingList(&list, connection.context) == NATS_OK else { return }
        natsMsgList_Destroy(&list)
    }
}
