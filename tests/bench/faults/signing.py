"""Checksums made right again after a change, so that the change gets past them.

This is what only somebody with intent does: values that are well-formed but wrong cannot be noticed
then, so only crashes and hangs count. Written from the formats' descriptions, apart from the code.
"""

import json
import struct
import zlib

_ENTRY = 24
_DIRECTORY_AT = 60
_N_BLOCKS_AT, _LEVEL_BYTES_AT, _CRC_AT = 48, 52, 56


def sign_manifest(data: bytes) -> bytes:
    """Return a manifest with its last field right; bytes that are no JSON object as they are."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return data
    if not isinstance(body, dict):
        return data
    body.pop("crc", None)
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    body["crc"] = f"{zlib.crc32(text.encode()):08x}"
    return json.dumps(body, indent=1).encode() + b"\n"


def sign_layer(data: bytes) -> bytes:
    """Return a layer file whose blocks and header match their checksums, as far as it has any."""
    if len(data) < _DIRECTORY_AT:
        return data
    new = bytearray(data)
    n_blocks, level_bytes = struct.unpack_from("<II", new, _N_BLOCKS_AT)
    n_entries = min(n_blocks + 1, (len(new) - _DIRECTORY_AT) // _ENTRY)
    for i in range(n_entries - 1):
        at = _DIRECTORY_AT + i * _ENTRY
        start, end = (struct.unpack_from("<Q", new, at + j * _ENTRY)[0] for j in (0, 1))
        if end > start:
            struct.pack_into("<I", new, at + 20, zlib.crc32(new[start:end]))
    end = _DIRECTORY_AT + n_entries * _ENTRY
    crc = zlib.crc32(new[_DIRECTORY_AT:end], zlib.crc32(new[:_CRC_AT]))
    struct.pack_into("<I", new, _CRC_AT, zlib.crc32(new[end : end + level_bytes], crc))
    return bytes(new)


def record_layer(manifest: bytes, file: str, data: bytes) -> bytes:
    """Return the manifest with the size and checksum of a changed layer file in it."""
    body = json.loads(manifest)
    for entry in body["layers"]:
        if entry["file"] == file:
            entry["bytes"] = len(data)
            entry["crc"] = (
                struct.unpack_from("<I", data, _CRC_AT)[0] if len(data) >= _DIRECTORY_AT else 0
            )
    return sign_manifest(json.dumps(body).encode())
