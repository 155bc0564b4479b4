import Glibc
import LatticeCore
import LatticeSettings

/// Ends the program with this code without printing anything more.
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
    /// Prints one line on standard error that is not an error.
    package static func remark(_ text: String) {
        if StructuredLog.takesRemark(text) { return }
        let line = Array("\(DisplayText.safe(text))\n".utf8)
        _ = write(2, line, line.count)
    }

    /// Prints the text on standard error unchanged.
    package static func raw(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(2, bytes, bytes.count)
    }

    /// - Throws: `QuietEnd` if standard output is closed.
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
