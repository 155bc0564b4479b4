import Foundation
import Glibc
import LatticeCore
import LatticeCrypto
import Testing

struct IdentityFileTests {
    private let folder: KeyFolder
    private let identity = Identity.generate()

    init() throws {
        folder = try KeyFolder()
    }

    private func loadError() -> IdentityFileError? {
        error { () throws(IdentityFileError) in _ = try folder.file.load() }
    }

    private func createError() -> IdentityFileError? {
        error { () throws(IdentityFileError) in try folder.file.create(identity) }
    }

    @Test func whatIsCreatedIsLoaded() throws {
        try folder.file.create(identity)
        #expect(try folder.file.load().peer == identity.peer)
        #expect(try folder.names == ["identity"])
        #expect(try folder.read() == IdentityText.write(identity))
    }

    @Test func onlyTheOwnerMayReadIt() throws {
        try folder.file.create(identity)
        var status = stat()
        #expect(stat(folder.file.path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
    }

    @Test func theFirstStartMakesAnIdentityAndTheSecondFindsIt() throws {
        let (first, isNew) = try folder.file.loadOrCreate()
        let (second, isNewAgain) = try folder.file.loadOrCreate()
        #expect(first.peer == second.peer)
        #expect(isNew && !isNewAgain)
    }

    @Test func anExistingFileIsNeverOverwritten() throws {
        for content in [[], [1, 2, 3], IdentityText.write(identity)] as [[UInt8]] {
            try folder.write(content)
            #expect(createError() == .alreadyExists(path: folder.file.path))
            #expect(try folder.read() == content)
            #expect(try folder.names == ["identity"])
        }
    }

    @Test func aDamagedFileIsNeitherUsedNorReplaced() throws {
        let good = IdentityText.write(identity)
        for count in [0, 1, 19, 100, good.count - 1] {
            try folder.write(good.prefix(count))
            let failure = error { () throws(IdentityFileError) in _ = try folder.file.loadOrCreate() }
            guard case .damaged(folder.file.path, _)? = failure else {
                Issue.record("\(count) bytes: \(String(describing: failure))")
                continue
            }
            #expect(try folder.read() == Array(good.prefix(count)))
        }
    }

    @Test func whateverFollowsIsDamage() throws {
        let good = IdentityText.write(identity)
        for tail in [1, 5_000] {
            try folder.write(good + [UInt8](repeating: 10, count: tail))
            #expect(
                loadError() == .damaged(path: folder.file.path, reason: "something follows after its last line")
            )
        }
    }

    @Test func aMissingFileIsNamed() {
        #expect(loadError() == .missing(path: folder.file.path))
    }

    @Test func anyRightOfOthersIsRefused() throws {
        for bit in 0..<6 {
            let mode: mode_t = 0o600 | 1 << mode_t(bit)
            try folder.write(IdentityText.write(identity), mode: mode)
            let failure = try #require(loadError())
            #expect(failure == .readableByOthers(path: folder.file.path, mode: mode))
            #expect(failure.description.hasSuffix("chmod 600 \(folder.file.path)"))
            chmod(folder.file.path, 0o600)
        }
    }

    @Test(arguments: [0o400, 0o600, 0o700] as [mode_t])
    func theRightsOfTheOwnerAreTheirOwnAffair(mode: mode_t) throws {
        try folder.write(IdentityText.write(identity), mode: mode)
        #expect(try folder.file.load().peer == identity.peer)
    }

    @Test func whatIsNotAFileIsRefused() throws {
        mkdir(folder.file.path, 0o700)
        #expect(loadError() == .notAFile(path: folder.file.path))
        #expect(createError() == .alreadyExists(path: folder.file.path))
        rmdir(folder.file.path)
        mkfifo(folder.file.path, 0o600)
        #expect(loadError() == .notAFile(path: folder.file.path))
    }

    @Test func aLinkIsFollowedToWhatPassesTheSameChecks() throws {
        try folder.write(IdentityText.write(identity))
        let link = IdentityFile(path: folder.path + "/link")
        symlink(folder.file.path, link.path)
        #expect(try link.load().peer == identity.peer)
        chmod(folder.file.path, 0o644)
        let failure = error { () throws(IdentityFileError) in _ = try link.load() }
        #expect(failure == .readableByOthers(path: link.path, mode: 0o644))
    }

    @Test func aLinkToNowhereIsNotReplaced() throws {
        symlink(folder.path + "/nowhere", folder.file.path)
        let failure = error { () throws(IdentityFileError) in _ = try folder.file.loadOrCreate() }
        #expect(failure == .missing(path: folder.file.path))
        #expect(try folder.names == ["identity"])
    }

    @Test(.enabled(if: KeyFolder.isRoot, "only root can give a file away"))
    func theFileOfAnotherIsRefused() throws {
        try folder.write(IdentityText.write(identity))
        chown(folder.file.path, 1_234, 1_234)
        #expect(loadError() == .notYours(path: folder.file.path, owner: 1_234))
    }

    @Test func aPathThroughAFileIsUnreadableAndCannotBeCreated() throws {
        try folder.write([])
        let file = IdentityFile(path: folder.file.path + "/identity")
        let loading = error { () throws(IdentityFileError) in _ = try file.load() }
        #expect(loading == .unreadable(path: file.path, reason: "Not a directory"))
        let creating = error { () throws(IdentityFileError) in try file.create(identity) }
        #expect(creating == .cannotCreate(path: file.path, reason: "Not a directory"))
    }

    @Test func everyErrorIsASentenceWithItsPath() {
        let errors: [IdentityFileError] = [
            .missing(path: "/k"), .readableByOthers(path: "/k", mode: 0o644), .damaged(path: "/k", reason: "r"),
            .notAFile(path: "/k"), .notYours(path: "/k", owner: 5), .unreadable(path: "/k", reason: "r"),
            .alreadyExists(path: "/k"), .cannotCreate(path: "/k", reason: "r"),
        ]
        for error in errors { #expect(error.description.contains("/k")) }
        #expect(errors[1].description.contains("mode 644"))
    }
}
