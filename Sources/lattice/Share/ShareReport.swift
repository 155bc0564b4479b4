import Glibc
import LatticeChat
import LatticeCore
import LatticeHost
import LatticeShare

/// What people who share see: the addresses on standard output, everything else on standard error; or JSON.
struct ShareReport: Sendable {
    let offer: Offer
    let addresses: [PeerAddress]
    let isJSON: Bool

    private var links: [String] { addresses.map { "http://\($0)/" } }

    func begin() throws {
        if isJSON {
            return try write(
                [("event", .text("sharing")), ("urls", .list(links.map { .text($0) }))]
                    + [SharedFile.Kind.program, .debian, .source].map { kind in
                        (kind.rawValue, offer.files.first { $0.kind == kind }.map(Self.object) ?? .null)
                    } + [("machine", .text(offer.machine)), ("next", .text("lattice \(offer.nextText)"))])
        }
        for file in offer.files {
            Report.remark("\(Self.name(file.kind)), \(ByteCountText.text(file.bytes)), SHA-256:")
            Report.remark("  \(file.sum)")
        }
        drawCode()
        for link in links { try Report.output("\(link)\n") }
        if let link = links.first {
            Report.remark("Others open that in a browser, or type: curl -fsSL \(link) | sh")
        }
        Report.remark("Then they go on with: lattice \(offer.nextText)")
        Report.remark("Ctrl-C ends it")
    }

    /// Only where all of it fits on the screen.
    private func drawCode() {
        guard isatty(2) == 1, let link = links.first, let code = QRCode(link) else { return }
        let context = Surroundings.ofShell()
        let (ink, width) = (QRCode.Ink(isASCII: !context.isUTF8, hasColor: context.hasColor), code.columns)
        let lines = code.lines(ink)
        let columns = context.isUTF8 ? width : 2 * width
        guard context.isTerminal, lines.count < context.rows, columns <= context.columns else { return }
        Report.raw(lines.map { "\($0)\n" }.joined())
    }

    func tell(_ event: ShareEvent) throws {
        switch event {
        case .took(let kind, let address, let bytes, let milliseconds):
            if isJSON {
                return try write([
                    ("event", .text("taken")), ("file", .text(kind.rawValue)), ("address", .text(address)),
                    ("bytes", .integer(bytes)), ("milliseconds", .integer(milliseconds)),
                ])
            }
            let time = "\(milliseconds / 1_000).\(milliseconds / 100 % 10) s"
            Report.remark("\(address) took \(Self.name(kind)), \(ByteCountText.text(bytes)) in \(time)")
        case .brokenOff(let kind, let address, let end, let bytes):
            if isJSON {
                return try write([
                    ("event", .text("broken_off")), ("file", .text(kind.rawValue)), ("address", .text(address)),
                    ("end", .integer(end)), ("bytes", .integer(bytes)),
                ])
            }
            let (sent, whole) = (ByteCountText.text(end), ByteCountText.text(bytes))
            Report.remark("\(address) broke off after \(sent) of \(whole); it can go on from there")
        }
    }

    func end(_ counts: Takings) throws {
        if isJSON {
            return try write(
                [("event", .text("shared"))]
                    + SharedFile.Kind.allCases.map { ($0.rawValue, .integer(counts.count(of: $0))) }
                    + [("machines", .integer(counts.machineCount))])
        }
        // Below the ^C of the terminal.
        if isatty(2) == 1 { Report.raw("\n") }
        guard !counts.isEmpty else { return Report.remark("nobody took anything") }
        let parts = SharedFile.Kind.allCases.filter { counts.count(of: $0) > 0 }.map { kind in
            "\(Self.name(kind)) \(Self.times(counts.count(of: kind)))"
        }
        let machines = counts.machineCount == 1 ? "1 machine" : "\(counts.machineCount) machines"
        Report.remark("\(machines) took \(parts.joined(separator: ", "))")
    }

    private static func times(_ count: Int) -> String {
        switch count {
        case 1: "once"
        case 2: "twice"
        default: "\(count) times"
        }
    }

    private static func name(_ kind: SharedFile.Kind) -> String {
        switch kind {
        case .program: "the program"
        case .debian: "the .deb"
        case .source: "the sources"
        }
    }

    private static func object(_ file: SharedFile) -> JSONLine.Value {
        .object([
            ("path", .text(file.kind.path)), ("bytes", .integer(file.bytes)), ("sha256", .text(file.sum)),
        ])
    }

    private func write(_ members: [(String, JSONLine.Value)]) throws {
        try Report.output("\(JSONLine(members).description)\n")
    }
}
