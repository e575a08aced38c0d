"""A process within its memory: pages are handed back before a step that has no room, not after."""

import subprocess
import sys
from pathlib import Path

import pytest

import tablebase.memory.trimmer as trimmer_module
from tablebase.memory.trimmer import ResidentMemory, Trimmer

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="nothing is handed back there")


@posix_only
def test_pages_go_back_before_what_has_no_room(monkeypatch):
    """Of 1000 bytes 100 are kept free. 25 of files are worth handing back; 60 of them stay."""
    numbers, mapped, n_times = [0], [0], [0]

    def hand_back() -> None:
        mapped[0] = min(mapped[0], 60)
        n_times[0] += 1

    monkeypatch.setattr(trimmer_module, "_LOOK_EVERY_S", 3600)
    monkeypatch.setattr(trimmer_module, "_ROOM_SHARE", 10)
    monkeypatch.setattr(trimmer_module, "_MIN_ROOM", 0)
    monkeypatch.setattr(ResidentMemory, "n_bytes", property(lambda _: numbers[0] + mapped[0]))
    monkeypatch.setattr(ResidentMemory, "mapped_bytes", property(lambda _: mapped[0]))
    trimmer = Trimmer(1000, hand_back)
    trimmer.make_room()
    trimmer.start()
    for numbers[0], mapped[0], wanted, left, times in (
        (600, 300, 0, 300, 0),
        (600, 301, 0, 60, 1),
        (600, 200, 100, 200, 1),
        (600, 200, 101, 60, 2),
        (890, 84, 0, 84, 2),  # it would be tried at every step
        (890, 85, 0, 60, 3),
        (600, 85, 0, 85, 3),
    ):
        trimmer.make_room(wanted)
        assert (mapped[0], n_times[0]) == (left, times)
    trimmer.stop()
    numbers[0], mapped[0] = 1000, 1000
    trimmer.make_room()
    assert mapped[0] == 1000


_STEPS = """
import re, sys
from pathlib import Path
import numpy as np
import tablebase.memory.arrays as arrays_module
import tablebase.memory.trimmer as trimmer
from tablebase.build.layer_steps import Packing
from tablebase.build.layers import Layers
from tablebase.build.scratch import Scratch
from tablebase.build.worker_pool import LayerPool
from tablebase.formation.patterns_file import load_formations
from tablebase.memory.arrays import Arrays
from tablebase.rank.space import Space

ROOM, KEPT_FREE = 50 << 20, 30 << 20
trimmer._LOOK_EVERY_S = 3600  # the thread that looks now and then does not get its turn
trimmer._MIN_ROOM = KEPT_FREE
arrays_module._ALWAYS_IN_MEMORY = 1 << 16
arrays_module.room_in_memory = lambda *_: 0  # everything is mapped
folder = Path(sys.argv[1])
formation = load_formations()["442"]
space = Space(formation, 512, formation.n_layers(512))
sizes = [space.n_slots(formation.seed_half_sum + i) for i in range(space.n_layers)]
LARGEST = int(np.argmax(sizes))

def told(name):
    return int(re.search(name + r":\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) * 1024

def some(layers, layer, share):
    n_words = sizes[layer] // 64
    words = layers.arrays.zeros(layers.n_words(layer), np.uint64)
    chosen = np.random.default_rng(3).random(1 << 18) < share
    pattern = np.packbits(chosen).view(np.uint64)
    for start in range(0, n_words, pattern.size):
        part = words[start : min(start + pattern.size, n_words)]
        part[:] = pattern[: part.size]
    return words

def work(layers, layer):
    words = some(layers, layer, 0.6)
    yield "ended", (after := layers.ended(layer, words))
    few = some(layers, layer, 0.002)
    yield "rate_moves", layers.rate_moves(layer, few, after)
    yield "move", layers.move(layer, few)
    packing = Packing("uint32", 0.0, 0, True)
    yield "stored", layers.stored(layer, words, after, packing).write(folder)
    scratch = Scratch(folder, layers.arrays)
    yield "save_live", scratch.save_live(layer, after.values)
    yield "save_live", scratch.save_live(layer + 1, after.values)
    yield "load_live", scratch.load_live()
    yield "restored", layers.restored(layer, words, after.values)

def layers_of(limit):
    arrays = Arrays(folder, limit).__enter__()
    return Layers(space, 0.1, LayerPool(1, lambda: False, arrays), arrays)

for _ in work(layers_of(told("VmRSS") + (500 << 20)), 20):
    pass  # all code is loaded
before = told("VmRSS")
layers = layers_of(before + ROOM)
steps = work(layers, LARGEST)
name = "all"
while name:
    Path("/proc/self/clear_refs").write_text("5")  # forgets the most there ever was
    name, found = next(steps, ("", None))
    more = told("VmHWM") - before
    print(name, more >> 20)
    assert more <= ROOM, (name, more)
values = layers.ended(LARGEST, some(layers, LARGEST, 0.6)).values
assert values.nbytes > ROOM
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="tells the most memory a process ever had")
def test_a_process_keeps_to_its_limit_though_nobody_looks_in_time(tmp_path):
    """Work on mapped arrays that are larger than what is left, in a process of its own."""
    command = [sys.executable, "-c", _STEPS, str(tmp_path)]
    root = Path(__file__).parents[2]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert result.returncode == 0, result.stdout + result.stderr
