import LatticeCore
import Testing

@testable import LatticePicture
@testable import LatticePictureDecoder

@Suite struct RenderingTests {
    private func size(_ width: Int, _ height: Int) throws -> PictureSize {
        try #require(PictureSize(width: width, height: height))
    }

    private let thumbnailSize = PictureSize(side: 86)

    /// The pixels of a JPEG of ours.
    private func seen(_ rendition: Rendition) throws -> Pixels {
        try PictureRenderer.pixels(rendition.jpeg, within: rendition.size)
    }

    // MARK: - Sizes

    @Test(arguments: [
        (1_000, 500, 560, 280), (500, 1_000, 280, 560), (560, 560, 560, 560), (561, 561, 560, 560), (600, 10, 560, 9),
        (559, 3, 559, 3), (1, 1, 1, 1), (2_500, 1, 560, 1), (87, 1_121, 43, 560),
    ])
    func theLongerSideIsAtMost560(width: Int, height: Int, toWidth: Int, toHeight: Int) throws {
        let picture = try MadePictures.quarters(width, height)
        for bytes in [try MadePictures.jpeg(picture), MadePNG.of(picture).bytes] {
            let rendered = try PictureRenderer.render(bytes)
            #expect(rendered.photo.size == (try size(toWidth, toHeight)))
            #expect(rendered.thumbnail.size == thumbnailSize)
            #expect(PlainJPEG.size(of: rendered.photo.jpeg) == rendered.photo.size)
            #expect(PlainJPEG.size(of: rendered.thumbnail.jpeg) == thumbnailSize)
        }
    }

    @Test func aSmallPictureIsNotEnlarged() throws {
        let picture = try MadePictures.quarters(64, 48)
        let rendered = try PictureRenderer.render(MadePNG.of(picture).bytes)
        #expect(rendered.photo.size == picture.size)
        // Nor does the way through the scaler change it.
        let same = try PictureRenderer.pixels(MadePNG.of(picture).bytes, within: try size(2_000, 2_000))
        #expect(same == picture)
    }

    @Test func pixelsFitIntoTheirBox() throws {
        let bytes = MadePNG.of(try MadePictures.quarters(300, 200)).bytes
        for (box, expected) in [
            ((80, 24), (36, 24)), ((30, 500), (30, 20)), ((1, 1), (1, 1)), ((300, 200), (300, 200)),
        ] {
            let pixels = try PictureRenderer.pixels(bytes, within: try size(box.0, box.1))
            #expect(pixels.size == (try size(expected.0, expected.1)))
        }
    }

    @Test func aDrawingHasAtMost2048PixelsASide() throws {
        let bytes = MadePictures.webp(3_000, 50, MadePictures.red)
        let pixels = try PictureRenderer.pixels(bytes, within: try size(16_384, 16_384))
        #expect(pixels.size == (try size(2_048, 34)))
    }

    // MARK: - Thumbnails

    @Test(arguments: [(900, 300), (300, 900), (30, 10), (10, 30)])
    func aThumbnailKeepsTheCentre(width: Int, height: Int) throws {
        let side = min(width, height)
        let picture = try MadePictures.pixels(width, height) { x, y in
            let isCentre = abs(2 * x - width + 1) < side && abs(2 * y - height + 1) < side
            return isCentre ? MadePictures.green : MadePictures.red
        }
        let thumbnail = try seen(try PictureRenderer.render(MadePNG.of(picture).bytes).thumbnail)
        for (x, y) in [(0, 0), (85, 0), (0, 85), (85, 85), (43, 43)] {
            expectColour(of: thumbnail, x, y, MadePictures.green, "\(x), \(y)")
        }
    }

    @Test func aThumbnailOfNoiseHasAtMost8KiB() throws {
        // The harshest: every channel is all or nothing.
        var dice = SeededGenerator(seed: 3)
        let harsh = try MadePictures.pixels(86, 86) { _, _ in
            let word = dice.next()
            return (word & 1 == 0 ? 0 : 255, word & 2 == 0 ? 0 : 255, word & 4 == 0 ? 0 : 255)
        }
        for noise in [harsh, try MadePictures.noise(86, 86)] {
            let thumbnail = try PictureRenderer.render(MadePNG.of(noise).bytes).thumbnail
            #expect((4_000...8_192).contains(thumbnail.jpeg.count))
        }
    }

