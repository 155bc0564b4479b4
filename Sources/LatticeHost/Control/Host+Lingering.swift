import Glibc
import LatticeControl

extension Host {
    /// Takes no new clients; those connected may stay until the limit.
    func linger(atMost limit: Duration) async {
        guard let control, let controlPath else { return }
        unlink(controlPath)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await control.idle() }
            group.addTask {
                do {
                    try await Task.sleep(for: limit)
                } catch {
                    // All clients have disconnected.
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
