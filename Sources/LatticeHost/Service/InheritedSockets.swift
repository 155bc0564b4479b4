import Glibc
package import LatticeSettings

/// Listening sockets passed by the service manager (sd_listen_fds(3)). The first request starts the service, and no
/// request is lost while it starts.
package enum InheritedSockets {
    /// A descriptor with its name in the unit; the name may be empty.
    package struct Handed: Equatable {
        package let descriptor: Int32
        let name: String
    }

    /// The first passed descriptor, after the standard streams.
    private static let first: Int32 = 3
    /// A guess; no unit has more.
    private static let countMax: Int32 = 64

    /// Parses the environment without checking the descriptors.
    ///
    /// - Parameters:
    ///   - process: this process's id; sockets for another process are ignored.
    ///   - variable: looks up an environment variable.
    package static func handed(process: Int32, variable: (String) -> String?) throws(Failure) -> [Handed] {
        guard let meant = variable("LISTEN_PID"), Int32(meant) == process, let text = variable("LISTEN_FDS") else {
            return []
        }
        guard let count = Int32(text), (0...countMax).contains(count) else {
            throw Failure(.failed, "LISTEN_FDS must be a number from 0 to \(countMax), as a service manager sets it")
        }
        let names = (variable("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false)
        return (0..<count).map { index in
            Handed(descriptor: first + index, name: Int(index) < names.count ? String(names[Int(index)]) : "")
        }
    }

    /// The control socket among them.
    ///
    /// - Returns: `nil` if there is none.
    /// - Throws: `Failure` if the descriptor is not such a socket: the unit is not meant for this program.
    package static func control(_ handed: [Handed]) throws(Failure) -> Handed? {
        guard let control = handed.first(where: { $0.name == "control" }) ?? handed.first else { return nil }
        guard handed.count == 1 else {
            throw Failure(.failed, "\(handed.count) sockets were passed, but only one is expected: the control socket")
        }
        guard fcntl(control.descriptor, F_SETFD, FD_CLOEXEC) == 0, isListening(control.descriptor),
            UnixAddress.path(of: control.descriptor) != nil
        else {
            throw Failure(
                .failed,
                "descriptor \(control.descriptor), which was passed, is not a listening Unix socket; "
                    + "see ListenStream= in the socket unit")
        }
        return control
    }

    private static func isListening(_ descriptor: Int32) -> Bool {
        var answer: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &answer, &size) == 0 && answer == 1
    }
}
