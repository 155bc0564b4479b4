import Glibc
import LatticeCore
package import LatticeHTTP
package import LatticeNode

/// A listening server and its link.
package struct HTTPPage: Sendable {
    let server: HTTPServer
    package let token: AccessToken
    let directory: DataDirectory
    package let place: WebPlace

    package var link: String { place.link(token) }

    /// Prints the link. A log only gets the path of the token: logs are stored, and others read them.
    ///
    /// Called last at the start, so that the QR code stays on the screen.
    package func tell() {
        let isSeen = isatty(2) != 0
        let way = "open \(place.link) with the token in \(directory.webTokenPath); 'lattice web' prints the whole link"
        Report.remark(isSeen ? "open \(link)" : way)
        place.printCode(token)
    }

    /// Serves while `body` runs; then streams end and connections are closed.
    package func serving(_ body: @escaping @Sendable () async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            await body()
            group.cancelAll()
        }
        directory.noteWebPlace(nil)
    }

    /// Serves until `body` has returned, or the node has ended.
    ///
    /// - Returns: whether the node has ended.
    package func serving(until body: @escaping @Sendable () async -> Void) async -> Bool {
        let isNodeOver = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await server.run()
                return true
            }
            group.addTask {
                await body()
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
        directory.noteWebPlace(nil)
        return isNodeOver
    }
}
