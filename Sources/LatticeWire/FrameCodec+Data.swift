import LatticeCore

// Encoding and decoding of data, its answers and datagrams.
extension ByteReader {
    mutating func dataFrame() throws(WireError) -> DataFrame {
        let route = try dataRoute()
        let flow = try integer(bytes: 8, "data flow")
        let offset = try varint("data offset")
        let count = try varint("data messages")
        let messages = try DataMessages(count, decoding: rest())
        guard offset <= UInt64.max - UInt64(messages.bytes.count) else { throw .outOfRange(field: "data offset") }
        return DataFrame(route: route, flow: flow, offset: offset, messages: messages)
    }

    mutating func dataAnswer() throws(WireError) -> DataAnswer {
        let route = try dataRoute()
        let flow = try integer(bytes: 8, "data flow")
        let received = try varint("data received")
        let limit = try varint("data limit")
        guard limit >= received else { throw .outOfRange(field: "data limit") }
        guard let state = DataAnswer.State(rawValue: try varint("data state")) else {
            throw .outOfRange(field: "data state")
        }
        return DataAnswer(route: route, flow: flow, received: received, limit: limit, state: state)
    }

    mutating func datagram() throws(WireError) -> DatagramFrame {
        let route = try dataRoute()
        let sequence = try varint("datagram sequence")
        guard let age = UInt32(exactly: try varint("datagram age")) else { throw .outOfRange(field: "datagram age") }
        let octets = rest()
        let octetsMax = DatagramFrame.octetsMax(isRouted: route != nil)
        guard octets.count <= octetsMax else {
            throw .tooLong(field: "datagram", bytes: octets.count, bytesMax: octetsMax)
        }
        // A seal has a tag.
        guard route == nil || octets.count >= DatagramFrame.tagBytes else { throw .truncated(field: "datagram") }
        return DatagramFrame(route: route, sequence: sequence, ageMilliseconds: age, octets: Array(octets))
    }

    private mutating func dataRoute() throws(WireError) -> DataRoute? {
        guard try flag("data routed") else { return nil }
        let timeToLive = try links("TTL", in: 1...RecordFrame.timeToLiveMax)
        let from = try peerID("data origin")
        let to = try peerID("data target")
        return DataRoute(timeToLive: timeToLive, from: from, to: to)
    }
}

extension ByteWriter {
    mutating func dataFrame(_ frame: DataFrame) {
        dataRoute(frame.route)
        integer(frame.flow, bytes: 8)
        varint(frame.offset)
        varint(UInt64(frame.messages.count))
        fixed(frame.messages.bytes)
    }

    mutating func dataAnswer(_ answer: DataAnswer) {
        dataRoute(answer.route)
        integer(answer.flow, bytes: 8)
        varint(answer.received)
        varint(answer.limit)
        varint(answer.state.rawValue)
    }

    mutating func datagram(_ frame: DatagramFrame) {
        dataRoute(frame.route)
        varint(frame.sequence)
        varint(UInt64(frame.ageMilliseconds))
        fixed(frame.octets)
    }

    private mutating func dataRoute(_ route: DataRoute?) {
        byte(route == nil ? 0 : 1)
        guard let route else { return }
        varint(UInt64(route.timeToLive))
        fixed(route.from.key)
        fixed(route.to.key)
    }
}

extension DataFrame {
    var bodyByteCount: Int {
        route.byteCount + 8 + Frame.varint(offset) + Frame.varint(UInt64(messages.count)) + messages.bytes.count
    }
}

extension DataAnswer {
    var bodyByteCount: Int {
        route.byteCount + 8 + Frame.varint(received) + Frame.varint(limit) + Frame.varint(state.rawValue)
    }
}

extension DatagramFrame {
    var bodyByteCount: Int {
        route.byteCount + Frame.varint(sequence) + Frame.varint(UInt64(ageMilliseconds)) + octets.count
    }
}

extension DataRoute? {
    fileprivate var byteCount: Int {
        map { 1 + Frame.varint(UInt64($0.timeToLive)) + 32 + 32 } ?? 1
    }
}
