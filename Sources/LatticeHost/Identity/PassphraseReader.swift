import Glibc
import LatticeCore
package import LatticeCrypto
package import LatticeSettings

/// Reads a passphrase from the terminal without showing it, or from a file. Never from arguments or the environment,
/// which others can see.
// Safety: buffers are lent to read(2), write(2) and poll(2) for the length of the call, with their true sizes.
package enum PassphraseReader {
    private static let bytesMax = Passphrase.bytesMax

    static var hasTerminal: Bool {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        close(terminal)
        return true
    }

    /// Asks at the terminal, whatever standard input is.
    static func ask(_ prompt: String) throws(Failure) -> SecretBytes {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { throw Failure(.failed, "there is no terminal to ask on") }
        defer { close(terminal) }
        while true {
            let answer = try SilentTerminal.whileSilent(terminal) { signals throws(Failure) in
                tell(DisplayText.safe(prompt), terminal)
                return try line(terminal, signals: signals)
            }
            tell("\n", terminal)
            switch answer {
            case .line(var bytes):
                defer { IdentityText.wipe(&bytes) }
                return SecretBytes(copying: bytes)
            case .ended: throw Failure(.failed, "no passphrase was typed")
            case .interrupted(let number):
                // Acts as if the signal had come while input was visible; after a stop the question is repeated.
                raiseAgain(number)
            }
        }
    }

    /// Reads the first line of a file; `-` is standard input, whose further lines stay unread.
    package static func read(file path: String) throws(Failure) -> SecretBytes {
        do {
            return try Passphrase.read(path: path)
        } catch {
            throw Failure(.failed, "\(error)")
        }
    }

    package static func roomKey(file path: String) throws(Failure) -> [UInt8] { try text(of: "key of the room", path) }

    static func password(file path: String) throws(Failure) -> [UInt8] { try text(of: "password", path) }

    /// - Parameter what: the name of the secret in an error.
    private static func text(of what: String, _ path: String) throws(Failure) -> [UInt8] {
        do {
            return try Passphrase.text(path: path)
        } catch {
            throw Failure(.failed, error.told(of: what))
        }
    }

    /// Refuses two secrets from standard input: their order would be ambiguous.
    package static func objection(to arguments: [String]) -> String? {
        let arguments = Array(arguments.prefix { $0 != "--" })
        let options = [
            "--passphrase-file", "--identity-passphrase-file", "--new-passphrase-file", "--room-key-file",
            "--password-file", "--irc-password-file",
        ]
        let taken = options.filter { option in
            arguments.contains("\(option)=-")
                || zip(arguments, arguments.dropFirst()).contains { $0 == option && $1 == "-" }
        }
        guard taken.count > 1 else { return nil }
        return "standard input can hold one secret, but \(taken.joined(separator: " and ")) each read one; "
            + "put one into a file, or omit the option to be asked"
    }

    private enum Answer {
        case line([UInt8])
        case ended
        case interrupted(Int32)
    }

    /// Reads byte by byte, because the input after the line belongs to another reader.
    private static func line(_ descriptor: Int32, signals: Int32?) throws(Failure) -> Answer {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(bytesMax + 1)
        while true {
            if let signals {
                var polled = [signals, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                if poll(&polled, 2, -1) < 0 { continue }
                var number: UInt8 = 0
                if polled[0].revents != 0, Glibc.read(signals, &number, 1) == 1 {
                    IdentityText.wipe(&bytes)
                    return .interrupted(Int32(number))
                }
                if polled[1].revents == 0 { continue }
            }
            var octet: UInt8 = 0
            let count = Glibc.read(descriptor, &octet, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return bytes.isEmpty ? .ended : .line(bytes) }
            if octet == UInt8(ascii: "\n") { return .line(bytes) }
            bytes.append(octet)
            guard bytes.count <= bytesMax else {
                IdentityText.wipe(&bytes)
                throw Failure(.failed, "a passphrase has at most \(bytesMax) bytes")
            }
        }
    }

    private static func tell(_ text: String, _ terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = write(terminal, bytes, bytes.count)
    }

    private static func raiseAgain(_ number: Int32) {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
    }
}
