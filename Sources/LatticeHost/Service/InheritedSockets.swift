import Glibc
package import LatticeSettings

/// Sockets that listen already, opened by whoever started this process (sd_listen_fds(3)): so a service is begun by the first one who
/// asks it, and nobody is turned away while it starts.
package enum InheritedSockets {
    /// One descriptor, and what the unit calls it; empty where it says nothing.
    package struct Handed: Equatable {
        package let descriptor: Int32
        let name: String
    }

    /// The first number that is handed over: behind the standard streams.
    private static let first: Int32 = 3
    /// A guess at more than any unit has.
    private static let countMax: Int32 = 64

    /// What the variables say, whether it is there or not.
    ///
    /// - Parameters:
    ///   - process: the number of this process: what is meant for another one is not ours.
    ///   - variable: of the environment.
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
    /// - Returns: `nil` if none was handed over.
    /// - Throws: `Failure` for a descriptor that is no such socket: the unit is not meant for this program.
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
