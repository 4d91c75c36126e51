"""The web application: links in, pages out. It stores nothing."""

from critmass.web.app import create_app

__all__ = ["create_app"]
