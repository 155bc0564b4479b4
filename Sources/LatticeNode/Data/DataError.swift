import LatticeMesh
import LatticeWire

/// Why data was not sent or may be lost; the description says what to do.
package enum DataError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong(bytes: Int)
    case noRoute
    /// The peer did not answer for 10 s. Here, as in all cases below, what was sent before may or may not have arrived.
    case silent
    case unwanted
    /// The other side restarted, or the route changed between a direct link and a relayed path.
    case interrupted
    /// No space for data to or from another peer.
    case full
    case stopped
    /// Another reader is already receiving.
    case hasReader

    init(_ end: DataEnd) {
        self =
            switch end {
            case .noRoute: .noRoute
            case .silent: .silent
            case .unwanted: .unwanted
            case .interrupted: .interrupted
            case .full: .full
            }
    }

    package var description: String {
        switch self {
        case .tooLong(let bytes):
            "the message has \(bytes) bytes, and the limit is \(DataMessages.messageBytesMax); send it in parts"
        case .noRoute: "this peer is not reachable; check that it is here"
        case .silent: "this peer stopped answering; the last messages may not have arrived"
        case .unwanted: "no program accepts data there"
        case .interrupted: "the connection was restarted; the last messages may not have arrived"
        case .full: "data is exchanged with the maximum number of peers; try again later"
        case .stopped: "this node has stopped"
        case .hasReader: "another program already receives the data of this node"
        }
    }
}
