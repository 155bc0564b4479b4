"""Where a scene is played: hosts of a lab, the terminals of the people at them, and a folder that is gone afterwards."""
import json
import os
import random
import re
import shlex
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
LAB = os.path.join(ROOT, "tools", "lab")
# Far longer than anything takes: what never comes is told of, and a busy machine fails nothing.
PATIENCE_SECONDS = 120
COLUMNS, ROWS = 130, 60


class NeverHappened(Exception):
    pass


def until(what, look):
    """The first answer of `look` that is true."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (answer := look()):
        if time.monotonic() > deadline:
            raise NeverHappened(what() if callable(what) else what)
        time.sleep(0.02)
    return answer


def words(*arguments, **options):
    return subprocess.run(arguments, check=True, capture_output=True, text=True, **options).stdout


class Stage:
    """One lab; use it in a `with`."""

    def __init__(self, program, topology):
        self.program, self.topology = os.path.realpath(program), topology.split()
        self.prefix = "t" + "".join(random.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=7))

    def __enter__(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="lattice-transcripts-")
        self.folder = self.scratch.name
        # Where a page says `tools/lattice` or `lattice`, it means the program under test.
        os.mkdir(f"{self.folder}/bin")
        os.symlink(self.program, f"{self.folder}/bin/lattice")
        os.symlink(f"{self.program}-bridge", f"{self.folder}/bin/lattice-bridge")
        words(LAB, "up", self.prefix, *self.topology)
        return self

    def __exit__(self, *_):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True, check=False)
        subprocess.run([LAB, "down", self.prefix], check=True)
        self.scratch.cleanup()

    @property
    def socket(self):
        return f"{self.folder}/tmux"

    def person(self, name, host):
        return Person(self, name, host)


class Person:
    """Somebody at a host, with a home of their own there."""

    def __init__(self, stage, name, host):
        self.stage, self.name, self.host = stage, name, host
        # A host has a /run of its own. Just as long as /home/NAME, so that columns stay as wide.
        self.home = f"/run/.{name}"
        self.run(f"mkdir -p {self.home}/tools {self.home}/run && ln -s {stage.program} {self.home}/tools/lattice", place="/")

    def way(self, shell, place=None):
        """The words that run a line of the shell as this person."""
        variables = {
            "HOME": self.home,
            "XDG_RUNTIME_DIR": f"{self.home}/run",
            "PATH": f"{self.stage.folder}/bin:{os.environ['PATH']}",
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm-256color",
            "SWIFT_BACKTRACE": "enable=no",
        }
        unset = ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "NO_COLOR", "COLUMNS", "LINES"]
        clean = [word for name in unset for word in ("-u", name)] + [f"{n}={v}" for n, v in variables.items()]
        return [LAB, "run", f"{self.stage.prefix}-{self.host}", "env", "-C", place or self.home, *clean, "sh", "-c", shell]

    def plain(self, text):
        """The same with the home that the pages show."""
        return text.replace(self.home, f"/home/{self.name}")

    def run(self, shell, code=0, place=None):
        """What a line of the shell prints, faults included."""
        done = subprocess.run(
            self.way(shell, place), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False, timeout=PATIENCE_SECONDS,
        )
        if code is not None and done.returncode != code:
            raise NeverHappened(f"{shell}: code {done.returncode} and not {code}:\n{done.stdout}")
        return self.plain(done.stdout)

    def shell(self, block, code=0, then=lambda: None):
        """The commands of a block, each with what it prints; `then` is done after each."""
        played = []
        for line in block.lines:
            if line.startswith("$ "):
                played += [line, *self.run(line[2:], code).splitlines()]
                then()
        return played

    def asked(self, command):
        """The objects that a command prints with `--json`."""
        return [json.loads(line) for line in self.run(f"lattice {command} --name {self.name} --json").splitlines()]

    def chat(self, options=""):
        """`lattice chat` in a terminal of its own, ready."""
        terminal = Terminal(self, f"lattice chat --name {self.name} {options}")
        terminal.shows("you are |^lattice .* in #")
        return terminal


class Terminal:
    """A terminal with one program in it, as a person sees it."""

    count = 0

    def __init__(self, person, shell):
        Terminal.count += 1
        self.person, self.name = person, f"s{Terminal.count}"
        # The shell keeps how it ended: tmux now and then does not hear of it.
        self.code = f"{person.home}/run/{self.name}"
        kept = f"{shell}\necho $? >{self.code}.part; mv {self.code}.part {self.code}"
        # What ended stays to be read.
        options = ["set", "-g", "status", "off", ";", "set", "-g", "remain-on-exit", "on", ";"]
        size = ["-x", str(COLUMNS), "-y", str(ROWS)]
        self.tmux(*options, "new-session", "-d", "-s", self.name, *size, shlex.join(person.way(kept)))

    def tmux(self, *arguments):
        return words("tmux", "-S", self.person.stage.socket, "-f", "/dev/null", *arguments)

    def lines(self):
        """All that is on the screen and above it."""
        text = self.tmux("capture-pane", "-p", "-J", "-S", "-", "-t", self.name)
        lines = [line.rstrip() for line in self.person.plain(text).rstrip("\n").split("\n")]
        return [line for line in lines if not line.startswith("Pane is dead")]

    def type(self, line):
        self.tmux("send-keys", "-t", self.name, "-l", line, ";", "send-keys", "-t", self.name, "Enter")

    def shows(self, pattern, count=1):
        """Waits until so many lines fit, and gives the match in the last of them."""

        def look():
            found = [match for line in self.lines() if (match := re.search(pattern, line))]
            return len(found) >= count and found[-1]

        return until(lambda: f"{self.person.name} sees '{pattern}', but:\n" + "\n".join(self.lines()), look)

    def ends(self):
        """Waits until the program has ended well."""

        def code():
            return self.person.run(f"cat {self.code} 2>/dev/null || true").strip()

        until(lambda: f"{self.person.name}'s program ends:\n" + "\n".join(self.lines()), code)
        if code() != "0":
            raise NeverHappened(f"{self.person.name}'s program ended with {code()}:\n" + "\n".join(self.lines()))

    def picture(self, since=""):
        """What is there once nothing is being fetched, from the first line on that fits and without the empty ones below."""

        def look():
            lines = self.lines()
            return lines if not any(line.startswith("catching up") for line in lines) else None

        lines = until(lambda: f"{self.person.name} has caught up:\n" + "\n".join(self.lines()), look)
        while lines and not lines[-1]:
            lines.pop()
        while not re.search(since, lines[0]):
            lines.pop(0)
        return lines
