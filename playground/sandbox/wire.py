"""Messages between the app, the warm parent and the wardens: one JSON object, length first."""

import base64
import json
import socket
import struct
from typing import Any

LARGEST_MESSAGE = 64 << 20
_LENGTH = struct.Struct("!Q")
BYTES_KEY = "base64"


class Broken(Exception):  # noqa: N818 - a state of the line, not a fault of ours
    """The other side is gone or does not keep to the form."""


def _pack(value: Any) -> Any:
    if isinstance(value, bytes):
        return {BYTES_KEY: base64.b64encode(value).decode("ascii")}
    raise TypeError(f"{type(value).__name__} does not travel")


def _unpack(data: dict[str, Any]) -> Any:
    return base64.b64decode(data[BYTES_KEY]) if data.keys() == {BYTES_KEY} else data


def send(line: socket.socket, message: dict[str, Any]) -> None:
    """Send one message.

    Args:
        line: a connected stream socket.
        message: JSON data, and bytes.

    Raises:
        OSError: the other side is gone.
    """
    body = json.dumps(message, default=_pack).encode("ascii")
    line.sendall(_LENGTH.pack(len(body)) + body)


def receive(line: socket.socket) -> dict[str, Any]:
    """Wait for one message.

    Args:
        line: a connected stream socket; its timeout holds for every piece.

    Returns:
        What `send` was given.

    Raises:
        Broken: the other side ended, was too slow, or sent something else.
    """
    try:
        (length,) = _LENGTH.unpack(_exactly(line, _LENGTH.size))
        if length > LARGEST_MESSAGE:
            raise Broken(f"a message of {length} bytes")
        message = json.loads(_exactly(line, length), object_hook=_unpack)
    except (OSError, ValueError, RecursionError) as error:
        raise Broken(str(error)) from error
    if not isinstance(message, dict):
        raise Broken("not an object")
    return message


def _exactly(line: socket.socket, count: int) -> bytes:
    pieces = []
    while count:
        piece = line.recv(min(count, 1 << 20))
        if not piece:
            raise Broken("the other side ended")
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)
