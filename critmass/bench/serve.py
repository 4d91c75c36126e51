"""The server that `critmass bench web` measures: the app with the constant page, on a free port."""

from critmass.bench.web import make_app
from critmass.web.http.server import Settings, listen, run

if __name__ == "__main__":
    run([listen("127.0.0.1", 0)], make_app(), Settings())
