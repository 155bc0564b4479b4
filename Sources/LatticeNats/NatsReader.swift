import CNats
import LatticeBridge
import LatticeConcurrency

// Safety: what libnats hands out is read within the list or structure that owns it, with the sizes that it tells, and destroyed
// after that; texts are lent to it for the length of the call.

/// Reads one stream on a thread of its own, since libnats waits on the thread that calls it.
actor NatsReader {
    private let executor: BlockingExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let connection: NatsConnection
    private let name: String
    private let subjects: String
    private let settings: NatsStreamSettings
    private let span: BridgeSpan
    private let ageMax: Int64
    private var subscription: OpaquePointer?
    /// What the consumer delivers next comes after this.
    private var passed: UInt64 = 0
    /// The consumer numbers what it delivers, without gaps; this is the last number that came.
    private var delivered: UInt64 = 0
    /// The creation time of the stream, in nanoseconds since 1970.
    private var created: Int64 = 0
    private var emptyFetches = 0

    private static let second: Int64 = 1_000_000_000
    private static let window = 600 * second
    private static let batchMax: Int32 = 512
    /// About as much as one request to the node takes.
    private static let batchBytesMax: Int64 = 700_000
    private static let pendingMax: Int32 = 2 * batchMax
    private static let pendingBytesMax: Int32 = 4 << 20
    /// After this many empty fetches the state of the stream is read: the consumer may be gone.
    private static let emptyFetchesMax = 2

    init(
        _ connection: NatsConnection, _ span: BridgeSpan, _ names: BridgeNames, _ settings: NatsStreamSettings
    ) {
        (self.connection, self.span, self.settings) = (connection, span, settings)
        (name, subjects) = (names.stream(span), names.subjects(of: span))
        ageMax = Int64(span.ageMax) * Self.second
        executor = BlockingExecutor("lattice.nats.\(span.rawValue)")
    }

    isolated deinit { drop() }

    private func drop() {
        guard let subscription = subscription.take() else { return }
        natsSubscription_Unsubscribe(subscription)
        natsSubscription_Destroy(subscription)
    }

    func next(after sequence: UInt64) throws(BrokerFault) -> BrokerPage {
        if passed != sequence { drop() }
        passed = sequence
        while true {
            if Task.isCancelled { return BrokerPage([], passed: passed, remaining: 0) }
            if subscription == nil { try subscribe(after: passed) }
            if let page = try fetch() {
                passed = page.passed
                emptyFetches = 0
                return page
            }
            emptyFetches += 1
            guard emptyFetches >= Self.emptyFetchesMax else { continue }
            emptyFetches = 0
            return try confirmEmpty()
        }
    }

    /// Nothing came for a while: either there is nothing, or the consumer is gone together with its server.
    private func confirmEmpty() throws(BrokerFault) -> BrokerPage {
        let info: (created: Int64, first: UInt64, last: UInt64) = try withInfo { info in
            (info.Created, info.State.FirstSeq, info.State.LastSeq)
        }
        guard info.created == created, info.last >= passed else {
            drop()
            throw .unreachable("\(name) was made anew")
        }
        // What has expired is not there any more; an empty stream begins after its end.
        let gone = min(info.last, max(passed, info.first &- (info.first > 0 ? 1 : 0)))
        if gone < info.last || gone > passed { drop() }
        passed = max(passed, gone)
        return BrokerPage([], passed: passed, remaining: info.last - min(info.last, passed))
    }

    private func subscribe(after sequence: UInt64) throws(BrokerFault) {
        drop()
        subscription = try Self.consumer(of: name, subjects, after: sequence, connection)
        // Messages that no fetch asked for are dropped beyond these limits.
        natsSubscription_SetPendingLimits(subscription, Self.pendingMax, Self.pendingBytesMax)
        (delivered, emptyFetches) = (0, 0)
    }

    /// A consumer without a name and without acknowledgements: it costs the broker little, and nothing has to be removed.
    private static func consumer(
        of name: String, _ subjects: String, after sequence: UInt64, _ connection: NatsConnection
    ) throws(BrokerFault) -> OpaquePointer? {
        var options = jsSubOptions()
        jsSubOptions_Init(&options)
        options.Config.AckPolicy = js_AckNone
        options.Config.DeliverPolicy = js_DeliverByStartSequence
        options.Config.OptStartSeq = sequence + 1
        options.Config.Replicas = 1
        options.Config.MemoryStorage = true
        options.Config.InactiveThreshold = 60 * second
        var error = jsErrCode(0)
        var made: OpaquePointer?
        let status = name.withCString { name in
            options.Stream = name
            return js_PullSubscribe(&made, connection.context, subjects, nil, nil, &options, &error)
        }
        guard status == NATS_OK else { throw BrokerFault(status, error, "the streams") }
        return made
    }

    /// - Returns: `nil` if nothing came in a second.
    private func fetch() throws(BrokerFault) -> BrokerPage? {
        // What is there comes at once; otherwise the next one, as soon as it is there.
        if let page = try fetch(Self.batchMax, waits: false) { return page }
        return try fetch(1, waits: true)
    }

    private func fetch(_ count: Int32, waits: Bool) throws(BrokerFault) -> BrokerPage? {
        var request = jsFetchRequest()
        jsFetchRequest_Init(&request)
        request.Batch = count
        request.MaxBytes = waits ? 0 : Self.batchBytesMax
        request.NoWait = !waits
        request.Expires = Self.second
        var list = natsMsgList()
        let status = natsSubscription_FetchRequest(&list, subscription, &request)
        defer { natsMsgList_Destroy(&list) }
        switch status {
        case NATS_OK: break
        case NATS_TIMEOUT, NATS_NOT_FOUND: return nil
        default:
            drop()
            throw BrokerFault(status, jsErrCode(0), "the streams")
        }
        return try page(list)
    }

    private func page(_ list: natsMsgList) throws(BrokerFault) -> BrokerPage? {
        var messages: [BrokerMessage] = []
        var remaining: UInt64 = 0
        for message in UnsafeBufferPointer(start: list.Msgs, count: Int(list.Count)) {
            var facts: UnsafeMutablePointer<jsMsgMetaData>?
            guard natsMsg_GetMetaData(&facts, message) == NATS_OK, let facts else {
                drop()
                break
            }
            defer { jsMsgMetaData_Destroy(facts) }
            // The broker counts a message as delivered once it has written it, even to a connection that is gone: what is
            // missing is read again.
            guard facts.pointee.Sequence.Consumer == delivered + 1 else {
                drop()
                break
            }
            delivered += 1
            let bytes = UnsafeRawBufferPointer(
                start: natsMsg_GetData(message), count: Int(natsMsg_GetDataLength(message)))
            messages.append(
                BrokerMessage(
                    sequence: facts.pointee.Sequence.Stream,
                    subject: natsMsg_GetSubject(message).map { String(cString: $0) } ?? "", payload: Array(bytes),
                    storedAt: facts.pointee.Timestamp / 1_000_000))
            remaining = facts.pointee.NumPending
        }
        guard let last = messages.last else { return nil }
        return BrokerPage(messages, passed: last.sequence, remaining: remaining)
    }

    func stand() throws(BrokerFault) -> StreamStand {
        do {
            return try checkedStand()
        } catch .missingStream where settings.mayCreate {
            try create()
        }
        do {
            return try checkedStand()
        } catch .missingStream(let name) where settings.mayCreate {
            // The servers of a cluster agree on it in a moment.
            throw .unreachable("\(name) is being made")
        }
    }

    private func checkedStand() throws(BrokerFault) -> StreamStand {
        let info: (stand: StreamStand, created: Int64, fault: String?) = try withInfo { info in
            let stand = StreamStand(created: String(info.Created), last: info.State.LastSeq)
            return (stand, info.Created, info.Config.flatMap { fault(of: $0.pointee) })
        }
        if let fault = info.fault { throw .otherSettings("the stream \(name) \(fault)") }
        // What a consumer reads is compared with the stream that it was made for.
        if subscription == nil { created = info.created }
        return info.stand
    }

    /// - Returns: the setting that would lose records or store them twice. Somebody else may have made the stream.
    private func fault(of settings: jsStreamConfig) -> String? {
        if settings.Duplicates < Self.window {
            return "forgets ids too soon; its duplicate_window must be at least 10 minutes"
        }
        // Of pictures and files the newest are worth most, and a gap is no gap in what was said.
        if span != .pieces, settings.Discard != js_DiscardNew {
            return "drops old records when it is full; its discard must be 'new'"
        }
        if settings.MaxAge > 0, settings.MaxAge < ageMax { return "drops records too soon; its max_age is too short" }
        if settings.MaxMsgsPerSubject > 0 || settings.MaxMsgs > 0 { return "has a limit on the number of messages" }
        if settings.MaxMsgSize > 0, settings.MaxMsgSize < NatsStreamSettings.messageBytesMax {
            return "takes no long records; its max_msg_size must be at least \(NatsStreamSettings.messageBytesMax)"
        }
        return nil
    }

    /// - Throws: `missingStream` if there is no such stream.
    private func withInfo<Value>(_ body: (jsStreamInfo) -> Value) throws(BrokerFault) -> Value {
        var info: UnsafeMutablePointer<jsStreamInfo>?
        var error = jsErrCode(0)
        let status = js_GetStreamInfo(&info, connection.context, name, nil, &error)
        defer { jsStreamInfo_Destroy(info) }
        if let info, status == NATS_OK { return body(info.pointee) }
        guard error != JSStreamNotFoundErr else { throw .missingStream(name) }
        throw BrokerFault(status, error, "the streams")
    }

    private func create() throws(BrokerFault) {
        var configuration = jsStreamConfig()
        jsStreamConfig_Init(&configuration)
        configuration.Storage = js_FileStorage
        configuration.Replicas = Int64(settings.replicas)
        configuration.Discard = span == .pieces ? js_DiscardOld : js_DiscardNew
        configuration.MaxAge = ageMax
        configuration.MaxBytes = settings.bytesMax[span] ?? -1
        configuration.MaxMsgSize = NatsStreamSettings.messageBytesMax
        configuration.Duplicates = Self.window
        configuration.DenyDelete = true
        configuration.DenyPurge = true
        var error = jsErrCode(0)
        let status = name.withCString { name in
            withCStrings([subjects]) { subjects in
                configuration.Name = name
                configuration.Subjects = subjects
                configuration.SubjectsLen = 1
                return js_AddStream(nil, connection.context, &configuration, nil, &error)
            }
        }
        // Another bridge may have been faster.
        guard status == NATS_OK || error == JSStreamNameExistErr else {
            throw BrokerFault(status, error, "creating \(name)")
        }
    }
}
