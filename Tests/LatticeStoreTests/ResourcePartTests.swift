import Foundation
import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

@Suite struct ResourcePartTests {
    private static let blob = BlobName(root: Bytes32(words: (1, 2, 3, 4)), size: 10)
    private static let part = "a.0000000000000001.part"

    private struct Place {
        let folder: URL

        func path(_ name: String) -> String { folder.appending(path: name).path }
        var names: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
        }
        func open(_ name: String = "a", mayReplace: Bool = false) throws -> ResourcePart {
            try ResourcePart.open(path(name), mayReplace: mayReplace, for: try #require(ResourcePartTests.blob))
        }
        func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
    }

    private func trial(_ body: (Place) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do {
                try FileManager.default.removeItem(at: folder)
            } catch {
                Issue.record(error)
            }
        }
        try body(Place(folder: folder))
    }

    @Test func whatIsCompleteGetsItsName() throws {
        try trial { place in
            let part = try place.open()
            try part.write([1, 2, 3], at: 0)
            #expect(try place.names == [Self.part])
            try part.publish()
            #expect(try place.names == ["a"])
        }
    }

    @Test func whatIsEmptyIsRemovedAndTheRestStays() throws {
        try trial { place in
            _ = try place.open()
            #expect(try place.names.isEmpty)
            try place.open().write([1], at: 0)
            #expect(try place.names == [Self.part])
            let size = try place.open().size
            #expect(size == 1)
        }
    }

    @Test func oneTransferWritesAtATime() throws {
        try trial { place in
            let part = try place.open()
            #expect(throws: ResourceFault.inUse(path: place.path(Self.part))) { try place.open() }
            // The name of the first one was left alone.
            #expect(try place.names == [Self.part])
            try part.write([1], at: 0)
            try part.publish()
            #expect(try place.names == ["a"])
        }
    }

    @Test func whatComesMeanwhileIsNotReplaced() throws {
        try trial { place in
            let part = try place.open()
            try part.write([1], at: 0)
            try place.write("theirs", "a")
            #expect(throws: ResourceFault.exists(path: place.path("a"))) { try part.publish() }
            #expect(try place.text("a") == "theirs")
            #expect(try place.names == ["a", Self.part])
            #expect(throws: ResourceFault.exists(path: place.path("a"))) { try place.open() }
        }
    }

    @Test func whatMayBeReplacedIs() throws {
        try trial { place in
            try place.write("old", "a")
            let part = try place.open(mayReplace: true)
            try part.write(Array("new".utf8)[...], at: 0)
            try part.publish()
            #expect(try place.text("a") == "new")
            #expect(try place.names == ["a"])
        }
    }

    @Test func aFolderIsNotReplaced() throws {
        try trial { place in
            try FileManager.default.createDirectory(atPath: place.path("a"), withIntermediateDirectories: false)
            #expect(throws: ResourceFault.notAFile(path: place.path("a"))) { try place.open(mayReplace: true) }
            #expect(throws: ResourceFault.exists(path: place.path("a"))) { try place.open() }
            #expect(try place.names == ["a"])
        }
    }

    @Test func aPipeInThePlaceOfThePartStays() throws {
        try trial { place in
            #expect(mkfifo(place.path(Self.part), 0o600) == 0)
            #expect(throws: ResourceFault.notAFile(path: place.path(Self.part))) { try place.open() }
            let names = try place.names
            #expect(names == [Self.part])
        }
    }

    @Test func aLinkInThePlaceOfThePartIsNotFollowed() throws {
        try trial { place in
            try place.write("theirs", "b")
            #expect(symlink(place.path("b"), place.path(Self.part)) == 0)
            #expect(throws: ResourceFault.self) { _ = try place.open() }
            #expect(try place.text("b") == "theirs")
        }
    }

    @Test func aFileOfTwoNamesIsNotWritten() throws {
        try trial { place in
            try place.write("theirs", "b")
            #expect(link(place.path("b"), place.path(Self.part)) == 0)
            let part = try place.open()
            let size = try part.size
            #expect(size == 0)
            try part.write([1], at: 0)
            #expect(try place.text("b") == "theirs")
        }
    }

    @Test func aPartThatIsNotThereAnyMoreTakesNobodysPlace() throws {
        try trial { place in
            let part = try place.open(mayReplace: true)
            try part.write([1], at: 0)
            #expect(unlink(place.path(Self.part)) == 0)
            try place.write("theirs", Self.part)
            #expect(throws: ResourceFault.changed(path: place.path(Self.part))) { try part.publish() }
            #expect(try place.names == [Self.part])
        }
    }

    @Test func aLongNameHasAPartToo() throws {
        try trial { place in
            let name = String(repeating: "é", count: 127) + "a"
            let part = try place.open(name)
            try part.write([1], at: 0)
            #expect(try #require(try place.names.first).utf8.count <= 255)
            try part.publish()
            #expect(try place.names == [name])
        }
    }
}
