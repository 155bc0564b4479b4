import ArgumentParser
import Glibc
import LatticeHost
import LatticeNats

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make a key with which a bridge logs in to a NATS server.",
        usage: "lattice-bridge key FILE",
        discussion: """
            The seed goes to FILE, which you alone can read, for 'lattice-bridge nats --nkey FILE'. The public key is printed: it \
            goes into the server's configuration, as in 'authorization { users: [ { nkey: U… } ] }'.
            """)

    @Argument(help: ArgumentHelp("Where the seed is written; the file must not be there yet.", valueName: "file"))
    var file: String

    func run() throws {
        let key = NatsKey()
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failed() }
        defer { close(descriptor) }
        let line = Array("\(key.seedText)\n".utf8)
        errno = ENOSPC
        guard write(descriptor, line, line.count) == line.count, fsync(descriptor) == 0 else {
            let fault = failed()
            unlink(file)
            throw fault
        }
        try Report.output("\(key.publicText)\n")
    }

    private func failed() -> ExitCode {
        let why = errno == EEXIST ? "the file is there already; name another one" : String(cString: strerror(errno))
        BridgeJournal.write("\(file): \(why)")
        return ExitCode(1)
    }
}
