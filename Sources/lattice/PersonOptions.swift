import ArgumentParser
import LatticeCore
import LatticeCrypto
import LatticeNode
import Logging

/// Whose identity: the options that every command about a person takes.
struct PersonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Who you are: each name has an identity of its own. Without it whoever was used last.", valueName: "name"),
        transform: Arguments.peerName)
    var name: PeerName?

    @Option(help: ArgumentHelp("The folder of the identity itself.", valueName: "dir"))
    var dataDir: String?

    /// - Parameter isReadOnly: whether a folder that is there and cannot be written to will do.
    func directory(isReadOnly: Bool = false) throws -> DataDirectory {
        do {
            return try DataDirectory(name: name, directory: dataDir, isReadOnly: isReadOnly)
        } catch {
            throw Failure(.failed, error.description)
        }
    }

    /// The identity of that folder; the first start makes one.
    func identity(in directory: DataDirectory) throws -> Identity {
        do {
            let identity = try directory.identityFile.loadOrCreate().0
            directory.remember()
            return identity
        } catch {
            throw Failure(.failed, error.description)
        }
    }
}

/// Reads single arguments; what is wrong with one is told in the words of its type.
enum Arguments {
    static func peerName(_ text: String) throws -> PeerName {
        try told { () throws(NameError) in try PeerName(text) }
    }

    static func meshName(_ text: String) throws -> MeshName {
        try told { () throws(NameError) in try MeshName(text) }
    }

    /// A `#` that the shell took for a remark is added.
    static func roomName(_ text: String) throws -> RoomName {
        try told { () throws(NameError) in try RoomName(text.hasPrefix("#") ? text : "#\(text)") }
    }

    static func address(_ text: String) throws -> PeerAddress {
        try told { () throws(PeerAddressError) in try PeerAddress(parsing: text) }
    }

    static func number(_ range: ClosedRange<Int>, _ what: String) -> @Sendable (String) throws -> Int {
        { text in
            guard let number = Int(text), range.contains(number) else {
                throw ValidationError("\(what) is a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }

    static func logLevel(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw ValidationError("a log level is debug, info, warning or error")
        }
        return level
    }

    private static func told<Value, Fault: Error & CustomStringConvertible>(
        _ make: () throws(Fault) -> Value
    ) throws -> Value {
        do {
            return try make()
        } catch {
            throw ValidationError(error.description)
        }
    }
}
