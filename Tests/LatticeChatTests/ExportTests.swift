import Foundation
import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// What other programs are given to read.
@Suite struct ExportTests {
    private static let hostile = "a<b> & \"c\" 'd' ]]> \u{0}\u{1B}[2J\u{FFFE} ; , \\ é\nnew line"

    private static var items: [ItemInfo] {
        [
            PostSamples.post(1, "Water at the gate", metres: 180, bearing: 45),
            PostSamples.post(2, hostile, metres: 500, bearing: 200), PostSamples.event(text: hostile),
            PostSamples.post(3, nil, metres: 23_000, bearing: 200, state: .tooFar), PostSamples.item(4, "nowhere"),
        ]
    }

    private static func document(_ format: ExportFormat) -> String {
        format.document(items, at: PostSamples.now)
    }

    @Test func geoJSONIsACollectionWithLongitudeFirst() throws {
        let document = try JSONSerialization.jsonObject(with: Data(Self.document(.geoJSON).utf8))
        let collection = try #require(document as? [String: Any])
        #expect(collection["type"] as? String == "FeatureCollection")
        let features = try #require(collection["features"] as? [[String: Any]])
        #expect(features.count == 3)
        let geometry = try #require(features[0]["geometry"] as? [String: Any])
        #expect(geometry["type"] as? String == "Point")
        #expect(geometry["coordinates"] as? [Double] == [-74.0044899, 40.7139446])
        let properties = try features.map { try #require($0["properties"] as? [String: Any]) }
        #expect(properties.map { $0["text"] as? String } == ["Water at the gate", Self.hostile, Self.hostile])
    }

    @Test(arguments: [ExportFormat.gpx, .atom])
    func markupHoldsNothingThatXMLCannot(format: ExportFormat) throws {
        let text = Self.document(format)
        for scalar in text.unicodeScalars where scalar != "\n" { #expect(!Samples.isForbidden(scalar)) }
        #expect(text.contains("a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos; ]]&gt; [2J ; , \\ é"))
        #expect(!text.contains("\u{FFFE}"))
        #expect(try MarkupReader.problem(in: text) == nil)
    }

    @Test func waypointsHaveTheirPlaceAndTheChildrenInOrder() {
        let lines = Self.document(.gpx).split(separator: "\n")
        #expect(lines.first == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        #expect(
            lines.contains(
                "<wpt lat=\"40.7139446\" lon=\"-74.0044899\"><time>2026-11-21T09:26:40.250Z</time>"
                    + "<name>Water at the gate</name><desc>Water at the gate</desc><src>bob</src><type>post</type></wpt>"
            ))
        #expect(lines.count(where: { $0.hasPrefix("<wpt ") }) == 3)
    }

    @Test func aFeedHasWhatAtomRequires() {
        let text = Self.document(.atom)
        #expect(
            text.contains("<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:georss=\"http://www.georss.org/georss\">"))
        #expect(text.contains("<georss:point>40.7139446 -74.0044899</georss:point>"))
        for required in ["<id>", "<title>", "<updated>", "<author><name>bob</name>"] {
            #expect(text.ranges(of: required).count >= 3)
        }
        let nobody = ExportFormat.atom.document([], at: PostSamples.now)
        #expect(nobody.contains("<updated>2026-11-21T09:30:00.250Z</updated>"))
        let mine = ExportFormat.atom.document([], at: PostSamples.now, by: Samples.peer(1))
        #expect(mine.contains("<id>urn:lattice:peer:\(Samples.peer(1).hex)</id>"))
        #expect(
            ExportFormat.geoJSON.document([], at: PostSamples.now)
                == "{\"type\":\"FeatureCollection\",\"features\":[]}\n")
    }

    @Test func photosComeWithTheirThumbnailAndTheirWords() throws {
        var (shown, bare) = (Self.items[1], Self.items[0])
        shown.photo = PhotoInfo(width: 560, height: 420, size: 48_123, alt: Self.hostile, state: .here)
        bare.photo = PhotoInfo(width: 10, height: 20, size: 300, state: .shared)
        let thumbnails: [RecordID: [UInt8]] = [shown.id: [0xFF, 0xD8, 0xFF, 0xE0]]
        func document(_ format: ExportFormat) -> String {
            format.document([shown, bare], at: PostSamples.now, thumbnails: thumbnails)
        }
        let address = "data:image/jpeg;base64,/9j/4A=="
        let feed = document(.atom)
        #expect(try MarkupReader.problem(in: feed) == nil)
        let alt = "a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos; ]]&gt; [2J ; , \\ é"
        #expect(feed.contains("<p>\(alt)<br/>new line</p><p><img src=\"\(address)\" alt=\"\(alt)\nnew line\"/></p>"))
        #expect(feed.contains("<content type=\"text\">Water at the gate</content>"))
        let read = try JSONSerialization.jsonObject(with: Data(document(.geoJSON).utf8))
        let features = try #require((read as? [String: Any])?["features"] as? [[String: Any]])
        let photos = try features.map { try #require(($0["properties"] as? [String: Any])?["photo"] as? [String: Any]) }
        #expect(photos.map { $0["width"] as? Int } == [560, 10] && photos.map { $0["height"] as? Int } == [420, 20])
        #expect(photos.map { $0["alt"] as? String } == [Self.hostile, nil])
        #expect(photos.map { $0["thumbnail"] as? String } == [address, nil])
        #expect(ExportFormat.allCases.filter(\.hasPhotos) == [.geoJSON, .atom])
        for format in [ExportFormat.gpx, .iCalendar] { #expect(!document(format).contains("data:")) }
    }

    @Test func aCalendarHoldsEventsAloneInFoldedLines() throws {
        let text = Self.document(.iCalendar)
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines.last == "" && !lines.dropLast().contains(""))
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        let unfolded = text.replacingOccurrences(of: "\r\n ", with: "").components(separatedBy: "\r\n")
        #expect(
            unfolded == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//lattice//posts//EN", "BEGIN:VEVENT",
                "UID:\(PostSamples.record(9).hex)@lattice", "DTSTAMP:20261121T092640Z", "DTSTART:20261201T180000Z",
                "DTEND:20261201T220000Z", "SUMMARY:Concert", "LOCATION:Bandshell",
                "DESCRIPTION:a<b> & \"c\" 'd' ]]> [2J\u{FFFE} \\; \\, \\\\ é\\nnew line", "GEO:40.7127998;-73.9984067",
                "END:VEVENT", "END:VCALENDAR", "",
            ])
    }

    @Test func noCharacterIsCutInTwoByAFold() throws {
        let text = ExportFormat.iCalendar.document(
            [PostSamples.event(text: String(repeating: "ж👩‍👩‍👧", count: 60))], at: PostSamples.now)
        #expect(text.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(text.replacingOccurrences(of: "\r\n ", with: "").contains(String(repeating: "ж👩‍👩‍👧", count: 60)))
    }
}

/// Reads just enough of XML to find what is not well formed: tags that do not match, and signs that stand bare.
enum MarkupReader {
    static func problem(in text: String) throws -> String? {
        var open: [Substring] = []
        var rest = text.dropFirst("<?xml version=\"1.0\" encoding=\"UTF-8\"?>".count)
        while let start = rest.firstIndex(of: "<") {
            let between = rest[..<start]
            if between.contains(">") { return "a bare > in \(between)" }
            for piece in between.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
                guard ["amp;", "lt;", "gt;", "quot;", "apos;"].contains(where: piece.hasPrefix) else {
                    return "a bare & before \(piece)"
                }
            }
            let end = try #require(rest[start...].firstIndex(of: ">"))
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("/") {
                guard open.popLast() == tag.dropFirst() else { return "\(tag) closes something else" }
            } else if !tag.hasSuffix("/") {
                open.append(tag.prefix { $0 != " " })
            }
        }
        return open.isEmpty ? nil : "\(open) are open"
    }
}
