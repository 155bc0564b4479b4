import Glibc
import NIOCore
import NIOPosix

/// Why listening at an address failed, in words for people.
package struct AddressFault: Error, Equatable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        /// Another program listens there.
        case inUse
        /// Ports below 1024 need privileges (ip(7)).
        case notAllowed
        /// No interface of this machine has the address.
        case notHere
        case unknownHost
        case other(String)

        /// - Parameter error: thrown by SwiftNIO.
        package init(_ error: any Error) {
            switch error {
            case let error as IOError: self.init(code: error.errnoCode)
            case SocketAddressError.unknown: self = .unknownHost
            case is UnixDomainSocketPathWrongType: self = .other("a file that is not a socket is in the way")
            case SocketAddressError.unixDomainSocketPathTooLong: self = .other("the path is too long for a socket")
            default: self = .other("the system does not allow it")
            }
        }

        /// - Parameter code: from errno(3).
        package init(code: Int32) {
            switch code {
            case EADDRINUSE: self = .inUse
            case EACCES, EPERM: self = .notAllowed
            case EADDRNOTAVAIL, EAFNOSUPPORT: self = .notHere
            default: self = .other(String(cString: strerror(code)))
            }
        }
    }

    package let reason: Reason
    /// The requested address: `127.0.0.1:6667`, or the path of a Unix socket.
    package let address: String

    package init(_ reason: Reason, at address: String) {
        (self.reason, self.address) = (reason, address)
    }

    package var description: String {
        switch reason {
        case .inUse: "\(address) is in use by another program; choose another port, or 0 for any that is free"
        case .notAllowed: "this user may not listen at \(address); choose a port of 1024 or more"
        case .notHere: "this machine has no address \(address); 'ip address' lists those it has"
        case .unknownHost: "no address is known for \(address); name one of this machine, as 127.0.0.1"
        case .other(let reason): "cannot listen at \(address): \(reason)"
        }
    }
}
