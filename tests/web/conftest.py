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
