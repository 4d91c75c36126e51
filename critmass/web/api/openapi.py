"""The OpenAPI file: the reference, put into the form that programs read."""

from collections.abc import Iterable
from typing import Any

from critmass import __version__
from critmass.links import GAMES, Game
from critmass.web.api.description import (
    FORM,
    HTML,
    KINDS,
    OPTIONS,
    PARTS,
    ROUTES,
    SCHEMAS,
    TEXT,
    Answer,
    Parameter,
    Route,
)


def document() -> dict[str, Any]:
    """Return the whole file."""
    paths: dict[str, dict[str, Any]] = {}
    for game in GAMES.values():
        for suffix in KINDS:
            paths[game.template + suffix] = {"get": _match(game, suffix)}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _route(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Critical Mass",
            "version": __version__,
            "summary": "Chain Reaction by link: a match is its link.",
            "description": "The server stores nothing, and there is no key. The API page says the same in words: /api.",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": SCHEMAS},
    }


def _match(game: Game, suffix: str) -> dict[str, Any]:
    kind = KINDS[suffix]
    answers = {
        200: Answer(kind.about, kind.media, "Match" if suffix == ".json" else None),
        308: Answer("The link as it is written properly.", HTML),
        404: Answer("What is wrong with the link.", kind.fault, "Error" if suffix == ".json" else None),
    }
    if suffix in (".png", ".gif"):
        answers[429] = Answer("There is a limit to the pictures a minute; Retry-After says when there are more.", TEXT)
    if suffix == ".gif":
        answers[503] = Answer("Too many films are being drawn at once; Retry-After says when to ask again.", TEXT)
    if not suffix:
        answers[303] = Answer("The page, for those who asked for its part without htmx.", HTML)
    return {
        "operationId": f"{game.prefix}{suffix.replace('.', '-') or '-page'}",
        "summary": f"{kind.about} {game.title}: {game.about}",
        "tags": ["match"],
        "parameters": [
            *(_parameter(part, "path") for part in PARTS if f"{{{part.name}}}" in game.template),
            *(_parameter(option, "query", suffix) for option in OPTIONS if suffix in option.suffixes),
        ],
        "responses": _responses(answers.items()),
    }


def _route(route: Route) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": f"{route.endpoint}{route.path.replace('/', '-')}",
        "summary": route.about,
        "tags": ["site"],
        "parameters": [
            *(_parameter(part, "path") for part in route.parts),
            *(_parameter(option, "query") for option in route.query),
        ],
    }
    if route.form:
        fields = {field.name: {**field.schema, "description": field.about} for field in route.form}
        operation["requestBody"] = {
            "content": {FORM: {"schema": {"type": "object", "required": list(fields), "properties": fields}}}
        }
    operation["responses"] = _responses(route.answers.items())
    return operation


def _parameter(parameter: Parameter, where: str, suffix: str = "") -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": where,
        "required": where == "path",
        "description": parameter.about,
        "schema": parameter.schema_of(suffix),
    }


def _responses(answers: Iterable[tuple[int, Answer]]) -> dict[str, Any]:
    responses = {}
    for status, answer in sorted(answers):
        response: dict[str, Any] = {"description": answer.about}
        if answer.media:
            content = {"schema": {"$ref": f"#/components/schemas/{answer.schema}"}} if answer.schema else {}
            response["content"] = {answer.media: content}
        responses[str(status)] = response
    return responses
