"""The scenes themselves. Each plays with the program and gives the lines that its page should show."""
import datetime
import json
import os
import re
import shlex
import time

from stage import NeverHappened, Stage, Terminal, until

# A message that arrives within 2 seconds is not reported.
REPORTED_AFTER_SECONDS = 2.5


def said(name, text):
    """A line that somebody said, as a terminal shows it: the name in brackets or in a column."""
    return rf"{name}>? +(\(late\) )?{text}"


def is_open(person, port):
    """Whether a program of theirs listens there."""
    return person.run(f"bash -c '</dev/tcp/127.0.0.1/{port}' 2>/dev/null && echo yes || true").strip() == "yes"


def two(stage, names=("alice", "bob")):
    """Two people in a chat who see each other."""
    terminals = [stage.person(name, host).chat() for name, host in zip(names, "ab")]
    for terminal, other in zip(terminals, reversed(names)):
        terminal.shows(f"{other} is connected")
    return terminals


def settled(lines):
    """Without what depends on how busy the machine is: what is known late is compared and counted, or is not."""
    return [line for line in lines if not re.match(r"[*•] (caught up|nobody (else )?is here yet)", line, re.IGNORECASE)]


def chat(program, _):
    """Three hosts in a line; the one in the middle leaves."""
    with Stage(program, "line") as stage:
        someone = stage.person("alice", "a")
        alice = someone.chat()
        bob = stage.person("bob", "b").chat()
        alice.shows("bob is connected")
        carol = stage.person("carol", "c").chat()
        alice.shows("carol is here, 2 hops away")
        carol.shows("alice is here")
        alice.type("anybody at the gate?")
        carol.shows(said("alice", "anybody at the gate"))
        carol.type("I am, come round the back")
        alice.shows(said("carol", "I am"))
        until("a round trip was measured", lambda: any(p["rtt_ms"] for p in someone.asked("peers")[0]["peers"]))
        alice.type("/peers")
        alice.shows("^carol +.* relayed")
        alice.type("/trace carol")
        alice.shows("there and back")
        carol.type("alice: look")
        alice.shows(said("carol", "alice: look"))
        bob.type("/quit")
        alice.shows("bob is not connected")
        return settled(alice.picture())


def first(program, _):
    """Two people say hello."""
    with Stage(program, "pair") as stage:
        alice, bob = two(stage)
        alice.type("hello, is this thing on?")
        bob.shows(said("alice", "hello, is this"))
        bob.type("loud and clear")
        alice.shows(said("bob", "loud and clear"))
        return settled(alice.picture())


def private(program, _):
    """A line to somebody who is away, and comes."""
    with Stage(program, "pair") as stage:
        alice = stage.person("alice", "a").chat()
        someone = stage.person("bob", "b")
        bob = someone.chat()
        alice.shows("bob is connected")
        bob.shows("alice is connected")
        bob.type("/msg alice are you there?")
        alice.shows(r"\*bob\* +are you there")
        bob.type("/quit")
        alice.shows("bob is not connected")
        alice.type("/query bob")
        alice.shows("/query goes back")
        alice.type("on my way")
        alice.shows("waiting")
        typed = time.monotonic()
        until("it is reported", lambda: time.monotonic() > typed + REPORTED_AFTER_SECONDS)
        someone.chat()
        alice.shows("bob (has what you said|received)")
        return alice.picture(since=r"\*bob\* +are you there")


def private_changes(program, _):
    """A private message is answered, changed and deleted, and gets an emoji."""
    with Stage(program, "pair") as stage:
        alice, bob = two(stage)
        alice.type("/query bob")
        alice.shows("/query goes back")
        alice.type("can you bring the long laddr?")
        bob.shows(r"\*alice\* +can you bring")
        bob.type("/query alice")
        bob.shows("/query goes back")
        bob.type("/reply alice it is in the car")
        alice.shows(r"\*bob\* +↳ alice: can you bring")
        alice.type("/react bob :+1:")
        bob.shows("alice gave 👍 to your line")
        alice.type("/edit can you bring the long ladder?")
        bob.shows(r"long ladder\? \(edited\)")
        bob.type("/delete")
        alice.shows("bob deleted a line")
        return alice.picture(since="/query bob")


