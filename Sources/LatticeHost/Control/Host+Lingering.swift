import Glibc
import LatticeControl

extension Host {
    /// Nobody finds this node any more; whoever uses it already may go on, so long at most.
    func linger(atMost limit: Duration) async {
        guard let control, let controlPath else { return }
        unlink(controlPath)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await control.idle() }
            group.addTask {
                do {
                    try await Task.sleep(for: limit)
                } catch {
                    // All of them have gone.
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
