import time

import pytest
from flask import Flask
from flask.testing import FlaskClient

from critmass.web import create_app


@pytest.fixture(scope="session")
def app() -> Flask:
    """The app as it is without any configuration, exceptions let through."""
    return create_app({"TESTING": True})


@pytest.fixture(scope="session")
def client(app: Flask) -> FlaskClient:
    return app.test_client(use_cookies=False)


@pytest.fixture(scope="session")
def awake(client: FlaskClient) -> None:
    """The computer of `client` at its full strength: compiling what it runs on takes a while, once."""
    end = time.monotonic() + 120
    while client.get("/hint?link=/m/").status_code == 503:
        assert time.monotonic() < end
        time.sleep(0.2)
