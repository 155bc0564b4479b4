import NIOCore

/// Splits a client's input into lines without their line breaks. A line that is too long is `nil` once; the rest of it
/// is dropped as it arrives.
struct IRCLineCutter: ByteToMessageDecoder {
    typealias InboundOut = [UInt8]?

    /// Tags, text and line break.
    static let bytesMax = IRCMessage.tagBytesMax + IRCMessage.bytesMax

    /// Bytes already searched for a line feed.
    private var searched = 0
    private var isDiscarding = false

    init() {}

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let view = buffer.readableBytesView
        guard let end = view[view.index(view.startIndex, offsetBy: searched)...].firstIndex(of: UInt8(ascii: "\n"))
        else {
            searched = buffer.readableBytes
            guard isDiscarding || searched > Self.bytesMax else { return .needMoreData }
            if !isDiscarding { context.fireChannelRead(Self.wrapInboundOut(nil)) }
            (isDiscarding, searched) = (true, 0)
            buffer.clear()
            return .needMoreData
        }
        let count = view.distance(from: view.startIndex, to: end)
        let line = Array(view[..<end])
        buffer.moveReaderIndex(forwardBy: count + 1)
        searched = 0
        if isDiscarding {
            isDiscarding = false
        } else {
            context.fireChannelRead(Self.wrapInboundOut(count <= Self.bytesMax ? line : nil))
        }
        return .continue
    }

    /// A last line without a line feed is dropped.
    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        .needMoreData
    }
}
