import ArgumentParser
import LatticeCore
import LatticeCrypto
import LatticeHost
import LatticeNode
import LatticeSettings
import Testing

@testable import LatticeCommands

/// What options and settings make of a node together.
@Suite struct NetworkOptionsTests {
    private func settings(_ file: String?, _ variable: String? = nil) throws -> Settings {
        try Settings(
            arguments: [], environment: variable.map { ["LATTICE_PORT": $0] } ?? [:],
            file: try file.map { try SettingsFile(path: "/c.json", text: Array("{\"port\": \($0)}".utf8), home: nil) })
    }

    /// An option means what it says; what is settled for everybody's nodes gives way.
    @Test func aPortThatIsSettledGivesWayAndOneByOptionDoesNot() throws {
        func gives(_ settings: Settings, _ arguments: [String]) throws -> Bool {
            try Settings.$current.withValue(settings) {
                let network = try NetworkOptions.parse(arguments)
                let folder = "/tmp/lattice-settings-\(UInt32.random(in: 0...9_999_999))"
                let directory = try DataDirectory(name: PeerName("eve"), directory: folder, isReadOnly: true)
                return try network.choice.configuration(
                    of: Identity.generate(), in: directory, room: RoomName("#lobby")
                )
                .takesOtherPort
            }
        }
        #expect(try gives(try settings("5"), []))
        #expect(try gives(try settings(nil, "5"), []))
        #expect(try !gives(try settings("5"), ["--port", "6"]))
        #expect(try !gives(try settings(nil), []))
    }
}
