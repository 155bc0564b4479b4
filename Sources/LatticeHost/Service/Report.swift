import Glibc
import LatticeCore
import LatticeSettings

/// Ends the program with this code: what there was to say is said.
package struct QuietEnd: Error {
    package let exitCode: Int32
}

package enum Report {
    package static func error(_ text: String) {
        if StructuredLog.takesError(text) { return }
        let line = Array("lattice: \(DisplayText.safe(text))\n".utf8)
        // If standard error cannot be written, there is no other place to report it.
        _ = write(2, line, line.count)
    }
}

extension Report {
    /// One line on standard error that tells of no fault.
    package static func remark(_ text: String) {
        if StructuredLog.takesRemark(text) { return }
        let line = Array("\(DisplayText.safe(text))\n".utf8)
        _ = write(2, line, line.count)
    }

    /// To standard error as it is.
    package static func raw(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(2, bytes, bytes.count)
    }

    /// - Throws: `QuietEnd` where nobody reads standard output any more: a closed pipe is told nothing.
    package static func output(_ text: String) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let piece = Array(bytes.prefix(1 << 16))
            let count = write(1, piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                guard errno == EPIPE else {
                    throw Failure(.failed, "cannot write to standard output: \(String(cString: strerror(errno)))")
                }
                throw QuietEnd(exitCode: 1)
            }
            bytes = bytes.dropFirst(count)
        }
    }
}
