"""``serve``: tables, search and games over HTTP, for programs and browsers of this machine."""

import argparse
import importlib.util
import os
import secrets
import socket
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from engine.platform.cli.console import DONE, Commands, Output, add_command, folders_of, note
from engine.platform.cli.control import add_stdin_control, cancellable
from engine.platform.errors import AppError
from engine.platform.language import tr
from engine.platform.project_files import program_version
from tablebase.library.arguments import add_option, add_tables, table_folders_of
from tablebase.library.named_tables import known_formations
from web.service.rate_limit import DEFAULT_PER_SECOND

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from web.service.guard import Access

TOKEN_VARIABLE = "ENDGAME2048_TOKEN"
MIN_TOKEN = 16
_DEFAULT_HOST, _DEFAULT_PORT = "127.0.0.1", 2048
_PACKAGES = ("httptools", "segno", "starlette", "uvicorn")


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "serve",
        run,
        tr("serve tables, search and games to programs and browsers over HTTP"),
        tr(
            "Only programs on this machine can reach it, and only with the token it prints. It "
            "builds nothing unless you allow it. docs/service.md and its own page /docs describe "
            "the requests."
        ),
    )
    parser.add_argument(
        "--host",
        type=_host,
        metavar=tr("ADDRESS"),
        help=tr(
            "listen on another address of this machine (default: {host}, this machine)",
            host=_DEFAULT_HOST,
        ),
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=_DEFAULT_PORT,
        metavar="N",
        help=tr("the port to listen on, 0 for one that is free (default: %(default)s)"),
    )
    parser.add_argument(
        "--lan",
        nargs="?",
        const="",
        metavar=tr("ADDRESS"),
        help=tr(
            "let devices of your own network in too, such as your phone, and show a QR code "
            "(default: the network that leads to the internet)"
        ),
    )
    add_tables(parser)
    add_option(parser, "spawn4")
    parser.add_argument(
        "--allow-builds",
        action="store_true",
        help=tr("let programs that have the token build tables in the data folder"),
    )
    parser.add_argument(
        "--no-token",
        action="store_true",
        help=tr("answer everybody on this machine, other users and their programs too"),
    )
    parser.add_argument(
        "--rate",
        type=_rate,
        default=DEFAULT_PER_SECOND,
        metavar="N",
        help=tr(
            "at most N requests per second from one address (default: {rate:g})",
            rate=DEFAULT_PER_SECOND,
        ),
    )
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    if missing := [name for name in _PACKAGES if importlib.util.find_spec(name) is None]:
        raise AppError(
            "serve needs {packages}: install them with python -m pip install "
            "'endgame2048[web]', in a checkout with python -m pip install -e '.[web]'",
            packages=", ".join(missing),
        )
    host: str = args.host or _DEFAULT_HOST
    with cancellable(args.stdin_control) as switch, ExitStack() as opened:
        from web.service.app import request_limits
        from web.service.guard import Guard
        from web.service.lan import chosen_address, is_loopback, lan_addresses
        from web.service.server import listening, serve

        if args.lan is not None:
            _check_lan(args)
        elif not is_loopback(host):
            if args.no_token:
                raise AppError(tr("--no-token is for this machine alone: leave it or --host out"))
            note(
                tr(
                    "warning: everybody who reaches {host} can try to ask this service, and read "
                    "the token and all answers on the way: nothing is encrypted",
                    host=host,
                )
            )
        token = "" if args.no_token else _token()
        listeners = [opened.enter_context(listening(host, args.port))]
        access = _access(host, listeners[0], token)
        link = None
        if args.lan is not None:
            addresses = lan_addresses()
            address = chosen_address(args.lan, addresses)
            if others := [other for other in addresses if other != address]:
                note(
                    tr(
                        "this machine has other addresses, too: {addresses}; choose one with "
                        "--lan ADDRESS",
                        addresses=", ".join(others),
                    )
                )
            listeners.append(opened.enter_context(listening(address, access.port)))
            access = replace(access, names=access.names | {address}, only_private=True)
            link = _address(address, access.port, token)
        app = _app(args, link)
        _report(Output(args.json), host, access, link)
        serve(Guard(app, access, request_limits(args.rate)), listeners, switch.is_cancelled)
    return DONE


