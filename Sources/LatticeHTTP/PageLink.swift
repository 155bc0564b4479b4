import LatticeCore
import LatticeQR

/// Where browsers find the page.
package struct PageLink: Sendable {
    /// Without a token.
    let address: String
    /// The SHA-256 fingerprint of a certificate that browsers do not know, as they show it.
    let fingerprint: String?

    package init(address: String, fingerprint: String?) {
        (self.address, self.fingerprint) = (address, fingerprint)
    }

    static let schema = JSONSchema.object(
        ("address", JSONSchema.text), ("fingerprint?", JSONSchema.text),
        ("code?", JSONSchema.object(("modules", JSONSchema.integer), ("path", JSONSchema.text))))

    var json: JSON {
        [
            "address": .text(address), "fingerprint": fingerprint.map { .text($0) },
            "code": QRSymbol(Array(address.utf8)).map(Self.drawing),
        ]
    }

    /// The dark modules of a QR code as rectangles of an SVG path, one for each run in a row. The path has no quiet zone.
    private static func drawing(_ symbol: QRSymbol) -> JSON {
        var path = ""
        for row in 0..<symbol.width {
            var column = 0
            while column < symbol.width {
                let run = symbol.modules[(row * symbol.width + column)..<((row + 1) * symbol.width)].prefix { $0 }.count
                if run > 0 { path += "M\(column) \(row)h\(run)v1h-\(run)z" }
                column += max(run, 1)
            }
        }
        return ["modules": .integer(symbol.width), "path": .text(path)]
    }
}
