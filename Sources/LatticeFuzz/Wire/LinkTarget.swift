internal import Glibc
import LatticeCore
import LatticeWire

// Safety: buffers are lent to inet_pton for the length of the call, with the sizes that it writes.
extension FuzzTarget {
    static let link = FuzzTarget(
        "link",
        "invitation links, addresses and cards: what is read is written and read as the same; hosts as the C library",
        inputBytesMax: 1_100
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        let form = source.byte() % 3
        guard let text = String(validating: source.all(), as: UTF8.self) else { return }
        switch form {
        case 0: try checkLink("lattice://join/" + text)
        case 1: try checkAddress(text)
        default: try checkCard(text)
        }
    }

    private static func checkLink(_ text: String) throws(BrokenProperty) {
        let link: InvitationLink
        do {
            link = try InvitationLink(parsing: text)
        } catch {
            try hold(!error.description.isEmpty, "a link is refused without a word")
            return
        }
        // Re-encoding can turn one plain character into three, and exceed the limit.
        guard link.text.utf8.count <= InvitationLink.charactersMax else { return }
        try hold(accepted { try InvitationLink(parsing: link.text) } == link, "a link is read as another")
        try hold(link.addresses.count <= InvitationLink.addressesMax, "a link has too many addresses")
        _ = link.isOver(at: WallTime(milliseconds: 1_700_000_000_000))
    }

    private static func checkAddress(_ text: String) throws(BrokenProperty) {
        guard let address = accepted({ try PeerAddress(parsing: text) }) else { return }
        try hold(address.port > 0, "an address has no port")
        let again = accepted { try PeerAddress(parsing: address.description) }
        try hold(again == address, "an address is read as another")
    }

    private static func checkCard(_ host: String) throws(BrokenProperty) {
        let card = PeerCard(peer: PeerID(.zero), address: PeerAddress(host: host, port: 4_000))
        let octets = octets(host)
        let isKnown = octets != nil && host.utf8.count <= PeerCard.hostBytesMax
        try hold((card != nil) == isKnown, "'\(DisplayText.safe(host))' is judged otherwise than by the C library")
        guard let octets, isKnown else { return }
        let isMapped = octets.count == 16 && octets.dropLast(4).elementsEqual(mappedPrefix)
        let isLoopback =
            octets.count == 4 || isMapped
            ? octets[octets.count - 4] == 127 : octets.dropLast().allSatisfy { $0 == 0 } && octets.last == 1
        try hold(
            PeerCard.isLoopback(host) == isLoopback,
            "'\(host)' reaches this machine, or does not, and is taken otherwise")
    }

    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// The numeric host as the C library reads it.
    private static func octets(_ host: String) -> [UInt8]? {
        guard !host.utf8.contains(0) else { return nil }
        let isSix = host.utf8.contains(UInt8(ascii: ":"))
        var octets = [UInt8](repeating: 0, count: isSix ? 16 : 4)
        return inet_pton(isSix ? AF_INET6 : AF_INET, host, &octets) == 1 ? octets : nil
    }
}
