"""Garbage of the window is collected on its thread alone."""

import gc
import threading

import pytest
from PySide6.QtCore import QObject, QThread

from gui.work.garbage import GarbageCollector, without_collection


class Circle(QObject):
    """An object that only a collection can delete."""

    def __init__(self, threads):
        super().__init__()
        self.itself = self
        self.destroyed.connect(lambda: threads.append(QThread.currentThread()))


@pytest.fixture
def collector(qapp):
    del qapp
    was_enabled, limits = gc.isenabled(), gc.get_threshold()
    gc.freeze()  # the objects of all other tests
    collector = GarbageCollector()
    yield collector
    collector.close()
    gc.set_threshold(*limits)
    (gc.enable if was_enabled else gc.disable)()


def many_objects():
    return [[] for _ in range(20_000)]


@pytest.mark.usefixtures("collector")
def test_another_thread_that_makes_many_objects_deletes_no_widget(qtbot):
    threads, objects = [], []
    gc.collect()
    gc.set_threshold(1000, 1000, 1000)
    Circle(threads)
    thread = threading.Thread(target=lambda: objects.extend(many_objects()))
    thread.start()
    thread.join()
    assert not threads
    qtbot.waitUntil(lambda: bool(threads))
    assert threads == [QThread.currentThread()]


def test_little_garbage_waits(collector):
    threads = []
    gc.collect()
    gc.set_threshold(10_000, 1000, 1000)
    Circle(threads)
    collector.collect_if_due()
    assert not threads
    objects = many_objects()
    collector.collect_if_due()
    assert threads
    del objects


def test_an_old_generation_is_collected_when_it_is_due(collector):
    threads = []
    gc.collect()
    gc.set_threshold(1_000_000, 1, 1000)
    Circle(threads)
    gc.collect(0)  # deletes it at once
    assert len(threads) == 1
    circle = Circle(threads)
    gc.collect(0)
    del circle  # it is old by now
    gc.collect(0)
    assert len(threads) == 1
    collector.collect_if_due()
    assert len(threads) == 2


def test_nothing_is_collected_while_something_large_is_loaded(collector):
    threads = []
    gc.collect()
    gc.set_threshold(1000, 1000, 1000)
    with without_collection():
        Circle(threads)
        objects = many_objects()
        collector.collect_if_due()
        assert not threads
    assert gc.get_threshold() == (1000, 1000, 1000)
    gc.unfreeze()
    gc.collect()
    assert threads
    del objects


@pytest.mark.usefixtures("collector")
def test_it_goes_on_when_the_last_of_several_threads_has_loaded():
    limits = gc.get_threshold()
    first, second = without_collection(), without_collection()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold()[0] == 0
    second.__exit__(None, None, None)
    assert gc.get_threshold() == limits
    gc.unfreeze()


def test_python_collects_again_afterward(collector):
    assert not gc.isenabled()
    collector.close()
    assert gc.isenabled()
