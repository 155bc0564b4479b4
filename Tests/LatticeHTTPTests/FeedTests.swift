import Foundation
import FoundationXML
import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeHTTP

@Suite(.timeLimit(.minutes(5))) struct FeedTests {
    @Test func aFeedIsXMLAndLinksPhotosThatItsReadersMaySee() async throws {
        try await HTTPRig.serving { rig in
            let answer = try await rig.ask("GET", "/feed.atom?lat=40.7&lon=-74")
            #expect(answer.headers["content-type"] == "application/atom+xml")
            let links = FeedLinks()
            let parser = XMLParser(data: Data(answer.body))
            parser.delegate = links
            #expect(parser.parse(), "\(String(describing: parser.parserError))")
            let link = try #require(links.found.first)
            #expect(links.found.count == 1 && link["rel"] == "enclosure" && link["type"] == "image/jpeg")
            #expect(link["length"] == "48123" && link["title"] == "a <b>bridge</b>")
            let address = "http://127.0.0.1:\(rig.port)"
            let href = try #require(link["href"])
            #expect(href.hasPrefix("\(address)/v1/items/\(Sample.post.id.hex)/photo?"))
            #expect(try await rig.ask("GET", String(href.dropFirst(address.count))).status == 200)
            let read = ReadPhoto(ItemReference(Sample.post.id.hex), from: Sample.place)
            #expect(await rig.node.requests.last == AnyHashable(read))
        }
    }

    private final class FeedLinks: NSObject, XMLParserDelegate {
        var found: [[String: String]] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            if name == "link" { found.append(attributes) }
        }
    }
}
