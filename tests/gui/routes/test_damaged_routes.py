"""A damaged database of routes costs the routes in it, not those to come."""


def test_a_damaged_database_is_set_aside_and_a_new_one_begun(program, qtbot, data_dir):
    (data_dir / "routes.db").write_bytes(b"no database" * 500)
    running, listed = program(), []
    running.services.route_store.ask(lambda runs: runs.runs(), listed.append)
    qtbot.waitUntil(lambda: listed == [[]])
    (aside,) = data_dir.glob("routes.damaged-*.db")
    assert aside.read_bytes().startswith(b"no database")
