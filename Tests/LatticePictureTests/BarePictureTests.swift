import Testing

@testable import LatticePicture
@testable import LatticePictureDecoder

/// Originals without what is not their picture.
@Suite struct BarePictureTests {
    private static let box = PictureSize(side: 64)

    /// The pixels are the same, and nothing tells where the picture was taken.
    private func expectBare(_ bytes: [UInt8], _ what: String) throws {
        let bare = try BarePicture.of(bytes)
        #expect(bare.count <= bytes.count, "\(what)")
        let (before, after) = (
            try PictureRenderer.pixels(bytes, within: Self.box), try PictureRenderer.pixels(bare, within: Self.box)
        )
        #expect(before == after, "\(what)")
        for mark in [MadePictures.placeMark, Array("Cam".utf8), Array("secret".utf8)] {
            #expect(!bare.contains(subsequence: mark), "\(what)")
        }
        #expect(try BarePicture.of(bare) == bare, "\(what)")
    }

    @Test func aJPEGKeepsItsPixelsAndHowItWasHeld() throws {
        let pixels = try MadePictures.quarters(40, 30)
        for orientation in PictureOrientation.allCases {
            let photo = try MadePictures.photographed(pixels, orientation: UInt16(orientation.rawValue))
            try expectBare(photo, "\(orientation)")
            #expect(PictureOrientation(of: try BarePicture.of(photo), .jpeg) == orientation)
        }
        let plain = try MadePictures.jpeg(pixels)
        #expect(try BarePicture.of(plain) == plain)
    }

    @Test func whatStandsBesideThePixelsOfAJPEGGoes() throws {
        let plain = try MadePictures.jpeg(try MadePictures.quarters(40, 30))
        let secret = Array("secret".utf8)
        for marker: UInt8 in [0xE1, 0xE2, 0xED, 0xEF, 0xFE] {
            let more = MadePictures.inserting(marker, secret, into: plain)
            #expect(try BarePicture.of(more) == plain, "\(marker)")
        }
        // Videos and further pictures follow the end.
        #expect(try BarePicture.of(plain + secret + plain) == plain)
        let profile = MadePictures.inserting(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1], into: plain)
        #expect(try BarePicture.of(profile) == profile)
    }

    @Test func picturesOfOtherProgramsStayAsTheyLook() throws {
        for (bytes, what) in [
            (ForeignPictures.progressiveJPEG, "in several scans"), (ForeignPictures.inkJPEG, "in inks"),
            (ForeignPictures.grayJPEG, "gray"),
        ] {
            try expectBare(MadePictures.inserting(0xFE, Array("secret".utf8), into: bytes), what)
        }
    }

    @Test func aPNGKeepsItsPixelsAndHowItWasHeld() throws {
        var png = MadePNG(width: 9, height: 5, kind: .palette, sample: { x, y in [UInt8((x + y) % 2)] })
        png.palette = [10, 20, 30, 40, 50, 60]
        png.extras = [
            ("tRNS", [255, 0]), ("tEXt", Array("Comment\0secret".utf8)),
            ("eXIf", MadePictures.exif(orientation: 6)), ("tIME", [7, 0xEA, 1, 1, 1, 1, 1]),
        ]
        try expectBare(png.bytes, "PNG")
        #expect(PictureOrientation(of: try BarePicture.of(png.bytes), .png) == .right)
        #expect(try BarePicture.of(png.bytes + Array("secret".utf8)) == BarePicture.of(png.bytes))
    }

    @Test func aWebPKeepsItsPixelsAndHowItWasHeld() throws {
        for alpha: UInt8 in [255, 128] {
            let held = MadePictures.webp(9, 5, (200, 100, 0), alpha: alpha, exif: MadePictures.exif(orientation: 6))
            try expectBare(held, "WebP")
            #expect(PictureOrientation(of: try BarePicture.of(held), .webp) == .right)
        }
        let plain = MadePictures.webp(9, 5, (200, 100, 0))
        #expect(try BarePicture.of(plain) == plain && BarePicture.of(plain + Array("secret".utf8)) == plain)
    }

    @Test func aPNGHasOneHeader() throws {
        var png = MadePNG(width: 9, height: 5, sample: { _, _ in [1, 2, 3] })
        png.extras = [("eXIf", MadePictures.exif(orientation: 6)), ("IHDR", [])]
        #expect(throws: PictureFault.damaged) { try BarePicture.of(png.bytes) }
        png.extras = [("tEXt", [UInt8](repeating: 65, count: 100))]
        #expect(try BarePicture.of(png.bytes).count < png.bytes.count - 100)
    }

    @Test func whatHasNoEndIsDamaged() throws {
        #expect(throws: PictureFault.notAPicture) { try BarePicture.of(Array("GIF89a".utf8)) }
        let exif = MadePictures.exif(orientation: 6)
        for bytes in [
            try MadePictures.photographed(try MadePictures.quarters(40, 30), orientation: 6),
            MadePNG(width: 9, height: 5, sample: { _, _ in [1, 2, 3] }).bytes,
            MadePictures.webp(9, 5, (200, 100, 0), exif: exif),
        ] {
            for length in 20..<bytes.count {
                #expect(throws: PictureFault.damaged, "\(length)") { try BarePicture.of(Array(bytes.prefix(length))) }
            }
        }
    }
}

extension [UInt8] {
    fileprivate func contains(subsequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: subsequence) }
    }
}
