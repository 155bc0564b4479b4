import LatticeCore
import Testing

@testable import LatticePicture
@testable import LatticePictureDecoder

/// Whatever the bytes, there is a photo or a fault.
@Suite struct DamageTests {
    private static func samples() throws -> [(name: String, bytes: [UInt8])] {
        let quarters = try MadePictures.quarters(24, 18)
        var interlaced = MadePNG.of(quarters)
        interlaced.isInterlaced = true
        let exif = MadePictures.exif(orientation: 6)
        return [
            ("JPEG", try MadePictures.photographed(quarters, orientation: 6)),
            ("progressive JPEG", ForeignPictures.progressiveJPEG),
            ("inks", ForeignPictures.inkJPEG),
            ("PNG", MadePNG.of(quarters).bytes),
            ("interlaced PNG", interlaced.bytes),
            ("WebP", MadePictures.webp(20, 20, MadePictures.red, exif: exif)),
            ("lossy WebP", ForeignPictures.lossyWebP),
            ("transparent WebP", ForeignPictures.alphaWebP),
            ("film", ForeignPictures.film),
        ]
    }

    /// A photo that was made of any bytes is one.
    private func expectPhotoOrFault(_ bytes: [UInt8], _ name: String) {
        do throws(PictureFault) {
            let rendered = try PictureRenderer.render(bytes)
            #expect(PlainJPEG.size(of: rendered.photo.jpeg) == rendered.photo.size, "\(name)")
            #expect(rendered.thumbnail.jpeg.count <= 8_192, "\(name)")
        } catch {
            if case .failed(let reason) = error { Issue.record("\(name): \(reason)") }
        }
    }

    @Test func aPictureThatIsCutOffIsDamaged() throws {
        for (name, bytes) in try Self.samples() where name != "film" && name != "progressive JPEG" {
            // The last bytes of these formats say that it is the end, or where it was made.
            let least = name.contains("WebP") ? 40 : bytes.count - 40
            for count in 0..<least {
                #expect(throws: PictureFault.self, "\(name), \(count) of \(bytes.count) bytes") {
                    try PictureRenderer.render(Array(bytes.prefix(count)))
                }
            }
        }
    }

    @Test func bytesThatAreCutOffAnywhereGiveAPhotoOrAFault() throws {
        for (name, bytes) in try Self.samples() {
            for count in bytes.indices { expectPhotoOrFault(Array(bytes.prefix(count)), "\(name), \(count) bytes") }
        }
    }

    @Test func flippedBitsGiveAPhotoOrAFault() throws {
        var dice = SeededGenerator(seed: 7)
        for (name, bytes) in try Self.samples() {
            for round in 0..<400 {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...4, using: &dice) {
                    let place = Int.random(in: changed.indices, using: &dice)
                    changed[place] ^= 1 << UInt8.random(in: 0...7, using: &dice)
                }
                expectPhotoOrFault(changed, "\(name), round \(round)")
            }
        }
    }

    /// Encoders make about ten scans; each is work for all of a picture.
    @Test func aJPEGOfThousandsOfScansTakesTooLong() throws {
        let bytes = ForeignPictures.progressiveJPEG
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, JPEGMarker.scan]) })
        // The tables of the next scan follow.
        let end = try #require(
            bytes.indices.first { $0 > start && bytes[$0...].starts(with: [0xFF, JPEGMarker.huffman]) })
        let scan = bytes[start..<end]
        let many = bytes.prefix(end) + Array(repeating: scan, count: 5_000).joined() + bytes[end...]
        #expect(throws: PictureFault.tooSlow) { try PictureRenderer.render(Array(many)) }
        let few = bytes.prefix(end) + Array(repeating: scan, count: 20).joined() + bytes[end...]
        #expect(throws: Never.self) { try PictureRenderer.render(Array(few)) }
    }

    @Test func thousandsOfSegmentsBeforeAPictureAreReadOver() throws {
        let jpeg = try MadePictures.jpeg(try MadePictures.quarters(8, 8))
        let exif = [0xFF, 0xE1, 0, 8] + Array("Exif\0\0".utf8)
        let many = jpeg.prefix(2) + Array(repeating: exif, count: 5_000).joined() + jpeg.dropFirst(2)
        #expect(try PictureRenderer.render(Array(many)).photo.size == PictureSize(side: 8))
    }
}