def _check_lan(args: argparse.Namespace) -> None:
    if args.no_token:
        raise AppError(tr("--no-token is for this machine alone: leave it or --lan out"))
    if args.host is not None:
        raise AppError(tr("--lan finds the address itself: leave it or --host out"))
    note(
        tr(
            "warning: nothing is encrypted, so others in this network could read along: use "
            "--lan in a network that you trust"
        )
    )


def _app(args: argparse.Namespace, link: str | None) -> "ASGIApp":
    from web.service.analyses import AnalysisJobs
    from web.service.app import Parts, make_app
    from web.service.builds import ServiceBuilds
    from web.service.games import Games
    from web.service.grading import Grader
    from web.service.page import page_files
    from web.service.searching import Searcher
    from web.service.tables import ServedTables

    folders = folders_of(args)
    tables = table_folders_of(args)
    served = partial(ServedTables, tables, formations=partial(known_formations, folders))
    return make_app(
        Parts(
            tables=served(),
            search=Searcher(tables, args.spawn4),
            grading=Grader(served()),
            analyses=AnalysisJobs(served(), args.spawn4),
            games=Games(),
            builds=ServiceBuilds(folders) if args.allow_builds else None,
            page=page_files(),
            spawn4=args.spawn4,
            version=program_version(),
            is_eager=True,
            link=link,
        )
    )


def _access(host: str, listener: socket.socket, token: str) -> "Access":
    from web.service.guard import Access

    address, port = listener.getsockname()[:2]
    is_any = address in ("0.0.0.0", "::")
    names = {"127.0.0.1", "localhost", "[::1]", host.lower()}
    if ":" in host:
        names.add(f"[{host.lower()}]")
    if is_any:
        names.add(socket.gethostname().lower())
    return Access(frozenset(names), port, token, is_any)


def _report(output: Output, host: str, access: "Access", link: str | None) -> None:
    """Print the address of the service; the token is after #, which browsers don't send."""
    name = f"[{host}]" if ":" in host else host
    shown = _DEFAULT_HOST if access.any_address else name
    base, url = (_address(shown, access.port, token) for token in ("", access.token))
    event = {"event": "serving", "url": url, "base": base, "token": access.token or None}
    output.report({**event, "lan": link} if link else event, tr("Open {url}", url=url))
    if access.token:
        output.show(tr("Token: {token}", token=access.token))
    if link:
        from web.service.lan import qr_text

        output.show(tr("On your phone, in the same network: {url}", url=link), qr_text(link))
    output.show(tr("Paths: {docs}   End: Ctrl+C", docs=f"{base}docs"))


def _address(host: str, port: int, token: str) -> str:
    base = f"http://{host}:{port}/"
    return f"{base}#{urlencode({'token': token})}" if token else base


def _token() -> str:
    given = os.environ.get(TOKEN_VARIABLE)
    if given is None:
        return secrets.token_urlsafe(24)
    if len(given) < MIN_TOKEN or not given.isascii() or not given.isprintable() or " " in given:
        raise AppError(
            "{name} is too weak: expected {n} characters or more without spaces",
            name=TOKEN_VARIABLE,
            n=MIN_TOKEN,
        )
    return given


def _host(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError(
            tr(
                "{text!r} is not an address: expected one of this machine's, such as 127.0.0.1",
                text=text,
            )
        )
    return text


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 1 << 16:
        return int(text)
    raise argparse.ArgumentTypeError(
        tr("{text!r} is not a port: expected a whole number from 0 to 65535", text=text)
    )


def _rate(text: str) -> float:
    if text.isascii() and text.isdigit() and 1 <= int(text[:10]) <= 10**9:
        return float(text)
    raise argparse.ArgumentTypeError(
        tr("{text!r}: expected a whole number from 1 to 1000000000", text=text)
    )
