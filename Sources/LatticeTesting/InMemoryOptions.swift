import NIOCore

/// What a channel inside the process can be set to.
struct InMemoryOptions {
    typealias Types = ChannelOptions.Types

    private(set) var autoRead: Bool
    private(set) var allowsHalfClosure = false
    private(set) var waterMark = Types.WriteBufferWaterMark(low: 32 << 10, high: 64 << 10)

    init(autoRead: Bool) {
        self.autoRead = autoRead
    }

    mutating func set<Option: ChannelOption>(_ option: Option, _ value: Option.Value) throws {
        switch (option as Any, value as Any) {
        case (is Types.AutoReadOption, let isOn as Bool): autoRead = isOn
        case (is Types.AllowRemoteHalfClosureOption, let isOn as Bool): allowsHalfClosure = isOn
        case (is Types.WriteBufferWaterMarkOption, let mark as Types.WriteBufferWaterMark): waterMark = mark
        // Only a kernel delays small packets, or holds bytes that have not left.
        case (is Types.SocketOption, _): break
        default: throw ChannelError.operationUnsupported
        }
    }

    func get<Option: ChannelOption>(_ option: Option, waitingBytes: Int) throws -> Option.Value {
        let value: Any? =
            switch option as Any {
            case is Types.AutoReadOption: autoRead
            case is Types.AllowRemoteHalfClosureOption: allowsHalfClosure
            case is Types.WriteBufferWaterMarkOption: waterMark
            case is Types.BufferedWritableBytesOption: waitingBytes
            default: nil
            }
        guard let value = value as? Option.Value else { throw ChannelError.operationUnsupported }
        return value
    }
}
