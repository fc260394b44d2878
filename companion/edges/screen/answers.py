"""What every route shares: answers as JSON, and small requests strictly read."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

LONGEST_BODY = 1024  # bytes of what is posted


def json_answer(content: Any, status: int = 200) -> Response:
    """Plain data as an answer."""
    return Response(msgspec.json.encode(content), status, media_type="application/json")


async def small(request: Request, longest: int = LONGEST_BODY) -> dict[str, str] | None:
    """A small JSON object of texts; None for anything else, which is not read to its end."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return None
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > longest:
            return None
    try:
        return msgspec.json.decode(body, type=dict[str, str])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