def urgent(program, _):
    """Two hosts away from each other: what is urgent stands above the prompt until it is dismissed."""
    with Stage(program, "line") as stage:
        # Carol comes first: how many people her first line counts would otherwise depend on how fast her program starts.
        carol = stage.person("carol", "c").chat()
        bob = stage.person("bob", "b").chat()
        carol.shows("bob is connected")
        alice = stage.person("alice", "a").chat()
        alice.shows("carol is here, 2 hops away")
        carol.shows("alice is here")
        alice.type("/urgent the bridge is out, take the north road")
        for terminal in [bob, carol]:
            terminal.shows("URGENT alice in #lobby: the bridge is out, take the north road")
        carol.type("thanks, turning round")
        alice.shows(said("carol", "thanks"))
        seen = settled(carol.picture())
        carol.type("/dismiss")
        until("it is dismissed", lambda: not any("URGENT alice" in line for line in carol.lines()))
        # A row that is as wide as the screen is joined with the one below.
        return [part.strip() for line in seen for part in re.sub(" {3,}/dismiss", "  /dismiss\n", line).split("\n")]


def private_room(program, _):
    """A room for two."""
    with Stage(program, "pair") as stage:
        anna, bob = two(stage, ("anna", "bob"))
        anna.type("/create #camp")
        anna.shows("/key shows")
        anna.type("/invite bob")
        anna.shows("the key of #camp")
        bob.shows("#camp")
        bob.type("/join #camp")
        anna.shows(r"bob#\w{4}(?!.*key).* #camp")
        bob.shows(r"^#camp\*")
        bob.type("hi anna")
        anna.shows(said("bob", "hi anna"))
        return anna.picture(since="/create #camp")


def away(program, _):
    """What was said while bob was away, by somebody who left before he came."""
    with Stage(program, "segment 3") as stage:
        keeper = stage.person("alice", "h1")
        alice = keeper.chat()
        someone = stage.person("bob", "h2")
        bob = someone.chat()
        alice.shows("bob is connected")
        alice.type("who has the key to the shed?")
        bob.shows(said("alice", "who has"))
        bob.type("/quit")
        alice.shows("bob is not connected")
        carol = stage.person("carol", "h3").chat()
        alice.shows("carol is connected")
        carol.shows(said("alice", "who has"))
        carol.type("I have it")
        alice.shows(said("carol", "I have it"))
        # A node that has just started announces nothing of the last half minute: bob can only fetch it.
        alice.type("/quit")
        alice.ends()
        carol.shows("alice is not connected")
        carol.type("/quit")
        # Bob's first line is to count nobody, however fast his program starts.
        bob = someone.chat()
        keeper.chat()
        bob.shows(said("carol", "I have it"))
        bob.shows("caught up")
        return bob.picture()


IRC = """exec 3<>/dev/tcp/127.0.0.1/6667; cat <&3 & while IFS= read -r line; do printf '%s\\r\\n' "$line" >&3; done"""


def conversation(lines):
    """What is said, in which words it stands now, what it answers, and with which emoji. The page has other names than `--json`."""
    id_of = lambda line: line.get("record") or line["id"]
    texts = {id_of(line): line["text"] for line in lines}
    return [
        (
            line["name"] if "name" in line else line["from"]["name"],
            "(deleted)" if line.get("deleted") else line["text"],
            bool(line.get("edited")),
            texts.get(id_of(line["reply"])) if "reply" in line else None,
            sorted((given["emoji"], len(given["by"])) for given in line.get("reactions", [])),
        )
        for line in lines
        if "text" in line
    ]


