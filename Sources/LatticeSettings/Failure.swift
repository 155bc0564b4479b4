import Glibc

/// Why the program ends without having done its work.
package struct Failure: Error, CustomStringConvertible {
    /// The exit codes, numbered as in sysexits(3) where possible.
    package enum Kind: Int32 {
        case failed = 1
        case usage = 2
        case unavailable = 69

        package var code: String {
            switch self {
            case .failed: "failed"
            case .usage: "usage"
            case .unavailable: "unavailable"
            }
        }
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    package var exitCode: Int32 { kind.rawValue }
}

package struct SystemFault: Error, CustomStringConvertible {
    let code: Int32

    package init() {
        code = errno
    }

    package var description: String { String(cString: strerror(code)) }
}
