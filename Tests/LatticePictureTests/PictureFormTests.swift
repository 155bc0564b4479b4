import LatticeCore
import Testing

@testable import LatticePicture
@testable import LatticePictureDecoder

/// Readers of bytes in Swift: of EXIF, of JPEG without metadata, and of what parent and child say.
@Suite struct PictureFormTests {
    // MARK: - EXIF

    private func orientation(_ exif: [UInt8]) throws -> PictureOrientation {
        let jpeg = try MadePictures.jpeg(try MadePictures.quarters(8, 8))
        let photographed = MadePictures.inserting(0xE1, Array("Exif\0\0".utf8) + exif, into: jpeg)
        return PictureOrientation(of: photographed, .jpeg)
    }

    @Test func everyFormatSaysHowItsCameraWasHeld() throws {
        for orientation in PictureOrientation.allCases {
            for isBigEndian in [true, false] {
                let exif = MadePictures.exif(orientation: UInt16(orientation.rawValue), isBigEndian: isBigEndian)
                #expect(try self.orientation(exif) == orientation)
                var png = MadePNG(width: 1, height: 1)
                png.extras = [("gAMA", [0, 0, 1, 0]), ("eXIf", exif)]
                #expect(PictureOrientation(of: png.bytes, .png) == orientation)
                for content in [exif, Array("Exif\0\0".utf8) + exif] {
                    let webp = MadePictures.webp(1, 1, MadePictures.red, exif: content)
                    #expect(PictureOrientation(of: webp, .webp) == orientation)
                }
            }
        }
    }

    @Test(arguments: [0, 9, 255, 256 + 6, 65_535]) func anotherOrientationIsUpright(value: Int) throws {
        #expect(try orientation(MadePictures.exif(orientation: UInt16(value))) == .upright)
    }

    @Test func damagedEXIFIsUpright() throws {
        let exif = MadePictures.exif(orientation: 6)
        // Header, offset of the directory, its count, and the entry of the maker stand before the orientation.
        for count in 0..<(8 + 2 + 12 + 10) { #expect(try orientation(Array(exif.prefix(count))) == .upright) }
        var far = exif
        far.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try orientation(far) == .upright)
        var own = exif
        own.replaceSubrange(4..<8, with: [0, 0, 0, 0])
        #expect(try orientation(own) == .upright)
    }

