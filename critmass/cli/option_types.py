"""The types of options that name a host or a site: what is none is refused with a sentence before anything starts."""

from collections.abc import Callable

import click

from critmass.links.hosts import AddressError, read_allowed_host, read_base_url, read_listening_host


def _type(read: Callable[[str], str]) -> Callable[[str], str]:
    """Return what click reads an option with."""

    def convert(text: str) -> str:
        try:
            return read(text)
        except AddressError as error:
            raise click.BadParameter(str(error)) from error

    return convert


base_url = _type(read_base_url)
allowed_host = _type(read_allowed_host)
listening_host = _type(read_listening_host)
