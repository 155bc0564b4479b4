package import LatticeCore

/// One announcement as a browser reports it: an instance name on one interface.
package struct ServiceInstance: Hashable, Sendable {
    /// The kernel's number of the interface.
    let interface: UInt32
    /// The label as received, 1–63 arbitrary bytes: it must go back to the responder unchanged.
    let label: [UInt8]

    /// - Returns: `nil` for an invalid DNS label.
    package init?(interface: UInt32, label: [UInt8]) {
        guard (1...PeerName.bytesMax).contains(label.count), !label.contains(0) else { return nil }
        self.interface = interface
        self.label = label
    }

    /// For people; invalid UTF-8 is replaced.
    var name: String { String(decoding: label, as: UTF8.self) }
}

package struct InstanceAnswer: Hashable, Sendable {
    let txt: TXTRecord
    let address: PeerAddress

    package init(txt: TXTRecord, address: PeerAddress) {
        self.txt = txt
        self.address = address
    }
}

/// An IP address family; the preferred one first.
package enum AddressFamily: Hashable, Sendable {
    case v4, v6
}