def together(program, _):
    """Alice in a terminal, carol with an IRC client, bob in a terminal and on his page; bob is away for half of it."""
    with Stage(program, "segment 3") as stage:
        someone, other, third = (stage.person(name, host) for name, host in [("alice", "h1"), ("bob", "h2"), ("carol", "h3")])

        def bobs_node():
            node = Terminal(other, "lattice run --name bob --http 127.0.0.1:8080 & echo $! >run/node; wait $!")
            node.shows("open http://")
            return node

        page = (
            'curl -s -H "Authorization: Bearer $(cat ~/.local/share/lattice/bob/http-token)" '
            "http://127.0.0.1:8080/v1/rooms/lobby/messages"
        )

        def bobs_list():
            return json.loads(other.run(page.replace("rooms/lobby/messages", "notifications")))

        def on_page():
            return conversation(json.loads(other.run(page))["items"])

        alice = someone.chat()
        node = bobs_node()
        alice.shows("bob is connected")
        bob = other.chat()
        Terminal(third, "lattice irc --name camp --listen 127.0.0.1:6667")
        until("the gateway listens", lambda: is_open(third, 6667))
        carol = Terminal(third, f"bash -c {shlex.quote(IRC)}")
        carol.type("CAP REQ :message-tags draft/message-redaction echo-message batch draft/chathistory")
        carol.type("NICK carol")
        carol.type("USER carol 0 * :carol")
        carol.type("CAP END")
        carol.shows(" 376 ")
        carol.type("JOIN #lobby")
        # What is said while she enters is history to her.
        carol.shows(" 366 ")
        alice.shows("carol")
        for terminal in [alice, bob]:
            until("all are there", lambda: "carol" in "".join(terminal.lines()))

        bob.type("anybody driving to the lake tomorrow?")
        alice.shows(said("bob", "anybody driving"))
        carol.shows("anybody driving")
        alice.type("/reply bob I am, two seats left")
        bob.shows("two seats left")
        first = carol.shows(r"msgid=([0-9a-f]{64}).* :I am, two seats left")[1]
        carol.type(f"@+draft/react=👍;+draft/reply={first} TAGMSG #lobby")
        bob.shows("👍")
        alice.shows("👍")
        alice.type("where did I put my keys")
        bob.shows("my keys")
        carol.shows("my keys")

        bob.type("/quit")
        bob.ends()
        other.run("kill -INT $(cat run/node)")
        node.ends()
        alice.shows("bob is not connected")
        alice.type("/delete")
        carol.shows(" REDACT ")
        carol.type(f"@+draft/reply={first} PRIVMSG #lobby :bob: and one for me")
        alice.shows(said("carol", "bob: and one") + "|^ +bob: and one")
        alice.type("leaving at nien, by the gate")
        carol.shows("leaving at nien")
        alice.type("/edit leaving at nine, by the gate")
        carol.shows("leaving at nine")
        # What was just said is also passed on to somebody who comes; later it is fetched.
        typed = time.monotonic()
        until("it is no longer new", lambda: time.monotonic() > typed + REPORTED_AFTER_SECONDS)

        bobs_node()
        until("bob's node has all", lambda: on_page() == conversation(someone.asked("history lobby")))
        until("bob's node is linked to all", lambda: "carol" in other.run("lattice peers --name bob"))
        bob = other.chat()
        bob.shows("and one for me")
        bob.type("/react carol 👍")
        alice.shows("👍", 2)
        carol.shows(r"react=👍.* TAGMSG", 2)

        # What stands in each front at last.
        wanted = conversation(someone.asked("history lobby"))
        until(lambda: f"bob's page shows what alice sees, {wanted}, but: {on_page()}", lambda: on_page() == wanted)
        carol.type("CHATHISTORY LATEST #lobby * 50")
        for _, text, is_edited, *_ in wanted:
            if text != "(deleted)":
                carol.shows(f"PRIVMSG #lobby :.*{re.escape(text)}", 2)
        # Who was notified of what, in each front: bob hears of it although he was away.
        told = {("mention", "carol"), ("reply", "alice")}
        until(
            lambda: f"bob's page lists {told}, but: {bobs_list()}",
            lambda: {(one["kind"], one["by"]["name"]) for one in bobs_list()["items"]} == told and bobs_list()["new"] == 2,
        )
        if {(one["kind"], one["by"]["name"]) for one in other.asked("notifications")} != told:
            raise NeverHappened(f"bob's terminal lists {other.asked('notifications')}")
        until("looking in the terminal is enough", lambda: bobs_list()["new"] == 0)
        heard = {(one["kind"], one["by"]["name"]) for one in someone.asked("notifications")}
        if heard != {("reaction", "carol"), ("reply", "carol")}:
            raise NeverHappened(f"alice's terminal lists {heard}")
        carol.type("PRIVMSG mesh :notifications")
        carol.shows("gave 👍 to your line")
        # Who is linked first differs.
        return [line for line in settled(bob.picture()) if not re.match("• .* is (connected|here)", line)]


