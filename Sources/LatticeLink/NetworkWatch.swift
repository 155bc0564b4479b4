import Glibc
package import Logging
package import NIOCore
import NIOPosix

/// Notifies of network interfaces and their addresses that come, go or change (rtnetlink(7)).
///
/// A notification does not say what has changed: its receiver must look at the interfaces.
// Safety: bind(2) gets an array of ours and its size, and setsockopt(2) gets one number; both only read them. The
// channel owns the descriptor once it has taken it.
package struct NetworkWatch: Sendable {
    /// Changes not yet received are merged into one. Ends after `close`.
    package let changes: AsyncStream<Void>

    private let channel: any Channel

    // From linux/netlink.h and linux/rtnetlink.h, which Glibc does not import.
    private static let netlinkFamily: UInt16 = 16
    private static let routeProtocol: Int32 = 0
    private static let netlinkLevel: Int32 = 270
    private static let noBufferErrors: Int32 = 5
    private static let linkGroup: UInt32 = 1 << 0
    private static let addressGroupV4: UInt32 = 1 << 4
    private static let addressGroupV6: UInt32 = 1 << 8

    /// - Returns: `nil` if the kernel does not support it, as in some sandboxes.
    package static func open(on group: any EventLoopGroup, logger: Logger) async -> NetworkWatch? {
        let descriptor = subscription()
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            logger.debug("network changes are not reported", metadata: ["reason": "\(reason)"])
            return nil
        }
        let (changes, input) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        do {
            let channel = try await NIOPipeBootstrap(group: group)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Ear(input: input))
                    }
                }
                .takingOwnershipOfDescriptor(input: descriptor).get()
            return NetworkWatch(changes: changes, channel: channel)
        } catch {
            Glibc.close(descriptor)
            logger.debug("network changes are not reported", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    package func close() {
        channel.close(promise: nil)
    }

    /// A socket subscribed to links and addresses; −1 with `errno`.
    private static func subscription() -> Int32 {
        let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(Int32(netlinkFamily), kind, routeProtocol)
        guard descriptor >= 0 else { return -1 }
        // An overflow is no error here: there is a change to look at in any case.
        var isOn: Int32 = 1
        setsockopt(descriptor, netlinkLevel, noBufferErrors, &isOn, socklen_t(MemoryLayout<Int32>.size))
        // sockaddr_nl: the family in two bytes, two bytes of padding, then a port (chosen by the kernel) and the
        // groups, four bytes each.
        var address: [UInt8] = []
        withUnsafeBytes(of: netlinkFamily) { address += $0 }
        address += [UInt8](repeating: 0, count: 6)
        withUnsafeBytes(of: linkGroup | addressGroupV4 | addressGroupV6) { address += $0 }
        let result = address.withUnsafeBytes { bytes in
            bind(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard result == 0 else {
            let fault = errno
            Glibc.close(descriptor)
            errno = fault
            return -1
        }
        return descriptor
    }

    private final class Ear: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let input: AsyncStream<Void>.Continuation

        init(input: AsyncStream<Void>.Continuation) {
            self.input = input
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            input.yield()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            input.finish()
        }
    }
}
