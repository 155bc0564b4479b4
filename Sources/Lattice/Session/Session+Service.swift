#if ServiceLifecycle
    public import ServiceLifecycle

    /// A session is a service: ``Session/run()`` ends at a graceful shutdown as it does after ``Session/close()``.
    extension Session: Service {
        func closeAtGracefulShutdown() async {
            await close(after: gracefulShutdown)
        }
    }
#endif

extension Session {
    /// - Parameter shutdown: returns when the session has to close, and throws once it has ended.
    func close(after shutdown: () async throws -> Void) async {
        do {
            try await shutdown()
        } catch {
            return  // The session has ended.
        }
        await close()
    }
}
