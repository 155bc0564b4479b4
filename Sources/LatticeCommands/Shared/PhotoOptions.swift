import ArgumentParser
import LatticeAPI
import LatticeChat

/// A photo for a post, an event or a profile.
struct PhotoOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A JPEG, PNG or WebP; its metadata is removed.", valueName: "file")
    )
    var photo: String?

    @Option(help: ArgumentHelp("What the photo shows, for people who do not see it.", valueName: "text"))
    var alt: String?

    /// For what is new: there is no photo that the text could be about.
    func checkNew() throws {
        guard alt == nil || photo != nil else { throw ValidationError("--alt describes a photo; add --photo FILE") }
    }

    func source(_ context: CommandContext, original: Bool = false) -> PhotoSource? {
        photo.map { .file(context.absolute($0), original: original) }
    }
}

/// For a post or an event.
struct OriginalOptions: ParsableArguments {
    @Flag(help: "Share the picture itself, too, without its metadata.") var original = false

    func check(_ photo: PhotoOptions) throws {
        guard !original || photo.photo != nil else {
            throw ValidationError("--original shares the picture of a photo; add --photo FILE")
        }
    }
}
