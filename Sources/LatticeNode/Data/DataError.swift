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
            "a message has \(bytes) bytes, \(DataMessages.messageBytesMax) are the most: send it in parts"
        case .noRoute: "no way to this peer is known; is it here?"
        case .silent: "this peer does not answer any more; what was sent last may not have come"
        case .unwanted: "no program takes data there"
        case .interrupted: "the connection began anew; what was sent last may not have come"
        case .full: "data goes to, or comes from, so many peers that there is no room for another"
        case .stopped: "this node has ended"
        case .hasReader: "another program takes the data that comes here already"
        }
    }
}
