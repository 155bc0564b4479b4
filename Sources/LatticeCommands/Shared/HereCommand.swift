import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import LatticeHost
import LatticeNode
import LatticeSettings

struct HereCommand: SharedCommand {
    static let manual = CommandManual(
        "here [PLACE] [--announce] [--forget] [--gpsd] [--gpsd-host HOST:PORT] [--follow [--from FILE] [--radius 2km]]",
        "Set or show where you are.",
        discussion:
            "It is stored only on this machine, for this mesh, and never sent; with --announce you also leave the post "
            + "\"I'm here.\" there. --gpsd reads it from a GPS receiver. --follow goes on with that until you stop it, and names the posts that you "
            + "can read on the way; --from takes the positions from a file or pipe of NMEA sentences or lines such as "
            + "40.7128,-74.0060.",
        examples: ["here 40.7128,-74.0060", "here Kitchen", "here --gpsd", "here --forget"])

    /// A receiver with a fix reports it once a second.
    private static let gpsdPatience: Duration = .seconds(10)

    @Argument(help: "Where you are: 40.7128,-74.0060, a geohash, a geo: URI or the name of a place.") var place:
        [String] = []
    @Flag(help: "Leave a post that says that you are there.") var announce = false
    @Flag(help: "Forget your place.") var forget = false
    @Flag(help: "Read it from gpsd.") var gpsd = false
    @Option(
        help: ArgumentHelp("The address of gpsd. (default: localhost:2947)", valueName: "host:port"),
        transform: { try Arguments.address($0.contains(":") ? $0 : "\($0):2947") })
    var gpsdHost: PeerAddress?
    @Flag(help: "Follow the receiver until Ctrl-C.") var follow = false
    @Option(help: ArgumentHelp("Follow this file or pipe; '-' is standard input.", valueName: "file")) var from: String?
    @Option(
        help: ArgumentHelp("With --follow: how far away you can read. (default: 2km)", valueName: "distance"),
        transform: Arguments.radius)
    var radius: Double?
    @OptionGroup var options: ReadingOptions

    func check() throws {
        _ = try Arguments.spot(place)
    }

    func validate() throws {
        let wishes = [!place.isEmpty, forget, gpsd || gpsdHost != nil].count { $0 }
        guard wishes <= 1 else { throw ValidationError("use only one of PLACE, --forget and --gpsd") }
        guard !follow || place.isEmpty && !forget else {
            throw ValidationError("--follow takes the place from a receiver or --from; leave PLACE and --forget out")
        }
        guard follow || from == nil && radius == nil else {
            throw ValidationError("--from and --radius belong to --follow, such as: here --follow --from track.nmea")
        }
        guard !announce || !place.isEmpty else {
            throw ValidationError("--announce needs a place, such as: here Kitchen --announce")
        }
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        if follow { return try await follow(on: node, context) }
        let here: Here
        if let spot = try await Arguments.spot(place)?.resolved(on: node) {
            return try await set(spot, on: node, context)
        }
        if forget {
            here = try await node.perform(SetHere(nil))
        } else if gpsd || gpsdHost != nil {
            here = try await node.perform(SetHere(try await fix(context)))
        } else {
            here = try await node.perform(ShowHere())
        }
        let objects = [PostJSON.here(here.place)]
        if let place = here.place {
            return CommandOutput([Self.told(place, nil)], objects: objects)
        }
        let remark = forget ? "forgotten" : "your place is not set; set it: \(context.call("here LAT,LON"))"
        return CommandOutput([], remarks: [remark], objects: objects)
    }

    private func follow(on node: any MeshNode, _ context: CommandContext) async throws -> CommandOutput {
        guard !context.isChat else {
            throw CommandFailure.usage(
                "a chat cannot follow a receiver; run 'lattice here --follow' in another terminal")
        }
        let (feed, json) = (try feed(), options.json)
        let metres = await AroundOptions.radius(radius, on: node)
        let work = HereFollow(node: node, radius: metres, context: context) { output in
            try CommandShell.show(output, json: json)
        }
        try await context.interruptible(throwing: nil) {
            try await work.run {
                do throws(PositionFeed.Fault) {
                    return try await feed.next()
                } catch {
                    throw CommandFailure(error)
                }
            }
        }
        return CommandOutput([])
    }

    private func feed() throws -> PositionFeed {
        do {
            if let from { return try PositionFeed.lines(from) }
            return try PositionFeed.gpsd(gpsdHost ?? Self.gpsdUsual)
        } catch let fault as PositionFeed.Fault {
            throw CommandFailure(fault)
        } catch let fault as GPSD.Fault {
            throw CommandFailure(code: fault.code, "\(fault); or follow a file of positions with --from FILE")
        }
    }

    private static let gpsdUsual = PeerAddress(host: "localhost", port: 2_947)

    private func set(
        _ spot: Spot.Resolved, on node: any MeshNode, _ context: CommandContext
    ) async throws -> CommandOutput {
        let here = try await node.perform(SetHere(spot.coordinate))
        var output = CommandOutput(
            [Self.told(spot.coordinate, spot.place?.title)], objects: [PostJSON.here(here.place)])
        guard announce else { return output }
        let name = spot.place?.title
        let post = NewPost(
            text: name.map { "I'm at \($0)." } ?? "I'm here.", at: spot.coordinate, placeName: name,
            atPlace: spot.place?.id)
        let posted = ManualPages.done("posted", try await node.perform(post), context)
        output.lines += posted.lines
        output.objects += posted.objects
        return output
    }

    private static func told(_ place: Coordinate, _ name: String?) -> String {
        let words = name.map { "\(DisplayText.isolated($0)), " } ?? ""
        return "you are at \(words)\(place) (\(place.degreesMinutesSeconds))"
    }

    private func fix(_ context: CommandContext) async throws -> Coordinate {
        let address = gpsdHost ?? Self.gpsdUsual
        do {
            return try await GPSD(address: address).fix(atMost: Self.gpsdPatience)
        } catch {
            throw CommandFailure(code: error.code, "\(error); or set your place: \(context.call("here 40.7,-74.0"))")
        }
    }
}

extension CommandFailure {
    fileprivate init(_ fault: PositionFeed.Fault) {
        switch fault {
        case .cannotOpen(let path, let reason):
            self.init(code: "fileFailed", "cannot read \(DisplayText.safe(path)): \(reason)")
        case .noPosition(let path):
            self.init(
                code: "noFix",
                "\(DisplayText.safe(path)) has no position; use NMEA sentences or lines such as 40.7128,-74.0060")
        }
    }
}
