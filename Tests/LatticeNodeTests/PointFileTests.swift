import Foundation
import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import Testing

@testable import LatticeNode

/// Files of points that become drafts: GPX and GeoJSON.
@Suite struct PointFileTests {
    private static func read(_ text: String) throws(PointFault) -> PointFile { try PointFile(Array(text.utf8)) }

    private static func fault(_ text: String) -> PointFault? { fault(Array(text.utf8)) }

    private static func fault(_ bytes: [UInt8]) -> PointFault? {
        do throws(PointFault) {
            _ = try PointFile(bytes)
            return nil
        } catch {
            return error
        }
    }

    private static func gpx(_ inside: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"eTrex\">\n\(inside)\n</gpx>\n"
    }

    private static func feature(_ geometry: String, _ properties: String = "{}") -> String {
        "{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":\(properties)}"
    }

    private static let point = #"{"type":"Point","coordinates":[-74.006,40.7128]}"#

    // MARK: - GPX

    @Test func waypointsHaveWordsAndTimes() throws {
        let file = try Self.read(
            Self.gpx(
                """
                <metadata><name>not a point</name></metadata>
                <wpt lat="40.7128" lon="-74.006"><ele>3</ele><time>2026-11-29T08:00:00.5+01:00</time>
                  <name>Kitchen</name><desc> Hot soup &amp; b&#x72;ead <!-- now --></desc></wpt>
                <g:wpt xmlns:g="urn:x" lon='1' lat='-2'><g:name><![CDATA[<Tap>]]></g:name>
                  <extensions><name>inner</name></extensions><g:time>2026-11-29T08:00:00</g:time></g:wpt>
                <wpt lat="+1.5" lon="180"><name>Long words</name><desc>Long words that go on</desc></wpt>
                <wpt lat="0" lon="0"/>
                <wpt lat="0" lon="0"><cmt>only a comment</cmt></wpt>
                <rte><rtept lat="1" lon="1"><name>r</name></rtept></rte>
                <trk><trkseg><trkpt lat="1" lon="1"/><trkpt lat="1" lon="2"/></trkseg></trk>
                """))
        #expect(
            file.points.map(\.words) == [
                "Kitchen: Hot soup & bread", "<Tap>", "Long words that go on", "Waypoint 1", "only a comment",
            ])
        #expect(file.points[0].coordinate == (try .park()))
        #expect(file.points[1].coordinate == (try .at(-2, 1)))
        #expect(
            file.points.map { $0.written.map { RFC3339.string($0) } } == [
                "2026-11-29T07:00:00.500Z", "2026-11-29T08:00:00.000Z", nil, nil, nil,
            ])
        #expect(file.others == 2)
    }

    @Test func ourOwnGPXNamesThePlaceInTheComment() throws {
        let text = """
            <gpx version="1.1" creator="lattice" xmlns="http://www.topografix.com/GPX/1/1">
            <wpt lat="1" lon="2"><name>\(String(repeating: "w", count: 59))…</name><cmt>gate</cmt>\
            <desc>\(String(repeating: "w", count: 80))</desc></wpt></gpx>
            """
        let file = try Self.read(text)
        #expect(file.points.map(\.words) == [String(repeating: "w", count: 80)])
        #expect(file.points.map(\.placeName) == ["gate"])
        #expect(try Self.read("\u{FEFF}<gpx/>").points.isEmpty)
    }

    @Test func faultyGPXIsRefusedWithItsLine() {
        func check(_ inside: String, _ problem: RequestError.PointProblem, line: Int) {
            #expect(Self.fault(Self.gpx(inside)) == PointFault(problem, line: line), "\(inside)")
        }
        for place in [
            "lat=\"91\" lon=\"0\"", "lat=\"0\" lon=\"180.1\"", "lat=\"0\"", "lat=\"1e1\" lon=\"0\"",
            "lat=\"nan\" lon=\"0\"", "lat=\"\" lon=\"0\"", "lat=\"0x1\" lon=\"0\"",
        ] {
            check("<wpt lat=\"0\" lon=\"0\"/>\n<wpt \(place)/>", .coordinates, line: 4)
        }
        for time in ["yesterday", "", "2026-13-01T00:00:00Z", "1969-12-31T23:59:59Z", "2026-11-29"] {
            check("<wpt lat=\"0\" lon=\"0\">\n<time>\(time)</time></wpt>", .time, line: 4)
        }
        check("<wpt lat=\"0\" lon=\"0\"><name>&bomb;</name></wpt>", .entity(name: "bomb"), line: 3)
        for entity in ["#0", "#xD800", "#x110000", "#-1", "#+1", "#xFFFF", "#", "#x", ""] {
            check("<wpt lat=\"0\" lon=\"0\"><name>&\(entity);</name></wpt>", .entity(name: entity), line: 3)
        }
        let long = String(repeating: "é", count: 2_049)
        check("<wpt lat=\"0\" lon=\"0\">\n<desc>\(long)</desc></wpt>", .tooManyBytes(max: 4_096), line: 4)
        let half = String(repeating: "e", count: 2_048)
        check(
            "<wpt lat=\"0\" lon=\"0\">\n<name>n\(half)</name><desc>d\(half)</desc></wpt>", .tooManyBytes(max: 4_096),
            line: 3)
        check(String(repeating: "<a>", count: 64), .tooDeep(max: 64), line: 3)
        check(
            String(repeating: "<wpt lat=\"0\" lon=\"0\"/>\n", count: 501), .tooManyPoints(max: 500), line: 503)
    }

    @Test func brokenXMLIsRefusedWithItsLine() {
        let broken = [
            "<wpt lat=\"0\" lon=\"0\"></trk>", "<wpt lat=\"0\" lat=\"0\" lon=\"0\"/>", "<wpt lat=0 lon=\"0\"/>",
            "<wpt lat/>", "< wpt/>", "<wpt/ >", "<a b=\"1\"c=\"2\"/>", "a & b", "<a b=\"<\"/>", "<!-- a -- b -->",
            "\u{1}",
            "<!ELEMENT a>", "<wpt lat=\"0\" lon=\"0\"><name>a</name><name>b</name></wpt>", "<1/>",
        ]
        for inside in broken {
            let fault = Self.fault(Self.gpx(inside))
            guard case .malformed = fault?.problem else {
                Issue.record("\(inside): \(String(describing: fault))")
                continue
            }
            #expect(fault?.line == 3, "\(inside)")
        }
        for text in ["<gpx></gpx><gpx/>", "<gpx/>more"] {
            guard case .malformed = Self.fault(text)?.problem else {
                Issue.record("\(text)")
                continue
            }
        }
        #expect(Self.fault("<html/>") == PointFault(.otherFormat, line: 1))
        #expect(Self.fault("<?xml version=\"1.0\" encoding=\"UTF-16\"?><gpx/>")?.problem == .notUTF8)
        #expect(Self.fault(Array("<gpx>\n".utf8) + [0xFF]) == PointFault(.notUTF8, line: 2))
    }

    /// A few hundred bytes that would grow to gigabytes.
    @Test func aDocumentTypeIsRefused() {
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <gpx><wpt lat="0" lon="0"><name>&b;</name></wpt></gpx>
            """
        #expect(Self.fault(bomb) == PointFault(.documentType, line: 2))
        #expect(Self.fault("<!DOCTYPE gpx SYSTEM \"file:///etc/passwd\"><gpx/>") == PointFault(.documentType, line: 1))
    }

    // MARK: - GeoJSON

    @Test func aCollectionAFeatureAndAPointAreRead() throws {
        let collection = """
            {"features": [
              \(Self.feature(Self.point, #"{"name": "Kitchen", "description": "Hot\nsoup \u00e9", "time": "2026-11-29T08:00:00Z"}"#)),
              {"properties": {"title": "", "name": "Tap", "time": "noon", "place_name": "gate", "x": [{"name": "inner"}]},
               "geometry": {"coordinates": [1, -2, 300.5], "type": "Point"}, "type": "Feature", "id": 7},
              \(Self.feature(#"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#)), \(Self.feature("null")),
              \(Self.feature(#"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]}"#))
            ], "type": "FeatureCollection", "bbox": [1, 2, 3, 4]}

            """
        let file = try Self.read(collection)
        #expect(file.points.map(\.words) == ["Kitchen: Hot\nsoup é", "Tap"])
        #expect(file.points.map(\.coordinate) == [try .park(), try .at(-2, 1)])
        #expect(file.points.map(\.placeName) == ["", "gate"])
        #expect(file.points.map { $0.written.map { RFC3339.string($0) } } == ["2026-11-29T08:00:00.000Z", nil])
        #expect(file.others == 3)
        #expect(try Self.read(Self.feature(Self.point)).points.map(\.words) == ["Point 1"])
        #expect(try Self.read(Self.point).points.map(\.coordinate) == [try .park()])
        #expect(try Self.read(#"{"type":"Polygon","coordinates":[]}"#).others == 1)
        #expect(try Self.read(#"{"type":"FeatureCollection","features":[]}"#) == Self.read("<gpx/>"))
    }

    @Test func faultyGeoJSONIsRefusedWithItsLine() {
        func check(_ feature: String, _ problem: RequestError.PointProblem, line: Int = 2) {
            let text = "{\"type\":\"FeatureCollection\",\"features\":[\n\(feature)\n]}"
            #expect(Self.fault(text) == PointFault(problem, line: line), "\(feature)")
        }
        for place in ["[181,0]", "[0,-90.1]", "[0]", "[]", "null", "[\"1\",2]", "{}", "7", "[1e400,1]"] {
            check(Self.feature("{\"type\":\"Point\",\"coordinates\":\(place)}"), .coordinates)
        }
        check(Self.feature("{\"type\":\"Point\"}"), .coordinates)
        check("7", .malformed(reason: "a feature is missing"))
        check(Self.point, .malformed(reason: "a feature is missing"))
        check(
            Self.feature(Self.point, "{\"name\":\"\(String(repeating: "e", count: 4_097))\"}"),
            .tooManyBytes(max: 4_096))
        check(Self.feature(String(repeating: "[", count: 65)), .tooDeep(max: 64))
        check(
            Array(repeating: Self.feature(Self.point), count: 501).joined(separator: ",\n"), .tooManyPoints(max: 500),
            line: 502)
        #expect(Self.fault("{}") == PointFault(.otherFormat, line: 1))
        #expect(Self.fault("\n\n[1]") == PointFault(.otherFormat, line: 1))
        #expect(Self.fault("") == PointFault(.otherFormat, line: 1))
        #expect(Self.fault(#"{"type":"Topology"}"#) == PointFault(.otherFormat, line: 1))
    }

    @Test func brokenJSONIsRefusedWithItsLine() {
        for value in [
            "01", "-", "1.", ".5", "1e", "+1", "tru", "nul", "'a'", "[1,]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "[1 2]",
            "\"\u{1}\"", "NaN", "//", "[}", "{]",
        ] {
            let fault = Self.fault("{\"type\":\"Point\",\n\"x\":\(value),\"coordinates\":[1,2]}")
            guard case .malformed = fault?.problem else {
                Issue.record("\(value): \(String(describing: fault))")
                continue
            }
            #expect(fault?.line == 2, "\(value)")
        }
        for text in [#"\x"#, #"\uD800"#, #"\u12"#] {
            let fault = Self.fault(Self.feature(Self.point, "{\"name\":\"\(text)\"}"))
            guard case .malformed = fault?.problem else {
                Issue.record("\(text): \(String(describing: fault))")
                continue
            }
        }
        guard case .malformed = Self.fault(Self.point + "x")?.problem else {
            Issue.record("something follows the end")
            return
        }
    }

    // MARK: - Both

    /// Wherever a file is cut off, that is said, and nothing else.
    @Test func aFileThatIsCutOffIsRefused() {
        let gpx = Self.gpx(
            "<!-- a --><wpt lat=\"1\" lon='2'><name>a&amp;b</name><desc><![CDATA[c]]></desc></wpt>")
        let json =
            "{\"type\":\"FeatureCollection\",\"features\":[\(Self.feature(Self.point, #"{"name":"\u00e9","x":[true,null,-1.5e3]}"#))]}"
        for text in [gpx.trimmingCharacters(in: .whitespacesAndNewlines), json] {
            #expect(Self.fault(text) == nil)
            for count in 1..<text.utf8.count {
                let fault = Self.fault(Array(text.utf8.prefix(count)))
                // A number or word at the end may look whole or wrong.
                #expect(fault?.problem == .cutOff, "\(text.prefix(count)): \(String(describing: fault))")
            }
        }
    }

    @Test func anyBytesAreReadOrRefused() {
        var dice = SeededGenerator(seed: 7)
        let seeds = [
            Self.gpx("<wpt lat=\"1\" lon=\"2\"><name>a&amp;b</name><time>2026-11-29T08:00:00Z</time></wpt>"),
            "{\"type\":\"FeatureCollection\",\"features\":[\(Self.feature(Self.point, #"{"name":"\u00e9"}"#))]}",
        ].map { Array($0.utf8) }
        var read = 0
        for _ in 0..<20_000 {
            var bytes = seeds[Int.random(in: 0...1, using: &dice)]
            for _ in 0..<Int.random(in: 1...4, using: &dice) {
                let place = Int.random(in: 0..<bytes.count, using: &dice)
                switch Int.random(in: 0...2, using: &dice) {
                case 0: bytes[place] = UInt8.random(in: 0...127, using: &dice)
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &dice)], at: place)
                }
            }
            if Self.fault(bytes) == nil { read += 1 }
        }
        #expect(read > 1_000)
    }

    @Test func aFileThatIsTooLargeIsRefused() {
        let spaces = [UInt8](repeating: 0x20, count: PointFile.bytesMax)
        #expect(Self.fault(Array("<gpx>".utf8) + spaces) == PointFault(.tooLarge(bytesMax: 16 << 20), line: 1))
        let most = Array("<gpx>".utf8) + spaces.dropLast(11) + Array("</gpx>".utf8)
        #expect(Self.fault(most) == nil)
    }

    // MARK: - Importing

    private func importing(_ text: String, by person: Person, at now: WallTime = Person.now) async throws
        -> ImportDrafts.Reply
    {
        let path = FileManager.default.temporaryDirectory.appending(path: "points-\(UUID().uuidString)").path
        defer { unlink(path) }
        try Data(text.utf8).write(to: URL(filePath: path))
        return try await person.ask(ImportDrafts(path: path), at: now)
    }

    @Test func pointsBecomeDraftsAllOrNone() async throws {
        let alice = try Person("alice")
        let wpt = "<wpt lat=\"40.7128\" lon=\"-74.006\">"
        let imported = try await importing(
            Self.gpx("\(wpt)<name>b</name></wpt>\n\(wpt)<name>a</name><time>2026-11-29T08:00:00Z</time></wpt><trk/>"),
            by: alice)
        #expect(imported.drafts.map(\.number) == [1, 2] && imported.others == 1)
        let drafts = try await alice.ask(ListDrafts()).drafts
        #expect(drafts.map(\.text) == ["a", "b"])
        #expect(drafts.map(\.written) == [try #require(RFC3339.read("2026-11-29T08:00:00Z")), Person.now])
        #expect(drafts.map(\.place) == [try .park(), try .park()])
        await #expect(throws: RequestError.badPoints(problem: .coordinates, line: 4)) {
            try await importing(Self.gpx("\(wpt)</wpt>\n<wpt lat=\"91\" lon=\"0\"/>"), by: alice)
        }
        await #expect(throws: RequestError.draftsFull(max: DraftTable.draftsMax, withPhotos: false)) {
            try await importing(Self.gpx(String(repeating: "\(wpt)</wpt>", count: 499)), by: alice)
        }
        #expect(try await alice.ask(ListDrafts()).drafts.count == 2)
        #expect(try await importing(Self.gpx("<trk/>"), by: alice) == .init([], others: 1))
        #expect(
            try await importing(Self.gpx(String(repeating: "\(wpt)</wpt>", count: 498)), by: alice).drafts.count == 498)
    }

    @Test func aFileThatIsNotThereIsSaid() async throws {
        let alice = try Person("alice")
        for path in ["/none/such", "/"] {
            let error = await #expect(throws: RequestError.self) { try await alice.ask(ImportDrafts(path: path)) }
            #expect(error?.code == .fileFailed)
        }
    }
}
