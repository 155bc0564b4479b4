"""A way to a node that can be cut: what a browser sees when a cable is pulled while the node runs on."""

import contextlib
import socket
import threading

PIECE = 65_536


class Wire:
    """Listens on a port of its own and passes on what comes, until it is cut."""

    def __init__(self, node):
        self.node = node
        self.sockets = set()
        self.far = set()
        self.is_cut = False
        # While it is not set, the node hears the browser, and the browser nothing of the node.
        self.answers = threading.Event()
        self.answers.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self.link = f"{self.url}#token={node.token}"
        self.token = node.token
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        self.is_cut = True
        for one in list(self.sockets):
            self._close(one)

    def mend(self):
        self.is_cut = False

    def remove(self):
        self.answers.set()
        self.cut()
        self._close(self.listener)

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if self.is_cut:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self.node.port))
            self.sockets |= {near, far}
            self.far.add(far)
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(source, target), daemon=True).start()

    def _pass(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(PIECE):
                if source in self.far:
                    self.answers.wait()
                target.sendall(data)
        for one in (source, target):
            self._close(one)

    def _close(self, one):
        # Closing alone does not wake who reads there.
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()
        self.sockets.discard(one)
        self.far.discard(one)
