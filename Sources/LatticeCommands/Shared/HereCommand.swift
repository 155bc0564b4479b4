import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import LatticeNode
import LatticeSettings

struct HereCommand: SharedCommand {
    static let manual = CommandManual(
        "here [PLACE] [--forget] [--gpsd] [--gpsd-host HOST:PORT]", "Set or show where you are.",
        discussion:
            "It is stored only on this machine, for this mesh, and never sent. --gpsd reads it from a GPS receiver.",
        examples: ["here 40.7128,-74.0060", "here --gpsd", "here --forget"])

    /// A receiver with a fix reports it once a second.
    private static let gpsdPatience: Duration = .seconds(10)

    @Argument(help: "Where you are: 40.7128,-74.0060, a geohash or a geo: URI.") var place: [String] = []
    @Flag(help: "Forget your place.") var forget = false
    @Flag(help: "Read it from gpsd.") var gpsd = false
    @Option(
        help: ArgumentHelp("The address of gpsd. (default: localhost:2947)", valueName: "host:port"),
        transform: { try Arguments.address($0.contains(":") ? $0 : "\($0):2947") })
    var gpsdHost: PeerAddress?
    @OptionGroup var options: ReadingOptions

    func check() throws {
        _ = try Arguments.place(place)
    }

    func validate() throws {
        let wishes = [!place.isEmpty, forget, gpsd || gpsdHost != nil].count { $0 }
        guard wishes <= 1 else { throw ValidationError("use only one of PLACE, --forget and --gpsd") }
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let here: Here
        if let place = try Arguments.place(place) {
            here = try await node.perform(SetHere(place.coordinate))
        } else if forget {
            here = try await node.perform(SetHere(nil))
        } else if gpsd || gpsdHost != nil {
            here = try await node.perform(SetHere(try await fix(context)))
        } else {
            here = try await node.perform(ShowHere())
        }
        let objects = [PostJSON.here(here.place)]
        if let place = here.place {
            return CommandOutput(["you are at \(place) (\(place.degreesMinutesSeconds))"], objects: objects)
        }
        let remark = forget ? "forgotten" : "your place is not set; set it: \(context.call("here LAT,LON"))"
        return CommandOutput([], remarks: [remark], objects: objects)
    }

    private func fix(_ context: CommandContext) async throws -> Coordinate {
        let address = gpsdHost ?? PeerAddress(host: "localhost", port: 2_947)
        do {
            return try await GPSD(address: address).fix(atMost: Self.gpsdPatience)
        } catch {
            throw CommandFailure(code: error.code, "\(error); or set your place: \(context.call("here 40.7,-74.0"))")
        }
    }
}
