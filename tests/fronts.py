"""nginx in front of two app servers, as deploy/nginx.conf has it."""

import contextlib
import http.client
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from processes import Child, Server, running_server

CONFIG = Path(__file__).parents[1] / "deploy/nginx.conf"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
MAIN = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
events {{ worker_connections 512; }}
http {{
    access_log off;
    {temporary}
    include {folder}/critmass.conf;
}}
"""
PROXIED = ("--trusted-proxies", "1", "--base-url", "https://chain.example")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@dataclass
class Front:
    """nginx, and the app servers behind it."""

    port: int
    servers: list[Server]
    secure_port: int
    certificate: Path

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            return answered(connection, path, method, headers)

    def ask_securely(self, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        context = ssl.create_default_context(cafile=self.certificate)
        connection = http.client.HTTPSConnection("localhost", self.secure_port, timeout=30, context=context)
        with contextlib.closing(connection):
            return answered(connection, path, "GET", headers)


def answered(
    connection: http.client.HTTPConnection, path: str, method: str, headers: dict[str, str]
) -> tuple[http.client.HTTPResponse, bytes]:
    connection.request(method, path, headers={"Host": "chain.example", **headers})
    response = connection.getresponse()
    return response, response.read()


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of its own for localhost, and its key."""
    certificate, key = folder / "localhost.pem", folder / "localhost.key"
    files = ("-out", str(certificate), "-keyout", str(key))
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *files, *names)
    subprocess.run(made, check=True, capture_output=True)
    return certificate, key


def written(text: str, changes: dict[str, str]) -> str:
    """The configuration with other values; each has to be in it."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


@contextlib.contextmanager
def running_front(folder: Path) -> Iterator[Front]:
    """Run nginx in front of two servers, as deploy/nginx.conf has it, with its files in a folder."""
    assert NGINX, "nginx is not installed"
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(running_server(*PROXIED, dies=True)) for _ in range(2)]
        port, secure_port = free_port(), free_port()
        certificate, key = make_certificate(folder)
        changes = {
            "127.0.0.1:5001": f"127.0.0.1:{servers[0].port}",
            "127.0.0.1:5002": f"127.0.0.1:{servers[1].port}",
            "/var/cache/nginx/critmass": f"{folder}/cache",
            "listen 80;": f"listen 127.0.0.1:{port};",
            "# listen 443 ssl": f"listen 127.0.0.1:{secure_port} ssl",
            "# ssl_certificate /etc/ssl/chain.example.pem": f"ssl_certificate {certificate}",
            "# ssl_certificate_key /etc/ssl/private/chain.example.key": f"ssl_certificate_key {key}",
        }
        (folder / "critmass.conf").write_text(written(CONFIG.read_text("utf-8"), changes), "utf-8")
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        main = MAIN.format(
            folder=folder,
            user="user root;" if os.geteuid() == 0 else "",
            temporary=" ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds),
        )
        (folder / "nginx.conf").write_text(main, "utf-8")
        nginx = Child(NGINX, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf"))
        stack.callback(nginx.stop)
        front = Front(port, servers, secure_port, certificate)
        until = time.monotonic() + 20
        while True:
            with contextlib.suppress(ConnectionError):
                front.ask("/healthz")
                break
            assert time.monotonic() < until, f"{nginx}\n{(folder / 'error.log').read_text('utf-8')}"
            time.sleep(0.05)
        yield front
