import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import LatticeNode

/// `lattice here`
struct HereCommand: WallCommand {
    static let manual = WallManual(
        "here [PLACE] [--forget] [--gpsd] [--gpsd-host HOST:PORT]", "Say where you are, or see where you said you are.",
        discussion:
            "It is kept on this machine alone, for this mesh, and never sent. --gpsd reads it from a GPS receiver.",
        examples: ["here 40.7128,-74.0060", "here --gpsd", "here --forget"])

    /// A receiver that has a fix tells it once a second.
    private static let gpsdPatience: Duration = .seconds(10)

    @Argument(help: "Where you are: 40.7128,-74.0060, a geohash or a geo: URI.") var place: [String] = []
    @Flag(help: "Forget where you are.") var forget = false
    @Flag(help: "Read it from gpsd.") var gpsd = false
    @Option(
        help: ArgumentHelp("Where gpsd listens. (default: localhost:2947)", valueName: "host:port"),
        transform: { try Arguments.address($0.contains(":") ? $0 : "\($0):2947") })
    var gpsdHost: PeerAddress?
    @OptionGroup var options: ReadingOptions

    func check() throws {
        _ = try Arguments.place(place)
    }

    func validate() throws {
        let wishes = [!place.isEmpty, forget, gpsd || gpsdHost != nil].count { $0 }
        guard wishes <= 1 else { throw ValidationError("give a place, --forget or --gpsd, and only one of them") }
    }

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let request: WallRequest
        if let place = try Arguments.place(place) {
            request = .setHere(place.coordinate)
        } else if forget {
            request = .setHere(nil)
        } else if gpsd || gpsdHost != nil {
            request = .setHere(try await fix(context))
        } else {
            request = .here
        }
        let answer = try await node.wall(request) { answer -> Coordinate?? in
            if case .here(let place) = answer { .some(place) } else { nil }
        }
        let objects = [WallJSON.here(answer)]
        if let answer {
            return WallOutput(["you are at \(answer) (\(answer.degreesMinutesSeconds))"], objects: objects)
        }
        let remark = forget ? "forgotten" : "nobody knows where you are; say it: \(context.call("here LAT,LON"))"
        return WallOutput([], remarks: [remark], objects: objects)
    }

    private func fix(_ context: WallContext) async throws -> Coordinate {
        let address = gpsdHost ?? PeerAddress(host: "localhost", port: 2_947)
        do {
            return try await GPSD(address: address).fix(atMost: Self.gpsdPatience)
        } catch {
            throw WallFailure(code: error.code, "\(error); or say where you are: \(context.call("here 40.7,-74.0"))")
        }
    }
}