def who(program, _):
    """Another key under a known name, and what two people compare."""
    with Stage(program, "segment 3") as stage:
        alice = stage.person("alice", "h1").chat()
        bob = stage.person("bob", "h2").chat()
        alice.shows("bob is connected")
        bob.shows("alice is connected")
        bob.type("/quit")
        alice.shows("is not connected")
        stage.person("bob", "h3").chat()
        known = alice.shows("(?:than|;) (bob#....) ")[1]
        alice.shows("bob.* is connected", 2)
        alice.type(f"/verify {known}")
        alice.shows("/verify .* yes")
        return alice.picture(since="^! ")


def posts(program, block):
    """Three other people, and anna, who looks around. One of the three is here."""
    with Stage(program, "pair") as stage:
        anna = stage.person("anna", "a")
        bob, carol, eve = (stage.person(name, "b") for name in ["bob", "carol", "eve"])

        def does(person, command):
            return person.run(f"lattice {command} --name {person.name}")

        def hands_on(giver, taker):
            does(giver, f"export --bundle {stage.folder}/bundle")
            does(taker, f"import {stage.folder}/bundle")

        soup = does(bob, "post Soup now, bring a bowl --at 40.7140,-74.0030 --wait 0").split()[1]
        hands_on(bob, carol)
        does(carol, f"like {soup} --wait 0")
        hands_on(carol, eve)
        does(eve, f"like {soup} --wait 0")
        does(eve, f"comment {soup} On my way --wait 0")
        does(eve, "post Bread at the mill --at 40.6268,-74.0060 --wait 0")
        hands_on(eve, bob)
        bob.chat()
        chat = anna.chat()
        chat.shows("caught up")

        def is_sent():
            return anna.asked("store stats")[0]["waiting"] == 0

        return anna.shell(block, then=lambda: until("bob has what anna wrote", is_sent))


def places(program, block):
    """Somebody has named a camp and its kitchen; another adds to it."""
    with Stage(program, "pair") as stage:
        anna, bob = stage.person("anna", "a"), stage.person("bob", "b")
        for words in ["Camp --at 40.7140,-74.0030 --about 'Tents and fires'", "Kitchen --in Camp --at 40.7142,-74.0028 --hours '8 to 20'"]:
            bob.run(f"lattice place add {words} --name bob --wait 0")
        bob.chat()
        anna.run("lattice here 40.7140,-74.0030 --name anna")
        anna.chat().shows("bob is connected")
        until("anna has what bob made", lambda: sum(one.get("kind") == "place" for one in anna.asked("places")) == 2)

        def is_sent():
            return anna.asked("store stats")[0]["waiting"] == 0

        return anna.shell(block, then=lambda: until("bob has what anna wrote", is_sent))


def drafts(program, block):
    """Anna writes on the way, and publishes when she has come back to somebody."""
    with Stage(program, "pair") as stage:
        anna = stage.person("anna", "a")
        stage.person("bob", "b").chat()
        anna.chat().shows("bob is connected")
        return anna.shell(block)


# Name, kind and part of what; each stands 60 metres north of the one before.
CAMP = [
    ("Gate", "exit", ""), ("Parking", "", ""), ("Field", "", ""), ("Tents", "", "Field"), ("Fire", "", "Field"),
    ("Kitchen", "kitchen", ""), ("Tap", "water", ""), ("Showers", "", ""), ("First aid", "first aid", ""),
    ("Stage", "stage", ""), ("Library", "library", ""), ("Lake", "", ""),
]
CLUES = ["Look under the oak", "Count the tents", "Ask the cook", "Ring the bell", "Dig here"]
MAP = """
import sqlite3
with sqlite3.connect("camp.mbtiles") as file:
    file.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
    file.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
    file.executemany("INSERT INTO metadata VALUES (?, ?)", [("name", "Camp"), ("bounds", "-74.02,40.70,-73.99,40.72")])
    file.executemany("INSERT INTO tiles VALUES (16, ?, 0, zeroblob(900000))", [(number,) for number in range(9)])
"""


