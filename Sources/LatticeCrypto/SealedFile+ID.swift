package import LatticeCore
package import LatticeWire

extension SealedFile {
    private static let idUse: StaticString = "lattice file v1\0"

    /// What people and requests name it by. It is made of everything that the line says about the file, the key included: somebody
    /// who knows the root, such as another member of the room, cannot make another file of the same id.
    package var id: RecordID { RecordID(Sodium.blake2b256(bytes[...], use: Self.idUse)) }
}
