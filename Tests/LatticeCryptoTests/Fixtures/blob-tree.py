"""Writes blob-tree.json: the roots of blobs, and the shape of their trees. It shares no code with what it tests."""
import hashlib
import json
import os

LEAF, FANOUT = 32_768, 1_024


def blake(octets, person, size=32):
    return hashlib.blake2b(octets, digest_size=size, person=person).digest()


def fill(count):
    parts = (count + 63) // 64
    return b"".join(blake(i.to_bytes(8, "big"), b"lattice vector\0\0", 64) for i in range(parts))[:count]


def hash_leaf(octets):
    return blake(octets, b"lattice leaf v1\0")


def hash_node(hashes):
    return blake(b"".join(hashes), b"lattice node v1\0")


def root(size, level):
    while len(level) > 1:
        level = [hash_node(level[i:i + FANOUT]) for i in range(0, len(level), FANOUT)]
    return blake(size.to_bytes(8, "big") + level[0], b"lattice root v1\0").hex()


def of(octets):
    return root(len(octets), [hash_leaf(octets[i:i + LEAF]) for i in range(0, max(1, len(octets)), LEAF)])


def pieces(size):
    """All pieces in pre-order as (level, parent, place, length); levels count from the leaves, and -1 stands for no parent."""
    lengths = [min(LEAF, size - i) for i in range(0, max(1, size), LEAF)]
    found = []

    def walk(level, first, count, parent, place):
        number = len(found)
        if level == 0:
            found.append((0, parent, place, lengths[first]))
            return
        span = FANOUT ** (level - 1)
        children = -(-count // span)
        found.append((level, parent, place, 32 * children))
        for child in range(children):
            walk(level - 1, first + child * span, min(span, count - child * span), number, child)

    height = 0
    while FANOUT ** height < len(lengths):
        height += 1
    walk(height, 0, len(lengths), -1, 0)
    return height, found


def ends(height, found):
    """Both ends of each level, and what follows the first node of the lower level."""
    chosen = {0, 1, 2, len(found) - 2, len(found) - 1, FANOUT, FANOUT + 1, FANOUT + 2}
    return [{"number": n, "level": found[n][0], "parent": found[n][1], "place": found[n][2], "length": found[n][3]}
            for n in sorted(chosen) if 0 <= n < len(found)]


sizes = [0, 1, LEAF - 1, LEAF, LEAF + 1, 2 * LEAF, FANOUT * LEAF, FANOUT * LEAF + 1, 2 * FANOUT * LEAF]
blobs = [{"size": size, "root": of(fill(size))} for size in sizes]
zeros = [hash_node([hash_leaf(bytes(LEAF))] * FANOUT)] * FANOUT
shapes = []
for size in sizes + [2 ** 35]:
    height, found = pieces(size)
    shapes.append({"size": size, "height": height, "pieces": len(found), "ends": ends(height, found)})
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "blob-tree.json")
with open(path, "w") as file:
    json.dump({"blobs": blobs, "zeros": {"size": 2 ** 35, "root": root(2 ** 35, zeros)}, "shapes": shapes}, file, indent=1)
    file.write("\n")