def camp(program, block):
    """Bob made the camp; anna has just come to it."""
    with Stage(program, "pair") as stage:
        anna, bob = stage.person("anna", "a"), stage.person("bob", "b")

        def makes(words):
            bob.run(f"lattice {words} --name bob --wait 0")

        bob.run(f"cd && python3 -c {shlex.quote(MAP)}")
        for number, (name, kind, outer) in enumerate(CAMP):
            more = (f" --kind '{kind}'" if kind else "") + (f" --in {outer}" if outer else "")
            makes(f"place add {name} --at {40.71 + 0.00054 * number:.5f},-74.0060{more} --anyway")
        walk = ["40.7106,-74.0060", "40.7112,-74.0055", "40.7118,-74.0050", "40.7124,-74.0045", "40.7130,-74.0040"]
        for number, (place, clue) in enumerate(zip(walk, CLUES), 1):
            makes(f"post Clue {number}: {clue} --at {place} --unlock 50m")
        makes(f"event create Songs by the lake --at Stage --starts '{datetime.date.today() + datetime.timedelta(1)} 20:00'")
        bob.chat()
        bob.run("cd && lattice map add camp.mbtiles --share --name bob")
        if "walk.txt" in block.files:
            anna.run(f"cat >walk.txt <<'END'\n{block.files['walk.txt']}END")
        anna.chat().shows("bob is connected")
        until("anna has the places", lambda: len(anna.asked("places --near 40.71,-74.006 --limit 50")) == len(CAMP))
        until("anna has the clues", lambda: len(anna.asked("near 40.71,-74.006")) == len(CLUES))
        until("anna has the event", lambda: anna.asked("event near 40.71,-74.006"))
        until("anna hears of the map", lambda: anna.asked("map list"))
        anna.run("lattice here 40.7100,-74.0060 --name anna")
        played = []
        for line in block.lines:
            if line.startswith("$ "):
                # What the page calls the event.
                shown = re.sub(r"\b[0-9a-f]{6}\b", lambda _: anna.asked("event near")[0]["id"][:6], line)
                played += [shown, *anna.run(shown[2:]).splitlines()]
        return played


def doctor(program, block):
    """A firewall at the other end."""
    with Stage(program, "pair") as stage:
        anna, bob = stage.person("anna", "a"), stage.person("bob", "b")
        bob.run("nft add table inet wall")
        bob.run("nft 'add chain inet wall in { type filter hook input priority 0; }'")
        bob.run("nft add rule inet wall in tcp dport 4444 drop")
        # Who asks first dials nobody, and so nothing goes round the firewall.
        bob.chat("--port 4444 --invitations ask")
        anna.chat().shows("bob")
        return anna.shell(block, code=1)


def config(program, block):
    """The file of settings that stands above it."""
    with Stage(program, "segment 1") as stage:
        alice = stage.person("alice", "h1")
        name = ".config/lattice/config.json"
        alice.run(f"umask 077; mkdir -p {os.path.dirname(name)}; echo four odd words here >.config/lattice/camp.txt")
        alice.run(f"cat >{name} <<'END'\n{block.files[name]}END")
        return alice.shell(block)


# Blocks that show commands and nothing of what they say: they stand as they are if what they are for came of it.


def lines(program, block):
    """One says what a command prints, and another logs it."""
    with Stage(program, "pair") as stage:
        says, logs = block.lines
        log = Terminal(stage.person("logger", "b"), logs)
        log.shows('"event":"ready"')
        stage.person("sensor", "a").run(says)
        log.shows('"text":"[^"]*load average')
        return block.lines


