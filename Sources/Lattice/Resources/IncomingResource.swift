public import FoundationEssentials
import LatticeAPI
import LatticeCore
import LatticeWire
import Synchronization

/// A file that a peer offers. Nothing of it was fetched.
///
/// It is declined when its last reference goes before it was saved.
public final class IncomingResource: Sendable {
    /// Who offers it; its key is proven.
    public let peer: Peer
    private let offer: ResourceOffer
    let stream: ResourceStream
    private let isTaken = Mutex(false)

    init(_ offer: ResourceOffer, from peer: Peer, _ stream: ResourceStream) {
        (self.offer, self.peer, self.stream) = (offer, peer, stream)
    }

    deinit {
        stream.reset(.readerGone)
    }

    /// The name that the sender gave it, 1–255 bytes: one component of a path, never `.` or `..`, without control characters.
    public var name: String { offer.name.text }

    /// Its size, 0 to 32 GiB.
    public var bytes: Int64 { offer.blob.size }

    /// Its type as the sender guessed it from the name, such as `image/png`; `application/octet-stream` if unknown.
    public var mediaType: String { offer.type.text }

    /// Whether the sender still offers it.
    var isOffered: Bool { stream.isOpen }

    /// Fetches the file, verifies each piece of 32 KiB as it comes, and gives it its name when it is complete.
    ///
    /// Until then it is called `name.ROOT.part` beside it, where `ROOT` is the beginning of the file's hash. That stays after an
    /// interruption: a later transfer of the same file to the same place, also one of another session, verifies what is there
    /// and fetches the rest. The file and its part can be read and written by this user alone.
    ///
    /// - Parameters:
    ///   - url: where the file will be; its folder exists.
    ///   - replacing: whether it may replace a file that stands there.
    /// - Returns: the transfer, which throws ``LatticeError/Code/file`` if it cannot be written, a file stands there, another
    ///   transfer writes it or the disk has no space; ``LatticeError/Code/damaged`` if the sender gives something else than it
    ///   offered; ``LatticeError/Code/interrupted`` if the sender withdrew it, ended, could not be reached for half a minute or
    ///   gave nothing for a minute; ``LatticeError/Code/busy`` if a transfer of this resource runs or has ended: it must be
    ///   offered again; ``LatticeError/Code/invalid`` if `url` is not the URL of a file; ``LatticeError/Code/closed``,
    ///   ``LatticeError/Code/cancelled``. If it did not begin, because a file stands there or the folder is missing, it may be
    ///   saved to another place.
    public func save(to url: URL, replacing: Bool = false) -> ResourceTransfer {
        let (place, offer, stream) = (ResourcePlace(url, mayReplace: replacing), offer, stream)
        // The resource lives as long as its transfer.
        return ResourceTransfer { ResourceReceiver(self, offer, stream, to: place) }
    }

    /// Tells the sender that nobody wants it.
    public func decline() {
        stream.reset(.readerGone)
    }

    /// - Returns: `false` if a transfer of it runs or is over.
    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    /// The transfer did not begin.
    func release() {
        isTaken.withLock { $0 = false }
    }
}

/// The place for a file that comes.
struct ResourcePlace: Sendable {
    /// `nil` if it is not the URL of a file.
    let path: String?
    let mayReplace: Bool

    init(_ url: URL, mayReplace: Bool) {
        path = url.isFileURL && !url.path.utf8.contains(0) ? url.path : nil
        self.mayReplace = mayReplace
    }
}
