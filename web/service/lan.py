"""Access for the user's own phone: this machine's address in its network, and its QR code."""

import io
import ipaddress
import socket
from collections.abc import Sequence

import psutil
import segno

from engine.platform.errors import AppError
from engine.platform.language import tr

_ANYWHERE = "192.0.2.1"  # an address for examples (RFC 5737), beyond every network at home


def is_private(address: str) -> bool:
    """Return whether an address belongs to this machine or to a private network.

    >>> [is_private(host) for host in ("127.0.0.1", "192.168.1.7", "8.8.8.8", "::ffff:10.0.0.1")]
    [True, True, False, True]
    >>> is_private("")
    False
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_private


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def lan_addresses() -> list[str]:
    """Return the private addresses of this machine, that of the default route first.

    Without a default route, 172.17 and the like come last: they mostly belong to virtual machines
    and containers.
    """
    states = psutil.net_if_stats()
    usable = [
        address
        for name, entries in psutil.net_if_addrs().items()
        if name in states and states[name].isup
        for entry in entries
        if entry.family == socket.AF_INET
        and (address := ipaddress.IPv4Address(entry.address)).is_private
        and not (address.is_loopback or address.is_link_local)
    ]
    if not usable:
        raise AppError(
            tr("--lan needs a network with private addresses, such as one at home; there is none")
        )
    first = _default_route()
    usable.sort(key=lambda one: (str(one) != first, str(one).startswith("172."), one))
    return [str(address) for address in usable]


def chosen_address(wanted: str, addresses: Sequence[str]) -> str:
    """Return the wanted address, or the first one."""
    if wanted and wanted not in addresses:
        raise AppError(
            "--lan {wanted}: this machine has no such private address, but {addresses}",
            wanted=wanted,
            addresses=", ".join(addresses),
        )
    return wanted or addresses[0]


def _default_route() -> str | None:
    """Return the address from which this machine reaches the internet; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_ANYWHERE, 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


def qr_rows(text: str) -> list[str]:
    """Return a QR code without its margin, a string of 0 and 1 for each row."""
    return ["".join(map(str, map(int, row))) for row in segno.make(text, micro=False).matrix]


def qr_text(text: str) -> str:
    drawn = io.StringIO()
    segno.make(text, micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")
