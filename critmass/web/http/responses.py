"""How answers are kept by caches, and shared with other sites."""

from flask import Response, request
from werkzeug.wrappers import Response as AnyResponse

KEEP = "public, max-age=300, stale-while-revalidate=86400"
"""A match page depends on nothing but its address and the program: anybody may keep it."""
_CONDITIONS = frozenset({"HTTP_IF_NONE_MATCH", "HTTP_IF_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_UNMODIFIED_SINCE"})


def cross_origin(response: AnyResponse) -> AnyResponse:
    """Let other sites read and embed the response, which is no page: a match is no secret."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def cacheable(response: Response) -> AnyResponse:
    """Return the response so that caches may keep it and ask again by its tag, by default that of its content."""
    response.headers["Cache-Control"] = KEEP
    response.add_etag()  # unless it has one
    asks_again = not _CONDITIONS.isdisjoint(request.environ)
    return response.make_conditional(request) if asks_again else response
