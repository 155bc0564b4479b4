import Glibc
import LatticeAPI
import LatticeChat

package struct PipeEnd: Error, Hashable {
    /// Both sides have sent and received everything.
    package static let done = PipeEnd(exitCode: 0, text: nil)
    package static let interrupted = PipeEnd(exitCode: 1, text: "interrupted; the other side has been notified")
    static let nobodyCame = PipeEnd(
        exitCode: 69, text: "nobody opened a stream in that time; use a longer --wait, or none")

    package let exitCode: Int32
    package let text: String?
    /// The reason for the other side; `nil` if it knows.
    let reason: StreamReason?

    private init(exitCode: Int32, text: String?, reason: StreamReason? = nil) {
        (self.exitCode, self.text, self.reason) = (exitCode, text, reason)
    }

    init(_ error: RequestError) {
        let code: Int32 =
            switch error.code {
            case .noRoute, .noAnswer, .unknownPeer: 69
            case .nobodyListens, .busy: 75
            case .invalid: 2
            default: 1
            }
        self.init(exitCode: code, text: error.words)
    }

    /// - Parameter number: the error number of read(2).
    static func readFailed(_ number: Int32) -> PipeEnd {
        PipeEnd(exitCode: 1, text: "cannot read standard input: \(said(number))", reason: .readFailed)
    }

    /// - Parameter number: the error number of write(2).
    static func writeFailed(_ number: Int32) -> PipeEnd {
        switch number {
        case EPIPE:
            PipeEnd(
                exitCode: 1, text: "the program that reads the output has closed it; the rest was not written",
                reason: .readerGone)
        case ENOSPC, EDQUOT:
            PipeEnd(
                exitCode: 1, text: "cannot write the output: \(said(number)); free some space, and start again",
                reason: .diskFull)
        default:
            PipeEnd(exitCode: 1, text: "cannot write the output: \(said(number))", reason: .writeFailed)
        }
    }

    private static func said(_ number: Int32) -> String { String(cString: strerror(number)) }
}
