"""What every route shares: answers as JSON, pages packed for the way, and small requests strictly read."""

from __future__ import annotations

import gzip
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from companion.edges.screen.german import asked, told

Endpoint = Callable[[Request], Awaitable[Response]]
Routes = list[tuple[str, Endpoint, str]]  # what a room answers: path, endpoint, method

WORTH_PACKING = 1_000  # bytes
LONGEST_BODY = 1024  # bytes of what is posted


def json_answer(content: Any, status: int = 200) -> Response:
    """Plain data as an answer."""
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def spoken(request: Request, response: Response) -> Response:
    """The same answer, where it is a refusal in words: in the language of whoever asked."""
    if response.status_code < 400 or not isinstance(response, PlainTextResponse):
        return response
    lang = asked(request.query_params.get("lang"), request.headers.get("accept-language"))
    return PlainTextResponse(told(bytes(response.body).decode(), lang), response.status_code)


def packed(request: Request, response: Response) -> Response:
    """The same answer in fewer bytes, for a browser that unpacks it: a full class loads its page over one radio."""
    response.headers["vary"] = "Accept-Encoding"
    if "gzip" in request.headers.get("accept-encoding", "") and len(response.body) > WORTH_PACKING:
        body = _gzipped(bytes(response.body))
        response.headers["content-encoding"] = "gzip"
        response.headers["content-length"] = str(len(body))
        response.body = body
    return response


@lru_cache(maxsize=160)
def _gzipped(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)


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
