package import NIOCore

/// Splits incoming bytes into lines, without line ends. A line over the limit ends the connection: a client that sends
/// so much without a line feed does not speak this protocol.
package struct LineCutter: ByteToMessageDecoder {
    package typealias InboundOut = ByteBuffer

    let bytesMax: Int
    /// Bytes already searched.
    private var searched = 0

    package init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    package mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let view = buffer.readableBytesView
        guard let end = view[view.index(view.startIndex, offsetBy: searched)...].firstIndex(of: UInt8(ascii: "\n"))
        else {
            searched = buffer.readableBytes
            guard searched <= bytesMax else { throw LineTooLong(bytesMax: bytesMax) }
            return .needMoreData
        }
        let count = view.distance(from: view.startIndex, to: end)
        guard count <= bytesMax else { throw LineTooLong(bytesMax: bytesMax) }
        searched = 0
        guard let line = buffer.readSlice(length: count) else { preconditionFailure("it was just counted") }
        buffer.moveReaderIndex(forwardBy: 1)
        context.fireChannelRead(wrapInboundOut(line))
        return .continue
    }

    /// Bytes without a final line feed are dropped.
    package mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        .needMoreData
    }
}

package struct LineTooLong: Error {
    package let bytesMax: Int
}
