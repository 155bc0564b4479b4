#if ServiceLifecycle
    public import ServiceLifecycle

    /// A session is a service: ``Session/run()`` ends at a graceful shutdown as it does after ``Session/close()``.
    extension Session: Service {
        func closeAtGracefulShutdown() async {
            do {
                try await gracefulShutdown()
            } catch {
                return  // The session has ended.
            }
            await close()
        }
    }
#endif
