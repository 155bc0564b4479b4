import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#endif

/// The name of a network interface in the kernel's form: 1–15 bytes.
struct InterfaceName: Sendable {
    typealias Octets = (
        CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar
    )

    private let octets: Octets

    init?(_ name: String) {
        let bytes = name.utf8.map(CChar.init(bitPattern:))
        guard (1...15).contains(bytes.count), if_nametoindex(name) != 0 else { return nil }
        func octet(_ index: Int) -> CChar { index < bytes.count ? bytes[index] : 0 }
        octets = (
            octet(0), octet(1), octet(2), octet(3), octet(4), octet(5), octet(6), octet(7), octet(8), octet(9),
            octet(10), octet(11), octet(12), octet(13), octet(14), octet(15)
        )
    }

    /// Restricts a socket to this interface (SO_BINDTODEVICE, socket(7)).
    func bind(_ channel: any Channel) throws {
        guard let socket = channel as? any SocketOptionProvider else { return }
        _ = socket.unsafeSetSocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: SOL_SOCKET), name: NIOBSDSocket.Option(rawValue: SO_BINDTODEVICE),
            value: octets)
    }
}
