import LatticeChat
import LatticeCore
import LatticeNode
import Testing

@testable import LatticeSettings

/// Which word counts, and whose it is.
@Suite struct SettingsTests {
    private func file(_ text: String, path: String = "/home/a/.config/lattice/config.json") throws -> SettingsFile {
        try SettingsFile(path: path, text: Array(text.utf8), home: "/home/a")
    }

    private func settings(
        _ file: String? = nil, _ environment: [String: String] = [:], _ arguments: [String] = []
    ) throws -> Settings {
        try Settings(arguments: arguments, environment: environment, file: try file.map { try self.file($0) })
    }

    private func fault(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let failure as Failure {
            return failure.kind == .usage ? failure.description : "another kind: \(failure)"
        } catch {
            return "another error: \(error)"
        }
    }

    @Test func anOptionCountsMoreThanAVariableAndAVariableMoreThanTheFile() throws {
        let file = "{\n\"mesh\": \"file\", \"port\": 1, \"ttl\": 5}"
        let settings = try settings(file, ["LATTICE_MESH": "variable", "LATTICE_PORT": "2"], ["run", "--port", "3"])
        let path = "/home/a/.config/lattice/config.json"
        #expect(settings.entry(.mesh) == .init(texts: ["variable"], origin: .variable("LATTICE_MESH")))
        #expect(settings.entry(.port) == .init(texts: ["3"], origin: .option("--port")))
        #expect(settings.entry(.ttl) == .init(texts: ["5"], origin: .file(path, line: 2)))
        #expect(settings.entry(.discovery) == nil)
        // What an option says its command reads by itself.
        #expect(settings.number(.port) == 2)
        #expect(try SettledMesh.name(nil) == MeshName("lattice"))
        let settled = try Settings.$current.withValue(settings) {
            [try SettledMesh.name(nil), try SettledMesh.name(MeshName("option"))]
        }
        #expect(settled.map(\.text) == ["variable", "option"])
    }

    @Test func objectsAndDottedNamesSayTheSame() throws {
        let settings = try settings(
            #"{"irc": {"listen": "127.0.0.1:6667", "tls": {"key": "k.pem"}}, "rates.author": 16}"#)
        #expect(settings.text(.ircListen) == "127.0.0.1:6667")
        // From the folder of the file on.
        #expect(settings.text(.ircTLSKey) == "/home/a/.config/lattice/k.pem")
        #expect(settings.rates?.origin == 16 && settings.rates?.link == 16_384)
    }

    @Test func aListCanBeOneTextAndAVariableHasCommas() throws {
        #expect(try settings(#"{"room": "park"}"#).rooms == [RoomName("#park")])
        #expect(
            try settings(nil, ["LATTICE_PEER": "a:1,b:2"]).peers
                == [PeerAddress(parsing: "a:1"), PeerAddress(parsing: "b:2")])
        #expect(try settings(#"{"passphrase-file": "~/camp.txt"}"#).text(.passphraseFile) == "/home/a/camp.txt")
        #expect(try settings(nil, ["LATTICE_MESH": ""]).entry(.mesh) == nil)
    }

