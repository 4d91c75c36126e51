"""The OpenAPI file describes what the app does: schemathesis asks for everything in it, and looks at the answers."""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from critmass.web import create_app
from critmass.web.api import openapi
from critmass.web.api.description import KINDS

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


PLAIN = {"Accept-Encoding": "identity"}
GOOD = [
    ("/m/{moves}", {"moves": "buvupvjuuvu"}),
    ("/m/{moves}", {"moves": "0z0"}),
    ("/codingame/{moves}", {"moves": "0z0z1"}),
    ("/classic/{board}/{players}/{moves}", {"board": "3x3", "players": 3, "moves": "47825827842"}),
    ("/classic/{board}/{players}/{moves}", {"board": "16x16", "players": 8, "moves": "a1pg"}),
]
SCHEMA = schemathesis.openapi.from_wsgi("/openapi.json", create_app())
OPERATIONS = [found.ok() for found in SCHEMA.get_all_operations()]


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_every_answer_is_as_described(operation: APIOperation, mode: GenerationMode) -> None:
    """Of what the file allows and, under `negative`, of what it does not."""
    if mode is GenerationMode.NEGATIVE and not takes_anything(operation):
        return

    @settings(max_examples=8, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(checks=CHECKS, headers=PLAIN)

    ask()


@pytest.mark.parametrize("suffix", KINDS)
@pytest.mark.parametrize(("path", "parts"), GOOD)
def test_a_match_is_as_described(path: str, parts: dict, suffix: str) -> None:
    for query in ({}, {"at": 1, "names": "Ada,Bo"}):
        case = SCHEMA[path + suffix]["GET"].Case(path_parameters=parts, query=query)
        response = case.call(headers=PLAIN)
        assert response.status_code == 200
        case.validate_response(response, checks=CHECKS)


def takes_anything(operation: APIOperation) -> bool:
    return any((operation.path_parameters, operation.query, operation.body))


def test_it_names_its_version_and_every_schema() -> None:
    document = openapi.document()
    assert document["openapi"].startswith("3.1.")
    text = str(document)
    for name in document["components"]["schemas"]:
        assert f"#/components/schemas/{name}" in text
    operations = [it["operationId"] for methods in document["paths"].values() for it in methods.values()]
    assert len(operations) == len({*operations})