    @Test func aThumbnailHasTheBestQualityThatFits() throws {
        let noise = try MadePictures.noise(86, 86)
        let sizes = try [80, 60, 30, 10].map { quality in
            try #require(try PictureRenderer.encoded(noise, quality: quality, bytesMax: 1 << 20)).jpeg.count
        }
        for (size, better) in zip(sizes.dropFirst(), sizes) {
            #expect(size < better)
            #expect(try PictureRenderer.thumbnail(noise, bytesMax: size).jpeg.count == size)
        }
        let least = try #require(sizes.last)
        #expect(throws: PictureFault.self) { try PictureRenderer.thumbnail(noise, bytesMax: least - 1) }
    }

    @Test func aPhotoOfNoiseFits() throws {
        let rendered = try PictureRenderer.render(MadePNG.of(try MadePictures.noise(560, 560)).bytes)
        #expect(rendered.photo.size == PictureSize(side: 560))
    }

    // MARK: - Metadata

    @Test func whereACameraWasIsGone() throws {
        let picture = try MadePictures.photographed(try MadePictures.quarters(640, 480), orientation: 1)
        #expect(picture.contains(MadePictures.placeMark))
        let rendered = try PictureRenderer.render(picture)
        for rendition in [rendered.photo, rendered.thumbnail] {
            #expect(!rendition.jpeg.contains(MadePictures.placeMark))
            #expect(!rendition.jpeg.contains(Array("Exif".utf8)))
            #expect(PlainJPEG.size(of: rendition.jpeg) == rendition.size)
        }
    }

    @Test func textInOtherFormatsIsGoneToo() throws {
        let secret = Array("Comment\0a secret".utf8)
        var png = MadePNG.of(try MadePictures.quarters(20, 20))
        png.extras = [("tEXt", secret), ("eXIf", MadePictures.exif(orientation: 1))]
        let webp = MadePictures.webp(20, 20, MadePictures.red, exif: MadePictures.exif(orientation: 1))
        for bytes in [png.bytes, webp, MadePictures.inserting(0xFE, secret, into: try MadePictures.jpeg(.init(png)))] {
            let rendered = try PictureRenderer.render(bytes)
            for rendition in [rendered.photo, rendered.thumbnail] {
                #expect(!rendition.jpeg.contains(secret))
                #expect(!rendition.jpeg.contains(MadePictures.placeMark))
            }
        }
    }

    @Test(arguments: 1...8) func aPictureIsTurnedAsTheCameraWasHeld(orientation: Int) throws {
        // Where the corners are seen that are stored at the top left, top right, bottom left and bottom right.
        let corners = [
            1: [0, 1, 2, 3], 2: [1, 0, 3, 2], 3: [3, 2, 1, 0], 4: [2, 3, 0, 1],
            5: [0, 2, 1, 3], 6: [2, 0, 3, 1], 7: [3, 1, 2, 0], 8: [1, 3, 0, 2],
        ]
        let colours = [MadePictures.red, MadePictures.green, MadePictures.blue, MadePictures.white]
        let quarters = try MadePictures.quarters(96, 64)
        for isBigEndian in [true, false] {
            let picture = try MadePictures.photographed(
                quarters, orientation: UInt16(orientation), isBigEndian: isBigEndian)
            let rendered = try PictureRenderer.render(picture)
            let box = PictureSize(side: 100)
            for pixels in [try seen(rendered.photo), try PictureRenderer.pixels(picture, within: box)] {
                #expect(pixels.size == (try orientation < 5 ? size(96, 64) : size(64, 96)))
                try expectCorners(of: pixels, corners[orientation]?.map { colours[$0] })
            }
            try expectCorners(of: try seen(rendered.thumbnail), corners[orientation]?.map { colours[$0] })
        }
    }

    private func expectCorners(of pixels: Pixels, _ colours: [MadePictures.Colour]?) throws {
        let (right, bottom) = (pixels.size.width - 5, pixels.size.height - 5)
        for ((x, y), colour) in zip([(4, 4), (right, 4), (4, bottom), (right, bottom)], try #require(colours)) {
            expectColour(of: pixels, x, y, colour, "\(x), \(y)")
        }
    }
}

extension Pixels {
    fileprivate init(_ png: MadePNG) throws {
        self = try MadePictures.pixels(png.width, png.height) { x, y in
            let sample = png.sample(x, y)
            return (sample[0], sample[1], sample[2])
        }
    }
}

/// Within what a JPEG of middling quality changes.
func expectColour(
    of pixels: Pixels, _ x: Int, _ y: Int, _ colour: MadePictures.Colour, _ place: String, within most: Int = 24,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let start = (y * pixels.size.width + x) * 3
    let found = pixels.rgb[start..<start + 3].map(Int.init)
    let expected = [colour.red, colour.green, colour.blue].map(Int.init)
    let isNear = zip(found, expected).allSatisfy { abs($0 - $1) <= most }
    #expect(isNear, "\(place): \(found) and not \(expected)", sourceLocation: sourceLocation)
}
