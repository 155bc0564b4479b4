import CSodium
import Foundation
import LatticeCore
import LatticeWire
import Testing

@testable import LatticeCrypto

/// Encrypted files. The roots were made by another implementation.
@Suite struct FileSealerTests {
    /// The bytes of the vectors: BLAKE2b-512 of a counter.
    private static func fill(_ count: Int) -> [UInt8] {
        let use = Array("lattice vector\0\0".utf8)
        var bytes: [UInt8] = []
        for block in 0..<UInt64((count + 63) / 64) {
            let input = withUnsafeBytes(of: block.bigEndian) { Array($0) }
            var output = [UInt8](repeating: 0, count: 64)
            crypto_generichash_blake2b_salt_personal(&output, 64, input, 8, nil, 0, nil, use)
            bytes += output
        }
        return Array(bytes.prefix(count))
    }

    private static func sealer() -> FileSealer {
        FileSealer(FileKey(SecretBytes(copying: Array(0..<32)), prefix: Array(32..<48)))
    }

    /// A file and its leaves.
    private struct Sealed {
        let file: SealedFile
        let leaves: [[UInt8]]

        init(_ bytes: [UInt8], by portion: Int = .max, _ sealer: FileSealer = FileSealer()) throws {
            var all: [UInt8] = []
            var left = bytes[...]
            while !left.isEmpty {
                let more = left.prefix(portion)
                let sealed = try #require(sealer.append(more))
                #expect(sealed.count % BlobShape.leafBytes == 0)
                all += sealed
                left = left.dropFirst(more.count)
            }
            while true {
                let more = sealer.pad()
                if more.isEmpty { break }
                all += more
            }
            var builder = BlobTree.Builder()
            let isTaken = builder.append(all[...])
            #expect(isTaken)
            file = sealer.file(
                builder.finish().name, name: try #require(FileName("a.bin")), type: .unknown, preview: nil)
            leaves = stride(from: 0, to: all.count, by: BlobShape.leafBytes).map {
                Array(all[$0..<min(all.count, $0 + BlobShape.leafBytes)])
            }
        }

        func opened(_ leaf: Int, with file: SealedFile? = nil) throws -> [UInt8] {
            try FileOpener(file ?? self.file).open(leaves[leaf][...], leaf: leaf)
        }

        var all: [UInt8] { get throws { try leaves.indices.flatMap { try opened($0) } } }
    }

    @Test(arguments: [
        (0, 16, "fe591584f879af9ede9c20f1eb3497fa8a3f083e9cabe4583822f2eb5142394d"),
        (2, 18, "eae390670f51f024ac04355e67913b83bc68de2e660a60f2e4f187b60a5178c5"),
        (32_753, 32_800, "f57d0e5d6f95926e1f82a35707afabf0990ac2276df73864bf2c577aac80a92e"),
    ]) func rootsAreThoseOfTheVectors(count: Int, size: Int64, root: String) throws {
        let sealed = try Sealed(Self.fill(count), Self.sealer())
        #expect(sealed.file.blob.root.hex == root && sealed.file.blob.size == size)
        #expect(sealed.file.key.bytes == Array(0..<32) && sealed.file.prefix == Array(32..<48))
        #expect(try sealed.all == Self.fill(count))
    }

    @Test func thePageOfTheProtocolShowsTheSealedFile() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appending(path: "Sources/LatticeWire/LatticeWire.docc/LatticeWire.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let leaves = try Sealed(Self.fill(2), Self.sealer()).leaves
        #expect(text.contains(Hex.string(leaves[0])))
        for (count, root) in [(2, "eae390670f51"), (32_753, "f57d0e5d6f95")] {
            let name = try Sealed(Self.fill(count), Self.sealer()).file.blob
            #expect(name.root.hex.hasPrefix(root) && text.contains(name.root.hex))
        }
    }

    /// Both sides of each limit: of parts, and of padding.
    @Test(arguments: [
        0, 1, 2, 8, 9, 16, 17, 255, 256, 257, 4_096, 4_097, 32_640, 32_641, 32_751, 32_752, 32_753, 32_768, 32_769,
        65_503, 65_504, 65_505, 65_536, 65_537, 1_048_576, 1_048_577, 1_048_583,
    ]) func whatIsSealedOpensAndHasTheSizeOfItsShape(count: Int) throws {
        let bytes = Self.fill(count)
        for portion in [count, 1_000, 32_752, 100_000] where portion > 0 {
            let sealed = try Sealed(bytes, by: portion)
            #expect(sealed.file.plainBytes == Int64(count))
            #expect(sealed.file.shape.blobBytes == sealed.file.blob.size)
            #expect(sealed.leaves.count == sealed.file.shape.leafCount)
            #expect(try sealed.all == bytes)
        }
    }

