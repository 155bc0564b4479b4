"""Nodes of lattice on this machine, each with a folder of its own, that find each other by address alone."""

import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

START_SECONDS = 60
STOP_SECONDS = 20


class Node:
    """One `lattice run --http`. Its port for browsers, and that for peers, stay the same when it is started again.
    `attached`: a `lattice run` whose page another process serves, `lattice web`. `host`: where it listens for browsers."""

    def __init__(self, name, *peers, options=(), attached=False, host="127.0.0.1"):
        self.name = name
        self.attached = attached
        self.host = host
        self.web = None
        self.peers = peers
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="page-")
        self.port = 0
        self.link_port = 0
        self.process = None
        self.start()

    def start(self):
        address = f"{self.host}:{self.port}"
        command = ["run", "--name", self.name, "--discovery", "off", "--interface", "lo", "--port", str(self.link_port)]
        command += [] if self.attached else ["--http", address]
        command += self.options
        for peer in self.peers:
            command += ["--peer", peer.address]
        open(os.path.join(self.folder, "log"), "wb").close()
        self.process = self._run(command)
        if self.attached:
            until(lambda: os.path.exists(os.path.join(self.folder, "data", "listening")), f"{self.name} does not listen")
            self.web = self._run(["web", "--listen", address, "--no-open"])
        # A log hears of no token; 'lattice web' prints the whole link.
        said = self._said(r"(https?://127\.0\.0\.1:\d+/)#token=" if self.attached else r"open (https?://[^/]+/) with")
        self.port = urllib.parse.urlsplit(said).port
        with open(os.path.join(self.folder, "data", "http-token"), encoding="utf-8") as file:
            self.token = file.read().strip()
        self.link = f"{self.url}#token={self.token}"
        until(lambda: self._answers(), f"{self.name} does not answer: {self.log()}")
        if not self.link_port:
            self.link_port = self._link_port()

    def _run(self, arguments):
        # Settings and folders of the person who runs the tests are neither read nor written.
        ours = {name: value for name, value in os.environ.items() if not name.startswith("LATTICE_")}
        environment = {
            **ours,
            "XDG_RUNTIME_DIR": self.folder,
            "XDG_CONFIG_HOME": self.folder,
            "XDG_DATA_HOME": self.folder,
            "HOME": self.folder,
        }
        command = [os.environ["PAGE_TESTS_PROGRAM"], *arguments, "--data-dir", os.path.join(self.folder, "data")]
        with open(os.path.join(self.folder, "log"), "ab") as log:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)

    @property
    def address(self):
        return f"127.0.0.1:{self.link_port}"

    @property
    def _trust(self):
        """Only the certificate that the node made for itself."""
        certificate = os.path.join(self.folder, "data", "http-tls.pem")
        return ssl.create_default_context(cafile=certificate) if self.scheme == "https" else None

    @property
    def scheme(self):
        return "https" if "--tls" in self.options else "http"

    @property
    def url(self):
        """Without the token."""
        return f"{self.scheme}://{'127.0.0.1' if self.host == '127.0.0.1' else socket.gethostname()}:{self.port}/"

    def log(self):
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def api(self, method, path, body=None, token=True):
        """What the node answers; `AssertionError` with its words where it refuses."""
        request = urllib.request.Request(f"{self.scheme}://127.0.0.1:{self.port}/v1{path}", method=method)
        if token:
            request.add_header("Authorization", f"Bearer {self.token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        try:
            with urllib.request.urlopen(request, timeout=30, context=self._trust) as answer:
                return json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode(errors='replace')}") from error

    def post(self, text, lat, lon, **more):
        return self.api("POST", "/posts", {"text": text, "lat": lat, "lon": lon, **more})

    def place(self, name, lat, lon, **more):
        return self.api("POST", "/places", {"name": name, "lat": lat, "lon": lon, **more})

    def command(self, *arguments):
        """A command of the same person, while the node runs."""
        process = self._run(list(arguments))
        assert process.wait(START_SECONDS) == 0, f"{arguments}: {self.log()}"

    def stop(self, how=signal.SIGTERM):
        for process in (self.web, self.process):
            if process and process.poll() is None:
                process.send_signal(how)
                process.wait(STOP_SECONDS)

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _said(self, pattern):
        def found():
            assert self.process.poll() is None, f"{self.name} ended: {self.log()}"
            return re.findall(pattern, self.log())

        return until(found, f"{self.name} prints no link: {self.log()}")[-1]

    def _answers(self):
        try:
            return self.api("GET", "/me")
        except OSError:
            return None

    def _link_port(self):
        """Its port for peers, as its folder tells it: `PROCESS PORT ACCESS MESH`."""
        with open(os.path.join(self.folder, "data", "listening"), encoding="utf-8") as file:
            return int(file.readline().split()[1])


def until(condition, words, seconds=START_SECONDS):
    """The first answer that is one. Waits generously: how long a thing takes is not what is tested here."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = condition()
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError(words)
