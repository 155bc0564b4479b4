import LatticeCore
import LatticeSession
import Testing

struct MessageSplitterTests {
    private func prefixed(_ message: [UInt8]) -> [UInt8] {
        [UInt8(message.count >> 8), UInt8(message.count & 255)] + message
    }

    private func messages(_ splitter: inout MessageSplitter) throws -> [[UInt8]] {
        var messages: [[UInt8]] = []
        while let message = try splitter.next() { messages.append(Array(message)) }
        return messages
    }

    @Test func everyChunkingGivesTheSameMessages() throws {
        let expected: [[UInt8]] = [[1], Array(0..<100), [7, 7], [UInt8](repeating: 9, count: 300), [0]]
        let stream = expected.flatMap(prefixed)
        for size in 1...stream.count {
            var splitter = MessageSplitter()
            var found: [[UInt8]] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                splitter.append(stream[start..<min(start + size, stream.count)])
                found += try messages(&splitter)
            }
            #expect(found == expected, "chunks of \(size)")
            #expect(splitter.pendingBytes == 0)
        }
    }

    @Test func everyCutInTwoGivesTheSameMessages() throws {
        let expected: [[UInt8]] = [[1, 2, 3], [4], Array(5...60)]
        let stream = expected.flatMap(prefixed)
        for cut in 0...stream.count {
            var splitter = MessageSplitter()
            splitter.append(stream[..<cut])
            var found = try messages(&splitter)
            splitter.append(stream[cut...])
            found += try messages(&splitter)
            #expect(found == expected)
        }
    }

    @Test func anyCollectionOfBytesCanBeAppended() throws {
        var splitter = MessageSplitter()
        splitter.append(repeatElement(UInt8(0), count: 1))
        splitter.append(CollectionOfOne(2))
        splitter.append("hi".utf8)
        #expect(try messages(&splitter) == [Array("hi".utf8)])
    }

    @Test func theLongestMessageIsCutOff() throws {
        var splitter = MessageSplitter()
        let longest = [UInt8](repeating: 5, count: 65_535)
        splitter.append(prefixed(longest) + prefixed([1]))
        #expect(try messages(&splitter) == [longest, [1]])
    }

    @Test func aLengthOfZeroIsRefusedForGood() throws {
        var splitter = MessageSplitter()
        splitter.append([0, 1, 42, 0, 0, 0, 1, 43])
        #expect(try splitter.next().map { Array($0) } == [42])
        #expect(throws: SessionError.emptyMessage) { try splitter.next() }
        splitter.append([0, 1, 44])
        #expect(throws: SessionError.emptyMessage) { try splitter.next() }
        #expect(splitter.pendingBytes == 0)
    }

    @Test func aLongMessageIsRefusedAtItsPrefixWhenALimitIsSet() throws {
        var splitter = MessageSplitter(messageBytesMax: 2_048)
        splitter.append(prefixed([UInt8](repeating: 1, count: 2_048)))
        #expect(try messages(&splitter).map(\.count) == [2_048])
        splitter.append([8, 1])
        #expect(throws: SessionError.tooLong(bytes: 2_049, bytesMax: 2_048)) { try splitter.next() }
    }

    @Test func theLimitCanBeRaisedWhenTheHandshakeIsOver() throws {
        var splitter = MessageSplitter(messageBytesMax: 10)
        splitter.append(prefixed([1]) + prefixed([UInt8](repeating: 2, count: 11)))
        #expect(try splitter.next()?.count == 1)
        splitter.messageBytesMax = MessageSplitter.messageBytesMax
        #expect(try splitter.next()?.count == 11)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func randomChunksGiveTheSameMessages(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let expected = (0..<30).map { _ in
            (0..<Int.random(in: 1...2_000, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
        }
        var rest = expected.flatMap(prefixed)[...]
        var splitter = MessageSplitter()
        var found: [[UInt8]] = []
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 0...4_000, using: &dice))
            splitter.append(rest.prefix(count))
            rest = rest.dropFirst(count)
            found += try messages(&splitter)
            #expect(splitter.pendingBytes < 2_002)
        }
        #expect(found == expected)
    }
}
