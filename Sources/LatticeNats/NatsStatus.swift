import CNats
import LatticeBridge

extension natsStatus {
    var words: String { String(cString: natsStatus_GetText(self)) }
}

extension BrokerFault {
    /// - Parameter what: what was tried, in a few words.
    init(_ status: natsStatus, _ error: jsErrCode, _ what: String) {
        switch error {
        case JSNotEnabledErr, JSNotEnabledForAccountErr:
            self = .refused("\(what): JetStream is not enabled")
            return
        case JSStreamReplicasNotSupportedErr:
            self = .otherSettings("\(what): the broker is no cluster, so --replicas must be 1")
            return
        case JSInsufficientResourcesErr, JSStorageResourcesExceededErr, JSMemoryResourcesExceededErr:
            self = .refused("\(what): the broker has no space")
            return
        case JSStreamSubjectOverlapErr:
            self = .otherSettings("\(what): another stream has the same subjects")
            return
        default: break
        }
        switch status {
        case NATS_CONNECTION_AUTH_FAILED:
            self = .refused("the broker rejected the login")
        case NATS_NOT_PERMITTED:
            self = .refused("\(what): a right is missing")
        case NATS_SSL_ERROR, NATS_SECURE_CONNECTION_REQUIRED, NATS_SECURE_CONNECTION_WANTED:
            self = .refused("\(what): \(status.words)")
        case NATS_TIMEOUT, NATS_NO_RESPONDERS:
            self = .unreachable("\(what): no answer")
        case NATS_CONNECTION_DISCONNECTED, NATS_INSUFFICIENT_BUFFER:
            // Nothing is buffered while the library connects again.
            self = .unreachable("the connection is lost")
        case NATS_NO_SERVER:
            self = .unreachable("cannot connect to \(what)")
        case NATS_CONNECTION_CLOSED:
            self = .closed("\(what): the connection was closed")
        default:
            let code = error.rawValue == 0 ? "" : " (error \(error.rawValue) of JetStream)"
            self = .unreachable("\(what): \(status.words.lowercased())\(code)")
        }
    }
}