    @Test(arguments: [
        (#"{"msh": "camp"}"#, "did you mean mesh?"), (#"{"irc": {"lsten": "a:1"}}"#, "did you mean irc.listen?"),
        (#"{"quux": 1}"#, "'lattice config show'"), (#"{"port": 70000}"#, "0 to 65535"),
        (#"{"port": "4000"}"#, "a number, not a text"), (#"{"mesh": ["a"]}"#, "not a list"),
        (#"{"discovery": "embeded"}"#, "did you mean embedded?"), (#"{"room": [1]}"#, "lists texts"),
        (#"{"passphrase-file": "-"}"#, "the path"), (#"{"mesh": {"name": "x"}}"#, "a text"),
        (#"{"mesh-card": "bob"}"#, "64 hexadecimal digits"),
        (#"{"mesh-card": "lattice://join/c?v=1"}"#, "names no card"),
        (#"{"radius": "9000km"}"#, "at most"), (#"{"irc": 5}"#, "\"irc\" holds settings"),
        (#"{"rates": 5}"#, "(\"author\", \"link\") in { }, not a number"),
        (#"{"irc.listen": "a:1", "irc": {"listen": "b:2"}}"#, "set twice"), ("{", "closing brace"),
    ])
    func aBrokenFileIsToldWithItsLineAndItsRemedy(text: String, remedy: String) {
        let told = fault { _ = try file("\n" + text) }
        #expect(told?.contains("/config.json: line 2: ") == true && told?.contains(remedy) == true, "\(told ?? "")")
    }

    @Test func aVariableThatIsNoneOrWrongIsTold() {
        let unknown = fault { _ = try settings(nil, ["LATTICE_MSH": "camp"]) }
        #expect(unknown?.contains("LATTICE_MSH") == true && unknown?.contains("did you mean LATTICE_MESH?") == true)
        let wrong = fault { _ = try settings(nil, ["LATTICE_PORT": "many"]) }
        #expect(wrong?.contains("environment LATTICE_PORT: ") == true && wrong?.contains("0 to 65535") == true)
        #expect(fault { _ = try settings(nil, ["LATTICE_CONFIG": "/x", "LATTICEX": "y"]) } == nil)
    }

    /// The passphrase of one mesh is not that of another, nor is somebody's folder that of somebody else.
    @Test func whatSpeaksOfAnotherMeshOrPersonIsPassedOver() throws {
        let camp = #"{"mesh": "camp", "passphrase-file": "/c", "name": "alice", "data-dir": "/d"}"#
        let same = try settings(camp, [:], ["chat", "--mesh", "camp"])
        #expect(same.text(.passphraseFile) == "/c" && same.passedOver.isEmpty)
        let other = try settings(camp, [:], ["chat", "--mesh=other"])
        #expect(other.text(.passphraseFile) == nil && other.passedOver[.passphraseFile] != nil)
        #expect(try settings(camp, ["LATTICE_MESH": "other"]).text(.passphraseFile) == nil)
        let both = try settings(camp, ["LATTICE_MESH": "other", "LATTICE_PASSPHRASE_FILE": "/o"])
        #expect(both.text(.passphraseFile) == "/o")
        let bob = try settings(camp, [:], ["peers", "--name", "bob"])
        #expect(bob.text(.dataDir) == nil && bob.text(.mesh) == "camp")
        let alone = try settings(#"{"passphrase-file": "/c"}"#, [:], ["chat", "--mesh", "lattice"])
        #expect(alone.text(.passphraseFile) == "/c")
        // A word of a text is no option.
        #expect(try settings(camp, [:], ["say", "lobby", "--", "--mesh", "x"]).text(.passphraseFile) == "/c")
    }

    @Test func oneFileIsReadThatOfThePersonFirst() {
        func place(_ named: String?, _ variables: [String: String], _ files: [String]) -> String {
            SettingsFile.place(named: named, { variables[$0] }, exists: files.contains).path
        }
        let (home, own) = (["HOME": "/h"], "/h/.config/lattice/config.json")
        #expect(place(nil, home, []) == own)
        #expect(place(nil, home, ["/etc/lattice/config.json"]) == "/etc/lattice/config.json")
        #expect(place(nil, home, ["/etc/lattice/config.json", own]) == own)
        #expect(place(nil, ["HOME": "/h", "XDG_CONFIG_HOME": "/x"], []) == "/x/lattice/config.json")
        #expect(place(nil, ["HOME": "/h", "XDG_CONFIG_HOME": "relative"], []) == own)
        #expect(place(nil, ["HOME": "/h", "LATTICE_CONFIG": "/v"], []) == "/v")
        #expect(place("/n", ["LATTICE_CONFIG": "/v"], []) == "/n")
        #expect(place(nil, [:], []) == "/etc/lattice/config.json")
    }

    @Test func everyDefaultIsAValueThatCouldBeSettled() throws {
        for key in SettingKey.allCases {
            if let fallback = key.fallback { #expect(throws: Never.self) { try key.checked(fallback) } }
        }
        #expect(Set(SettingKey.allCases.map(\.variable)).count == SettingKey.allCases.count)
    }

    @Test func allSettingsAreListedWithTheirOrigin() throws {
        let settings = try settings(#"{"mesh": "camp", "peer": ["a:1"], "port": 7}"#, ["LATTICE_PLAIN": "yes"])
        let lines = SettingsTable.lines(settings)
        #expect(lines.count == SettingKey.allCases.count)
        #expect(lines.contains { $0.hasPrefix("mesh ") && $0.hasSuffix("/config.json:1") && $0.contains(" camp ") })
        #expect(lines.contains { $0.hasPrefix("plain ") && $0.hasSuffix("environment LATTICE_PLAIN") })
        #expect(lines.contains { $0.hasPrefix("ttl ") && $0.hasSuffix("default") && $0.contains(" 32 ") })
        let objects = SettingsTable.objects(settings).map(\.description)
        #expect(objects.contains { $0.contains(#""key":"port","value":7,"origin":"#) })
        #expect(objects.contains { $0.contains(#""key":"peer","value":["a:1"]"#) })
    }

    @Test func aSettingIsCalledAsWhoeverHasToChangeItFindsIt() throws {
        let settings = try settings(
            "{\n\"port\": 5, \"ttl\": 3}", ["LATTICE_MESH": "camp"], ["run", "--ttl", "4"])
        #expect(settings.called(.port) == "port in /home/a/.config/lattice/config.json line 2")
        #expect(settings.called(.mesh) == "LATTICE_MESH")
        #expect(settings.called(.ttl) == "--ttl")
        #expect(settings.called(.ttl, countsOptions: false) == "ttl in /home/a/.config/lattice/config.json line 2")
        #expect(settings.called(.name) == "name")
    }
}
