"""What a server on this machine checks before it answers: who asks, and what becomes of a body that it refuses."""

from __future__ import annotations

import asyncio

from starlette.types import Receive

MAX_DISCARDED = 256_000_000
"""Maximum read of a refused body, bytes."""
MAX_DISCARD_S = 5.0
"""Maximum time for it, seconds."""


async def discard_body(receive: Receive, max_s: float = MAX_DISCARD_S) -> bool:
    """Read and drop a request's body within the bounds; return whether that was all of it.

    A response sent while the client is still writing would reach it as a broken connection.
    """

    async def drained() -> bool:
        length = 0
        while length <= MAX_DISCARDED:
            message = await receive()
            length += len(message.get("body", b""))
            if not message.get("more_body", False):
                return True
        return False

    try:
        return await asyncio.wait_for(drained(), max_s)
    except asyncio.TimeoutError:
        return False
