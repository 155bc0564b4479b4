import Foundation
import Testing

@testable import Lattice

@Suite struct RecordTests {
    @Test func linesAreHeardAndKept() async throws {
        try await Loopback.folder { folder in
            try await Loopback.pair(folders: [folder, nil]) { ada, bob in
                let events = try await ada.records.events
                let first = try await bob.records.say("one", in: "#park")
                // Ada is in the room only from now on: the line comes late, or not at all without a store at bob.
                #expect(try await ada.records.lines(in: "#park").allSatisfy { $0.id == first })
                let second = try await bob.records.say("two", in: "#Park")
                for await event in events {
                    guard case .line(let line) = event, line.id == second else { continue }
                    #expect(line.text == "two" && line.room == "#park" && line.peer.name == "bob")
                    break
                }
                let mine = try await ada.records.say("three", in: "#park")
                let lines = try await ada.records.lines(in: "#park")
                #expect(lines.prefix(2).map(\.id) == [mine, second])
                #expect(try await ada.records.lines(in: "#park", before: mine, limit: 1).map(\.text) == ["two"])
                try await ada.records.remove(mine)
                #expect(try await ada.records.lines(in: "#park").first?.text != "three")
                await expect(.invalid) { try await ada.records.remove(second) }
            }
        }
    }

    @Test func postsAreFoundNearTheirPlacesAndRemoved() async throws {
        try await Loopback.folder { folder in
            try await Loopback.folder { other in
                try await Loopback.pair(folders: [folder, other]) { ada, bob in
                    let place = try #require(Place(latitude: 52.5, longitude: 13.4))
                    let events = try await bob.records.events
                    let id = try await ada.records.post("tea here", at: place)
                    for await event in events {
                        guard case .post(let post) = event else { continue }
                        #expect(post.id == id && post.text == "tea here")
                        #expect(post.place == place && post.peer.name == "ada")
                        #expect(post.expires.timeIntervalSince(post.date).rounded() == 604_800)
                        break
                    }
                    let centre = try #require(Place(latitude: 52.501, longitude: 13.4))
                    let posts = try await bob.records.posts(near: centre, metres: 500)
                    #expect(posts.map(\.id) == [id])
                    #expect(posts.first?.metres.map { (100.0...120).contains($0) } == true)
                    #expect(try await bob.records.posts(near: centre, metres: 50).isEmpty)
                    await expect(.invalid) { try await bob.records.remove(id) }
                    try await ada.records.remove(id)
                    for await event in events where event == .removed(id) { break }
                    #expect(try await bob.records.posts(near: centre, metres: 500).isEmpty)
                }
            }
        }
    }

    @Test func aBlurredPostIsWithinItsCell() async throws {
        try await Loopback.folder { folder in
            try await withSession(Loopback.configuration("ada", in: folder)) { ada in
                let place = try #require(Place(latitude: 52.512_345_6, longitude: 13.412_345_6))
                _ = try await ada.records.post("somewhere", at: place, blurMetres: 100)
                let post = try #require(try await ada.records.posts(near: place, metres: 1_000).first)
                #expect(post.place != place)
                #expect(abs(post.place.latitude - place.latitude) < 0.001)
            }
        }
    }

    @Test func blurIsTheFinestCellThatIsLargeEnough() {
        #expect(
            [0, 1, 4, 5, 19, 20, 150, 609, 5_000_000].map { Place.blurCharacters(metres: $0) }
                == [nil, 9, 9, 8, 8, 7, 7, 6, 1])
    }

    @Test func aSessionInMemorySpeaksAndKeepsNothing() async throws {
        try await Loopback.pair { ada, bob in
            let events = try await ada.records.events
            let id = try await bob.records.say("hi")
            for await event in events {
                guard case .line(let line) = event else { continue }
                #expect(line.id == id && line.room == "#lobby")
                break
            }
            let place = try #require(Place(latitude: 0, longitude: 0))
            await expect(.storage) { try await ada.records.lines(in: "#lobby") }
            await expect(.storage) { try await ada.records.post("x", at: place) }
            await expect(.storage) { try await ada.records.posts(near: place, metres: 1) }
            await expect(.storage) { try await ada.records.remove(id) }
        }
    }

    @Test func whatCannotBeIsRefused() async throws {
        try await Loopback.folder { folder in
            try await withSession(Loopback.configuration("ada", in: folder)) { ada in
                let (records, place) = (ada.records, try #require(Place(latitude: 0, longitude: 0)))
                await expect(.invalid) { try await records.say("") }
                await expect(.tooLong) { try await records.say(String(repeating: "x", count: 4_097)) }
                await expect(.invalid) { try await records.say("x", in: "park") }
                await expect(.invalid) { try await records.lines(in: "#park", limit: 0) }
                await expect(.invalid) { try await records.lines(in: "#park", limit: 1_001) }
                await expect(.invalid) { try await records.post("", at: place) }
                await expect(.invalid) { try await records.post("x", at: place, blurMetres: -1) }
                await expect(.invalid) { try await records.post("x", at: place, lifetime: .seconds(59)) }
                await expect(.invalid) { try await records.posts(near: place, metres: 0) }
                await expect(.invalid) { try await records.posts(near: place, metres: 100_001) }
                let unknown = try #require(RecordID(String(repeating: "7", count: 64)))
                await expect(.unknown) { try await records.remove(unknown) }
                #expect(Place(latitude: 91, longitude: 0) == nil)
                #expect(Place(latitude: .nan, longitude: 0) == nil)
                #expect(RecordID("x") == nil)
            }
        }
    }
}
