import LatticeMesh
import LatticeWire

/// Why data was not sent, or may not have come; the description says what to do.
package enum DataError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong(bytes: Int)
    /// Nobody knows a way to this peer.
    case noRoute
    /// It did not answer for 10 s. What was sent before may have come, or not, as in all cases below.
    case silent
    /// No program takes data there.
    case unwanted
    /// The other side began anew, or the way to it changed between a link and others.
    case interrupted
    /// There is no room for data to or from another peer.
    case full
    /// This node ends.
    case stopped
    /// Another reader takes what comes here already.
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