def streams(program, block):
    """A folder goes from one to the other."""
    with Stage(program, "pair") as stage:
        listens, sends = block.lines
        anna, bob = stage.person("anna", "a"), stage.person("bob", "b")
        for person in [anna, bob]:
            person.run(f"lattice id --name {person.name}")
        taking = Terminal(anna, listens)
        bob.run("mkdir -p box/tools && ln -s ../../tools/lattice box/tools/lattice && echo dear anna >box/letter")
        bob.run(sends, place=f"{bob.home}/box")
        taking.ends()
        if anna.run("cat letter") != "dear anna\n":
            raise NeverHappened("the letter came, but not whole")
        return block.lines


PASSPHRASE = "four odd words here"


def keep_passphrase(person):
    person.run(f"lattice id --name {person.name}; umask 077; echo {PASSPHRASE} >camp.txt")


def closed(program, block):
    """One reads the passphrase from a file, the other is asked."""
    with Stage(program, "pair") as stage:
        reads, asks = block.lines
        anna, bob = stage.person("anna", "a"), stage.person("bob", "b")
        keep_passphrase(anna)
        bob.run("lattice id --name bob")
        first, second = Terminal(anna, reads), Terminal(bob, asks)
        second.shows("(?i)passphrase")
        second.type(PASSPHRASE)
        second.shows("anna is connected")
        first.shows("bob is connected")
        return block.lines


def invite(program, block):
    """Somebody comes by a link of the form that the page shows, where discovery is off."""
    with Stage(program, "pair") as stage:
        invites, joins = block.lines
        anna, bob = stage.person("anna", "a"), stage.person("bob", "b")
        keep_passphrase(anna)
        first = anna.chat("--mesh camp --passphrase-file ~/camp.txt")
        link = next(line for line in anna.run(invites).split() if line.startswith("lattice://"))
        shown = joins.split("'")[1]
        second = Terminal(bob, joins.replace(shown, link) + " --name bob --discovery off")
        second.shows("(?i)passphrase")
        second.type(PASSPHRASE)
        second.shows("anna is connected")
        first.shows("bob is connected")
        parts = [dict.fromkeys(re.findall(r"^[^?]+|[&?]\w+=|closed=1", text)) for text in [shown, link]]
        return block.lines if list(parts[0]) == list(parts[1]) else [invites, joins.replace(shown, link)]


def share(program, block):
    """Somebody takes the program by each of the lines, at the address that there is here."""
    with Stage(program, "pair") as stage:
        anna, bob = stage.person("anna", "a"), stage.person("bob", "b")
        shares = Terminal(anna, "lattice share")
        shares.shows("http://10.77.1.1:8090/")
        for line in block.lines:
            seen = bob.run(line.replace("192.168.1.7", "10.77.1.1")).splitlines()
            if not seen[-1].startswith("Next: ") or not bob.run(".local/bin/lattice --version").startswith("lattice "):
                raise NeverHappened("\n".join([line, *seen]))
            bob.run("rm .local/bin/lattice")
        shares.shows("10.77.1.2 took the program")
        return block.lines


def first_post(program, block):
    """Somebody alone leaves a post and sees it."""
    with Stage(program, "segment 1") as stage:
        seen = stage.person("alice", "h1").run("\n".join(["set -e", *block.lines]))
        if "Water at the gate" not in seen.splitlines()[-1]:
            raise NeverHappened(f"the post is near:\n{seen}")
        return block.lines


def metrics(program, block):
    """A node that counts, and two who look."""
    with Stage(program, "segment 1") as stage:
        alice = stage.person("alice", "h1")
        runs, asks, watches = block.lines
        Terminal(alice, runs)
        until("the metrics can be read", lambda: "lattice_links" in alice.run(asks, code=None))
        Terminal(alice, watches).shows("(?i)link|connection")
        return block.lines


