package enum DialEnd: Error, Hashable, Codable, Sendable {
    /// The system's reason.
    case noConnection(reason: String)
    case noAnswer(seconds: Int64)
    case noHost(name: String?)
    case tooManyConnections
    /// It lacks the key of this closed mesh, or has another one.
    case wrongMeshKey
    case wrongVersion(theirs: UInt8, ours: UInt8)
    case otherPeer
    /// The connection broke during the handshake, for the system's reason.
    case broken(reason: String)
    case closed
    case handshake(fault: String)

    /// Whether somebody accepted the connection: then the network is not the cause.
    package var hasAnswered: Bool {
        switch self {
        case .noConnection, .noAnswer, .noHost, .tooManyConnections: false
        case .wrongMeshKey, .wrongVersion, .otherPeer, .broken, .closed, .handshake: true
        }
    }
}
