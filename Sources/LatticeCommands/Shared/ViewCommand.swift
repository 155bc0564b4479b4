import ArgumentParser
import Foundation
import LatticeAPI
import LatticeChat
import LatticeGeo
import LatticeNode
import LatticePicture
import LatticePictureDecoder
import LatticeSettings
import LatticeTerminalPicture

extension DrawingFormat: ExpressibleByArgument {}

struct ViewCommand: SharedCommand {
    static let manual = CommandManual(
        "view PICTURE [--from PLACE] [--format symbols|sixel|kitty|iterm] [--ascii]",
        "Draw the photo of a post, an event or a person, or a shared picture.",
        discussion: """
            PICTURE is the id of a post, an event or a file, the name of a file, or a person. In a chat it may be a number: of \
            a line with a file, as for /get, or in the list shown last, as for /show; where both have a picture, you are \
            asked which. It is fetched if it is not here; Ctrl-C stops that. The terminal's own pixels are used where it is \
            known to have them, else coloured characters. Below the picture stands its description. In a pipe, or where no \
            pictures can be drawn, only the description is printed; --ascii or --format draws the picture even there.
            """,
        examples: ["view a1b2c3", "view bob", "view bridge.jpg --ascii"])

    /// Takes strangers' bytes apart; tests have no program that could be the child.
    @TaskLocal static var decoding = Decoding(work: inChild)

    struct Decoding: Sendable {
        let work: @Sendable ([UInt8], PictureSize) async throws(PictureFault) -> Pixels
    }

    @Sendable private static func inChild(_ bytes: [UInt8], _ box: PictureSize) async throws(PictureFault) -> Pixels {
        try await PictureDecoder.own.pixels(bytes, within: box)
    }

    @Argument(help: ArgumentHelp("An id, the name of a file, or a person.", valueName: "picture")) var what: String
    @Option(
        help: ArgumentHelp("Look at it from this place. (default: where you are)", valueName: "place"),
        transform: Arguments.place)
    var from: ParsedPlace?
    @Option(
        help: ArgumentHelp("How to draw it. (default: the best that is known)", valueName: "format"))
    var format: DrawingFormat?
    @Flag(help: "Draw with ASCII characters alone, without colours.") var ascii = false
    /// The file of the line that has this number in a chat.
    @Option(help: .hidden) var file: String?
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func validate() throws {
        guard format == nil || !ascii else { throw ValidationError("give either --ascii or --format") }
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let finder = PictureFinder(node: node, context: context, place: from?.coordinate)
        let picture = try await finder.find(what, fileOfLine: file)
        var output = CommandOutput(picture.facts.lines(context), objects: [picture.facts.object])
        guard !options.json else { return output }
        guard let style = try style(context) else {
            output.remarks = ["no pictures are drawn here; --ascii draws this one in plain characters"]
            return output
        }
        var context = context
        if !context.isChat { context.progress = { ShellProgress.show($0) } }
        let bytes = try await PictureFetch(picture, on: node, context).bytes()
        let cell = context.cell.flatMap { PictureSize(width: $0.width, height: $0.height) }
        let window = DrawingWindow(columns: context.columns, rows: context.rows, cell: cell)
        do throws(PictureFault) {
            let pixels = try await Self.decoding.work(bytes, window.box)
            output.picture = PictureDrawing.rows(of: pixels, as: style, in: window, context.environment)
        } catch {
            if Task.isCancelled { throw PictureFetch.cancelled }
            throw RequestError.badPicture(problem: RequestError.PictureProblem(error))
        }
        return output
    }

    /// - Returns: `nil` to draw nothing.
    private func style(_ context: CommandContext) throws -> DrawingStyle? {
        if ascii { return .symbols(.none, isASCII: true) }
        guard format != nil || context.drawsPictures else { return nil }
        if context.isTerminal, Multiplexer.isPresent(in: context.environment), format == .kitty || format == .iterm {
            throw CommandFailure.usage(
                "tmux and screen show no \(format?.rawValue ?? "") pictures; use --format symbols", field: "format")
        }
        // A pipe has no colours unless somebody asks for a format.
        let isColourless = context.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let hasColour = context.isChat ? context.hasColor : !isColourless
        return DrawingStyle(format, in: context.environment, isUTF8: context.isUTF8, hasColour: hasColour)
    }
}