def http(program, block):
    """A post by the API, and a look at it."""
    with Stage(program, "segment 1") as stage:
        alice = stage.person("alice", "h1")
        Terminal(alice, "lattice run --name alice --http 127.0.0.1:8080")
        until("the port is open", lambda: is_open(alice, 8080))
        *asks, stream = block.lines
        script = "\n".join(["set -e", *asks]).replace("curl ", "curl --fail --silent --show-error ")
        told = alice.run(script)
        if told.count('"Water here"') != 2:
            raise NeverHappened(f"no answer to the post is listed, or the post is not near:\n{told}")
        watch = Terminal(alice, stream)
        watch.shows("retry:")
        alice.run(script)
        watch.shows("event: placed")
        return block.lines


def irc(program, block):
    """The first of the two clients. Of the other this machine may have none with a screen."""
    with Stage(program, "segment 1") as stage:
        alice = stage.person("alice", "h1")
        listens, irssi, _ = block.lines
        Terminal(alice, listens)
        until("the port is open", lambda: is_open(alice, 6667))
        client = Terminal(alice, irssi)
        client.shows("(?i)welcome")
        client.type("/join #lobby")
        client.shows("alice.* has joined #lobby")
        return block.lines


def serve_nats(person):
    person.run("printf 'listen: 0.0.0.0:4222\njetstream { store_dir: \"js\", max_file: 1G }\n' >nats.conf")
    Terminal(person, "nats-server -c nats.conf")
    until("the broker listens", lambda: is_open(person, 4222))


def bridge_status(program, block):
    """A bridge that has sent a line, with its broker on the same machine."""
    with Stage(program, "pair") as stage:
        alice = stage.person("alice", "a")
        serve_nats(alice)
        Terminal(alice, "lattice run --name alice --room '#park'")
        until("the node runs", lambda: "node_stats" in alice.run("lattice stats --name alice --json", code=None))
        alice.run("lattice bridge allow '#park'")
        Terminal(alice, "lattice-bridge nats --url nats://127.0.0.1:4222")
        alice.run("lattice say park 'the soup is ready' --wait 0")
        # What it sent comes back once.
        until("both sides have everything", lambda: all(
            word in alice.run("lattice bridge status") for word in ["everything", "out: 4 added", "in: 0 added, 4 known"]))
        command = next(line for line in block.lines if line.startswith("$ "))
        shown = alice.run(command[2:]).replace("127.0.0.1:4222", "broker.example:4222")
        return [command, *shown.splitlines()]


def bridge(program, block):
    """Two sites that share no segment, and a broker between them."""
    with Stage(program, "line") as stage:
        alice, bob, broker = stage.person("alice", "a"), stage.person("bob", "c"), stage.person("broker", "b")
        serve_nats(broker)
        for person in [alice, bob]:
            Terminal(person, f"lattice run --name {person.name} --room '#park'")
            until(f"{person.name}'s node runs", lambda person=person: "node_stats" in person.run(
                f"lattice stats --name {person.name} --json", code=None))
        bob.run("lattice bridge allow '#park'")
        # The broker has an address on each segment, and pages one name.
        hosts = {"alice": "10.77.1.2", "bob": "10.77.2.2"}
        played, person = [], alice
        for line in block.lines:
            if line.startswith("# "):
                person = bob if "lake" in line else alice
                played.append(line)
            elif line.startswith("$ "):
                command = line[2:].replace("broker.example", hosts[person.name]).replace("tools/bridge", "lattice-bridge")
                played += [line, *person.run(command).splitlines()]
        return played


# By their names in the pages. Those that take longest come first, so that nobody waits for them alone.
SCENES = {
    "together": together,
    "posts": posts,
    "places": places,
    "drafts": drafts,
    "camp-map": camp,
    "camp-places": camp,
    "camp-hunt": camp,
    "camp-event": camp,
    "doctor": doctor,
    "private": private,
    "private-changes": private_changes,
    "urgent": urgent,
    "away": away,
    "chat": chat,
    "first": first,
    "who": who,
    "private-room": private_room,
    "lines": lines,
    "streams": streams,
    "closed": closed,
    "invite": invite,
    "share": share,
    "http": http,
    "irc": irc,
    "first-post": first_post,
    "metrics": metrics,
    "bridge": bridge,
    "bridge-status": bridge_status,
    "config": config,
}
