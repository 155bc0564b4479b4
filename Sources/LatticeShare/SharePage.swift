import LatticeCore

/// The page for a browser: works without scripts, and on a phone.
struct SharePage {
    let text: String

    /// - Parameter base: as in `InstallScript`.
    init(_ offer: Offer, _ base: String) {
        let next = "lattice \(offer.nextText)"
        text = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Get lattice</title>
            <style>\(Self.style)</style>
            <main>
            <h1>Get lattice</h1>
            <p>Talk with people on the same network and leave posts at places. No server, no internet, no account.</p>
            <h2>With a terminal</h2>
            <p>On a Linux computer (\(Self.escaped(offer.machine))) in this network, type:</p>
            <pre>curl -fsSL \(Self.escaped(base))/ | sh</pre>
            <p>or, without curl:</p>
            <pre>wget -qO- \(Self.escaped(base))/ | sh</pre>
            <p>It puts the program into <code>~/.local/bin</code>, checks its SHA-256 and starts it.
            <a href="\(Offer.scriptPath)">Read the script</a> first if you like.</p>
            <h2>By hand</h2>
            \(offer.files.map(Self.row).joined())
            <p>Compare each SHA-256 with the screen of the person who shares.
            <a href="\(Offer.sumsPath)">SHA256SUMS</a> is for <code>sha256sum -c</code>.</p>
            <h2>Then</h2>
            <pre>\(Self.escaped(next))</pre>
            </main>
            </html>

            """
    }

    private static func row(_ file: SharedFile) -> String {
        let size = ByteCountText.text(file.bytes)
        return """
            <h3><a href="\(file.kind.path)" download>\(escaped(file.name))</a>, \(size)</h3>
            <p>\(explanation(file))</p>
            <p class="sum">SHA-256 \(file.sum)</p>

            """
    }

    private static func explanation(_ file: SharedFile) -> String {
        switch file.kind {
        case .program: "The program. Then: <code>chmod +x \(escaped(file.name))</code>"
        case .debian: "The package for Debian and Ubuntu. Then: <code>sudo apt install ./\(escaped(file.name))</code>"
        case .source: "The sources. Then: <code>git clone \(escaped(file.name)) lattice</code>"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    private static let style =
        ":root{color-scheme:light dark}body{font:1.05rem/1.5 system-ui,sans-serif;margin:0}"
        + "main{max-width:42rem;margin:auto;padding:1rem}h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}"
        + "h3{font-size:1rem;margin-bottom:0}h3+p,.sum{margin:.2rem 0}"
        + "pre{background:#8882;border-radius:.4rem;padding:.7rem;white-space:pre-wrap;overflow-wrap:anywhere}"
        + ".sum{font:.8rem/1.4 monospace;overflow-wrap:anywhere}"
}
