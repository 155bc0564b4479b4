import Glibc
import Synchronization

/// That a folder has one user. Released once, at the latest with the last reference.
package final class FolderLock: Sendable {
    private let descriptor: Mutex<Int32?>

    init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    package func release() {
        guard let held = descriptor.withLock({ $0.take() }) else { return }
        close(held)
    }

    deinit { release() }
}
