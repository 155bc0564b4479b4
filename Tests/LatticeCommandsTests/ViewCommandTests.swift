import Foundation
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticePicture
import Synchronization
import Testing

@testable import LatticeCommands

/// `view`: what a person can name, what the node is asked, and what is drawn.
@Suite(.timeLimit(.minutes(10))) struct ViewCommandTests {
    private static let item: ItemInfo = {
        var item = CommandNode.item
        item.photo = PhotoInfo(width: 560, height: 420, size: 48_000, alt: "a broken\nbridge\u{1B}[2J", state: .here)
        return item
    }()

    private static let itemLine = "photo of post a1b2c3 by bob, 560×420, 48 kB: a broken bridge[2J"

    private static func fileID(_ byte: UInt8) -> RecordID {
        guard let bytes = Bytes32([UInt8](repeating: byte, count: 32)) else {
            preconditionFailure("32 bytes are 32 bytes")
        }
        return RecordID(bytes)
    }

    private static func file(
        _ name: String = "lake.jpg", type: String = "image/jpeg", size: Int64 = 300_000, _ state: FileInfo.State = .here
    ) -> FileInfo {
        FileInfo(
            id: fileID(0xAB), name: name, type: type, size: size, by: RoomEvent.Person(PeerID(.zero), nil),
            at: CommandNode.item.at, room: nil, state: state, here: state == .here ? size : 0)
    }

    private static let person: PersonInfo = {
        var bob = PersonInfo(id: PeerID(.zero), name: "bob")
        bob.photo = PhotoInfo(width: 100, height: 100, size: 2_000, state: .shared)
        return bob
    }()

    /// Has a post with a photo, bob with one, and what the closure adds.
    private static func node(
        _ more: @escaping @Sendable (any Request) throws(RequestError) -> (any Sendable)? = {
            _ throws(RequestError) in nil
        }
    ) -> CommandNode {
        CommandNode { request throws(RequestError) in
            if let reply = try more(request) { return reply }
            switch request {
            case let request as ShowItem where ["a1b2c3", item.id.hex].contains(request.item.text):
                return ItemDetail(item: item)
            case is ShowItem: throw .unknownItem(id: "x")
            case is NearQuery: return ItemPage(items: [item])
            case let request as ShowProfile where request.peer?.text != "bob": throw .unknownPeer(text: "x")
            case is ShowProfile: return person
            case is ReadPhoto, is ReadPersonPhoto: return PhotoBytes([1, 2, 3])
            case is ShowFile: throw .unknownItem(id: "x")
            case let request as ReadFile: return ReadFile.Reply([UInt8](repeating: 9, count: request.length))
            default: return try CommandNode.obliging(request)
            }
        }
    }

    /// A file, and nothing else than it.
    private static func node(with file: FileInfo) -> CommandNode {
        node { request throws(RequestError) in
            guard let request = request as? ShowFile else { return nil }
            guard [file.name, file.id.hex].contains(request.file) else { throw .unknownItem(id: "x") }
            return file
        }
    }

    @Sendable private static func grey(_: [UInt8], _: PictureSize) async throws(PictureFault) -> Pixels {
        guard let size = PictureSize(width: 40, height: 20),
            let pixels = Pixels(size: size, rgb: [UInt8](repeating: 128, count: 2_400))
        else { throw .damaged }
        return pixels
    }

    private func view(
        _ rest: String, on node: CommandNode = node(), draws: Bool = false,
        decode: @escaping @Sendable ([UInt8], PictureSize) async throws(PictureFault) -> Pixels = grey
    ) async -> CommandOutput {
        await ViewCommand.$decoding.withValue(.init(work: decode)) {
            await SlashCommands(drawsPictures: draws).run("view", rest, on: node)
        }
    }

    // MARK: - What is drawn

    @Test func withoutATerminalThereIsOnlyTheDescription() async {
        let node = Self.node()
        let output = await view("a1b2c3", on: node)
        #expect(output.picture.isEmpty && output.lines == [Self.itemLine])
        #expect(output.remarks == ["no pictures are drawn here; --ascii draws this one in plain characters"])
        #expect(await node.requests == [AnyHashable(ShowItem(ItemReference("a1b2c3")))], "nothing is fetched")
        #expect(
            output.json == [
                "{\"event\":\"picture\",\"kind\":\"post\",\"id\":\"\(Self.item.id.hex)\",\"name\":null,"
                    + "\"by\":\"\(PeerID(.zero).hex)\",\"by_name\":\"bob\",\"width\":560,\"height\":420,\"size\":48000,"
                    + "\"alt\":\"a broken\\nbridge\\u001b[2J\",\"here\":true}"
            ])
    }

    @Test func aTerminalGetsThePictureAndTheDescription() async {
        let node = Self.node()
        let output = await view("a1b2c3", on: node, draws: true)
        #expect(output.picture.count == 10 && output.lines == [Self.itemLine] && output.remarks.isEmpty)
        let id = ItemReference(Self.item.id.hex)
        #expect(await node.requests.last == AnyHashable(ReadPhoto(id)))
    }

    @Test func formsThatAreAskedForAreDrawnAnywhere() async {
        let ascii = await view("a1b2c3 --ascii")
        #expect(ascii.picture.count == 10)
        #expect(ascii.picture.joined().utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        #expect(await view("a1b2c3 --format sixel").picture.first?.hasPrefix("\u{1B}P") == true)
        #expect(await view("a1b2c3 --format kitty").picture.first?.hasPrefix("\u{1B}_G") == true)
        let both = await view("a1b2c3 --format sixel --ascii")
        #expect(both.failure?.code == "usage")
        #expect(await view("a1b2c3 --format png").failure?.code == "usage")
    }

    @Test func thePixelsAreNoMoreThanTheWindowNeeds() async {
        let asked = Mutex<PictureSize?>(nil)
        _ = await view("a1b2c3 --ascii") { bytes, box throws(PictureFault) in
            asked.withLock { $0 = box }
            return try await Self.grey(bytes, box)
        }
        #expect(asked.withLock { $0 } == PictureSize(width: 632, height: 336), "79 × 21 cells of 8 × 16")
    }

    @Test func aPictureThatCannotBeDecodedIsAnError() async {
        let output = await view("a1b2c3 --ascii") { _, _ throws(PictureFault) in throw .tooManyPixels }
        #expect(output.failure?.code == "badPicture" && output.picture.isEmpty)
    }

    // MARK: - What is meant

    @Test func aPersonAndAFileAreNamedAsTheyAre() async {
        let bob = Self.node()
        #expect(await view("bob --ascii", on: bob).lines == ["photo of bob, 100×100, 2 kB, without a description"])
        #expect(await bob.requests.last == AnyHashable(ReadPersonPhoto(PeerReference(PeerID(.zero).hex))))
        let node = Self.node(with: Self.file())
        let output = await view("lake.jpg --ascii", on: node)
        #expect(output.lines == ["lake.jpg by #\(PeerID(.zero).short), 300 kB"] && output.picture.count == 10)
        let id = Self.fileID(0xAB).hex
        #expect(
            await node.requests.suffix(2) == [
                AnyHashable(ReadFile(id, from: 0, length: 262_144)),
                AnyHashable(ReadFile(id, from: 262_144, length: 37_856)),
            ])
    }

    @Test func whatHasNoPictureSaysSo() async {
        let none = Self.node { request throws(RequestError) in
            if request is ShowItem { return ItemDetail(item: CommandNode.item) }
            return request is ShowProfile ? PersonInfo(id: PeerID(.zero), name: "bob") : nil
        }
        #expect(await view("a1b2c3", on: none).failure?.message == "post a1b2c3 has no photo")
        #expect(await view("bob", on: none).failure?.message == "bob has no photo")
        let plan = Self.node(with: Self.file("plan.pdf", type: "application/pdf"))
        #expect(
            await view("plan.pdf", on: plan).failure?.message
                == "plan.pdf (300.0 kB) is not a JPEG, PNG or WebP; '/file get ababab' saves it")
        let unknown = await view("zed", on: Self.node()).failure
        #expect(unknown?.message.hasPrefix("there is no post, file or person called 'zed'") == true)
        let alone = Self.node { request throws(RequestError) in
            if request is ShowFile { throw .stopped(why: .noNode) }
            return nil
        }
        #expect(await view("lake.jpg", on: alone).failure?.message.contains("files are known only while") == true)
        #expect(await view("bob", on: alone).failure == nil)
        let far = Self.node { request throws(RequestError) in
            guard request is ShowItem else { return nil }
            var item = Self.item
            (item.state, item.photo) = (.tooFar, nil)
            return ItemDetail(item: item)
        }
        #expect(await view("a1b2c3", on: far).failure?.message.contains("too far away") == true)
    }

    @Test func aNumberIsOfALineOrOfTheLastList() async {
        let (file, slash) = (Self.file(), SlashCommands())
        let node = Self.node(with: file)
        let line = "--file \(file.id.hex)"
        let nothing = await slash.run("view", "1", on: node)
        #expect(nothing.failure?.message.hasPrefix("no line here has a file and the number 1, and no list") == true)
        #expect(await slash.run("view", "1 \(line)", on: node).lines.first?.hasPrefix("lake.jpg") == true)
        _ = await slash.run("near", "", on: node)
        #expect(await slash.run("view", "1", on: node).lines == [Self.itemLine])
        #expect(await slash.run("view", "2 \(line)", on: node).lines.first?.hasPrefix("lake.jpg") == true)
        let both = await slash.run("view", "1 \(line)", on: node).failure
        #expect(both?.code == "ambiguousItem")
        #expect(both?.message.contains("'/view ababab' shows lake.jpg") == true)
        #expect(both?.message.contains("'/view 000000'") == true)
        let plan = Self.file("plan.pdf", type: "application/pdf")
        let other = Self.node(with: plan)
        _ = await slash.run("near", "", on: other)
        #expect(await slash.run("view", "1 \(line)", on: other).lines == [Self.itemLine], "no picture, no doubt")
        #expect(await slash.run("view", "2 \(line)", on: other).failure?.code == "noPicture")
    }

    // MARK: - Fetching

    /// Comes in three steps, or never.
    private final class Coming: Sendable {
        private let looks = Mutex(0)
        let states: [FileInfo.State]

        init(_ states: [FileInfo.State]) { self.states = states }

        var next: FileInfo {
            let look = looks.withLock { look in
                defer { look += 1 }
                return look
            }
            return file("lake.jpg", states[min(look, states.count - 1)])
        }
    }

    private func fetch(_ states: [FileInfo.State]) async -> (CommandOutput, [AnyHashable], [String?]) {
        let coming = Coming(states)
        let node = Self.node { request throws(RequestError) in
            request is ShowFile || request is GetFile || request is CancelFile ? coming.next : nil
        }
        let said = Mutex<[String?]>([])
        let output = await PictureFetch.$interval.withValue(.milliseconds(1)) {
            await ViewCommand.$decoding.withValue(.init(work: Self.grey)) {
                await SlashCommands().run("view", "lake.jpg --ascii", on: node) { text in
                    said.withLock { $0.append(text) }
                }
            }
        }
        return (output, await node.requests, said.withLock { $0 })
    }

    @Test func aFileThatIsNotHereIsFetched() async {
        let (output, asked, said) = await fetch([.shared, .coming, .waiting, .coming, .here])
        #expect(output.picture.count == 10)
        #expect(asked.contains(AnyHashable(GetFile(Self.fileID(0xAB).hex, into: nil))))
        #expect(!asked.contains { $0.base is CancelFile })
        #expect(said.first == "fetching…" && said.last == .some(nil))
        #expect(said.contains("fetching: waiting: nobody has it now"))
    }

    @Test func whatNobodyHasIsGivenUp() async {
        let (output, asked, said) = await fetch([.shared, .waiting])
        #expect(output.failure?.code == "notHere" && said.last == .some(nil))
        #expect(output.failure?.message == "nobody who is connected has lake.jpg now; try again later")
        #expect(asked.last == AnyHashable(CancelFile(Self.fileID(0xAB).hex)))
    }

    @Test func whatSomebodyElseFetchesGoesOnWithoutUs() async {
        let (output, asked, _) = await fetch([.waiting])
        #expect(output.failure?.code == "notHere")
        #expect(!asked.contains { $0.base is CancelFile })
    }

    @Test func aPictureThatIsGivenUpIsNoLongerFetched() async {
        let node = Self.node { request throws(RequestError) in
            switch request {
            case is ShowFile, is CancelFile: Self.file("lake.jpg", .shared)
            case is GetFile: Self.file("lake.jpg", .coming)
            default: nil
            }
        }
        let output = await withTaskGroup(of: CommandOutput.self) { group in
            group.addTask { await SlashCommands().run("view", "lake.jpg --ascii", on: node) }
            group.cancelAll()
            return await group.next()
        }
        #expect(output?.failure?.code == "cancelled")
        #expect(await node.requests.last == AnyHashable(CancelFile(Self.fileID(0xAB).hex)))
    }

    @Test func aPictureThatIsGivenUpIsNoLongerDecoded() async {
        let output = await withTaskGroup(of: CommandOutput.self) { group in
            group.addTask {
                await view("a1b2c3 --ascii") { _, _ throws(PictureFault) in throw .failed("it was ended") }
            }
            group.cancelAll()
            return await group.next()
        }
        #expect(output?.failure?.code == "cancelled")
    }

    @Test func aFileThatIsTooLargeIsNotFetched() async {
        let node = Self.node(with: Self.file(size: 1 << 27, .shared))
        #expect(await view("lake.jpg --ascii", on: node).failure?.code == "badPicture")
        #expect(await node.requests.count == 1)
    }
}