    @Test func chunksOfAnyLengthEnd() {
        for length in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            let field = (0..<4).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
            let png = PictureFormat.pngMark + Array(repeating: field + Array("aaaa".utf8), count: 3_000).joined()
            #expect(PictureOrientation(of: png, .png) == .upright)
            let webp =
                Array("RIFF\0\0\0\0WEBP".utf8) + Array(repeating: Array("aaaa".utf8) + field, count: 3_000).joined()
            #expect(PictureOrientation(of: webp, .webp) == .upright)
        }
    }

    // MARK: - JPEG without metadata

    @Test func aPlainJPEGHoldsItsPictureAlone() throws {
        let jpeg = try MadePictures.jpeg(try MadePictures.quarters(30, 20))
        #expect(PlainJPEG.size(of: jpeg) == PictureSize(width: 30, height: 20))
        let exif = Array("Exif\0\0".utf8) + MadePictures.exif(orientation: 1)
        for (marker, content) in [
            (0xE1, exif), (0xE2, Array("ICC_PROFILE\0".utf8)), (0xFE, [65]), (0xE0, [65]), (0xC2, []),
        ] {
            #expect(PlainJPEG.size(of: MadePictures.inserting(UInt8(marker), content, into: jpeg)) == nil, "\(marker)")
        }
        let jfif = Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1]
        #expect(PlainJPEG.size(of: MadePictures.inserting(0xE0, jfif + [0, 0], into: jpeg)) != nil)
        #expect(PlainJPEG.size(of: MadePictures.inserting(0xE0, jfif + [1, 1, 9, 9, 9], into: jpeg)) == nil)
        #expect(PlainJPEG.size(of: jpeg + [0]) == nil)
        #expect(PlainJPEG.size(of: jpeg + jpeg) == nil)
        for count in jpeg.indices { #expect(PlainJPEG.size(of: Array(jpeg.prefix(count))) == nil) }
        #expect(PlainJPEG.size(of: ForeignPictures.progressiveJPEG) == nil)
    }

    @Test func aCommentBetweenThePixelsIsSeen() throws {
        let jpeg = try MadePictures.jpeg(try MadePictures.quarters(30, 20))
        let behind = jpeg.dropLast(2) + [0xFF, 0xFE, 0, 4, 65, 65] + jpeg.suffix(2)
        #expect(PlainJPEG.size(of: Array(behind)) == nil)
    }

    // MARK: - Parent and child

    @Test func aRequestIsReadAsItWasWritten() throws {
        let box = try #require(PictureSize(width: 16_384, height: 1))
        for work in [.render, .pixels(within: box), .pixels(within: PictureSize(side: 1))] as [PictureRequest.Work] {
            for count in [0, 1, 70_000, 64 << 20] {
                let request = PictureRequest(work, pictureBytes: count)
                #expect(request.head.count == PictureRequest.headBytes)
                #expect(PictureRequest(head: request.head) == request)
            }
        }
        #expect(PictureRequest(head: [0, 0, 0, 0, 0, 4, 0, 0, 1]) == nil)
        #expect(PictureRequest(head: [1, 0, 0, 0, 1, 0, 0, 0, 1]) == nil)
        #expect(PictureRequest(head: [2, 0, 1, 0, 1, 0, 0, 0, 1]) == nil)
        #expect(PictureRequest(head: []) == nil)
    }

    @Test func anAnswerIsReadAsItWasWritten() throws {
        let picture = MadePNG.of(try MadePictures.quarters(600, 300)).bytes
        let render = PictureRequest(.render, pictureBytes: picture.count)
        let draw = PictureRequest(.pixels(within: PictureSize(side: 60)), pictureBytes: picture.count)
        for request in [render, draw] {
            let answer = PictureChild.answer(to: request, picture)
            #expect(PictureAnswer(answer.bytes, to: request) == answer)
            // Neither is an answer to the other.
            #expect(PictureAnswer(answer.bytes, to: request == draw ? render : draw) == nil)
            #expect(PictureAnswer(answer.bytes + [0], to: request) == nil)
            for count in 0..<60 { #expect(PictureAnswer(Array(answer.bytes.prefix(count)), to: request) == nil) }
        }
        for fault in [.notAPicture, .damaged, .tooManyPixels, .tooLarge(bytesMax: 64 << 20), .tooSlow] as [PictureFault]
        {
            #expect(PictureAnswer(PictureAnswer.fault(fault).bytes, to: render) == .fault(fault))
        }
        let failed = PictureAnswer(PictureAnswer.fault(.failed("secret")).bytes, to: render)
        #expect(failed == .fault(.failed("a child could not make a photo")))
    }

    /// A picture that took the child over may say anything.
    @Test func aChildCannotHandOnMetadataOrAnotherSize() throws {
        let small = try MadePictures.jpeg(try MadePictures.quarters(86, 86))
        let request = PictureRequest(.render, pictureBytes: 0)
        func said(_ photo: [UInt8], _ thumbnail: [UInt8]) -> PictureAnswer? {
            let length = (0..<4).reversed().map { UInt8(truncatingIfNeeded: photo.count >> ($0 * 8)) }
            return PictureAnswer([0] + length + photo + thumbnail, to: request)
        }
        #expect(said(small, small) != nil)
        let photographed = try MadePictures.photographed(try MadePictures.quarters(86, 86), orientation: 1)
        #expect(said(photographed, small) == nil)
        #expect(said(small, photographed) == nil)
        #expect(said(small, try MadePictures.jpeg(try MadePictures.quarters(87, 86))) == nil)
        #expect(said(try MadePictures.jpeg(try MadePictures.quarters(561, 10)), small) == nil)
        #expect(said(small, try MadePictures.jpeg(try MadePictures.noise(86, 86), quality: 100)) == nil)
        let drawing = PictureRequest(.pixels(within: PictureSize(side: 2)), pictureBytes: 0)
        #expect(PictureAnswer([1, 0, 2, 0, 1, 1, 2, 3, 4, 5, 6], to: drawing) != nil)
        #expect(PictureAnswer([1, 0, 3, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9], to: drawing) == nil)
        #expect(PictureAnswer([1, 0, 2, 0, 1, 1, 2, 3], to: drawing) == nil)
        #expect(PictureAnswer([1, 0, 0, 0, 1], to: drawing) == nil)
    }
}