    @Test func muchPaddingComesInSteps() throws {
        // 4 MiB of it.
        let sealer = FileSealer()
        let portion = [UInt8](repeating: 1, count: 1 << 20)
        for _ in 0..<128 { _ = try #require(sealer.append(portion[...])) }
        _ = try #require(sealer.append([1]))
        var steps: [Int] = []
        while true {
            let more = sealer.pad()
            if more.isEmpty { break }
            steps.append(more.count)
        }
        #expect(steps.count > 1 && steps.allSatisfy { $0 <= 2 << 20 })
    }

    @Test func twoSealingsOfOneFileHaveNothingInCommon() throws {
        let (one, other) = (try Sealed(Self.fill(1_000)), try Sealed(Self.fill(1_000)))
        #expect(one.file.blob.root != other.file.blob.root && one.file.blob.size == other.file.blob.size)
        #expect(one.file.key != other.file.key && one.file.prefix != other.file.prefix)
    }

    @Test func aLeafThatWasMovedCutOrChangedDoesNotOpen() throws {
        let sealed = try Sealed(Self.fill(100_000))
        let opener = FileOpener(sealed.file)
        #expect(sealed.leaves.count == 4)
        func opens(_ bytes: some Collection<UInt8>, _ leaf: Int) -> Bool {
            do throws(CryptoError) {
                _ = try opener.open(Array(bytes)[...], leaf: leaf)
                return true
            } catch {
                #expect(error == .decryptionFailed)
                return false
            }
        }
        for leaf in 0..<4 {
            for other in 0..<4 { #expect(opens(sealed.leaves[leaf], other) == (leaf == other)) }
            #expect(!opens(sealed.leaves[leaf].dropLast(), leaf))
            #expect(!opens(sealed.leaves[leaf].dropFirst(), leaf))
            #expect(!opens(sealed.leaves[leaf].prefix(16), leaf) && !opens([UInt8](), leaf))
            var changed = sealed.leaves[leaf]
            changed[changed.count / 2] ^= 1
            #expect(!opens(changed, leaf))
        }
    }

    @Test func aWrongKeyOpensNothing() throws {
        let (one, other) = (try Sealed(Self.fill(1_000)), try Sealed(Self.fill(1_000)))
        #expect(throws: CryptoError.decryptionFailed) { try one.opened(0, with: other.file) }
        let mixed = SealedFile(
            one.file.blob, key: one.file.key, prefix: other.file.prefix, plainBytes: 1_000, name: one.file.name,
            type: one.file.type)
        #expect(throws: CryptoError.decryptionFailed) { try one.opened(0, with: mixed) }
    }

    /// An author who says another size within the same padding hides bytes in it.
    @Test func paddingIsZeros() throws {
        let sealed = try Sealed(Self.fill(1_024))
        let shorter = SealedFile(
            sealed.file.blob, key: sealed.file.key, prefix: sealed.file.prefix, plainBytes: 1_000,
            name: sealed.file.name, type: sealed.file.type)
        #expect(throws: CryptoError.decryptionFailed) { try sealed.opened(0, with: shorter) }
    }

    @Test func rangesAreOpenedFromTheirLeavesAlone() throws {
        let bytes = Self.fill(200_000)
        let sealed = try Sealed(bytes)
        let opener = FileOpener(sealed.file)
        for range in [
            0..<1, 0..<200_000, 32_751..<32_753, 65_504..<98_256, 150_000..<150_000, 199_999..<200_000,
            199_990..<300_000, 250_000..<300_000,
        ] as [Range<Int64>] {
            let leaves = opener.shape.leaves(holding: range).map { sealed.leaves[$0] }
            let expected = bytes[
                Range(
                    uncheckedBounds: (
                        Int(min(range.lowerBound, 200_000)), Int(min(range.upperBound, 200_000))
                    ))]
            #expect(try opener.bytes(range, of: leaves) == Array(expected))
        }
    }

    @Test func nothingIsAddedBeyondTheLargestFile() throws {
        #expect(FileSealer().append([]) == [])
        #expect(SealedShape.plainBytesMax == 127 << 28)
    }

    /// Whoever knows the root can claim any key for it, but not the id.
    @Test func everyPartOfAFileIsInItsID() throws {
        let file = try Sealed(Self.fill(2), Self.sealer()).file
        let other = Bytes32(words: (1, 2, 3, 4))
        let others = [
            SealedFile(
                file.blob, key: other, prefix: file.prefix, plainBytes: file.plainBytes, name: file.name,
                type: file.type),
            SealedFile(
                file.blob, key: file.key, prefix: file.prefix.reversed(), plainBytes: file.plainBytes, name: file.name,
                type: file.type),
            SealedFile(
                file.blob, key: file.key, prefix: file.prefix, plainBytes: file.plainBytes, name: .unnamed,
                type: file.type),
            SealedFile(
                file.blob, key: file.key, prefix: file.prefix, plainBytes: file.plainBytes, name: file.name,
                type: file.type, preview: [1]),
        ]
        #expect(Set(others.map(\.id) + [file.id]).count == 5)
        #expect(try SealedFile(decoding: file.bytes[...]).id == file.id)
    }
}
