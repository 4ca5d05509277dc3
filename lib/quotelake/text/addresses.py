"""Addresses: their parts, and how they are shown, without the user, the password and the tokens in them."""

import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

_USER: Final = re.compile(r"(?<=://)[^/?#\s@]+@")
_SECRET: Final = re.compile(
    r"(?<=[?&;])((?:access_?|api_?|auth_?|x-amz-)?(?:token|key|secret|password|passwd|pwd|signature|sig|credential)=)"
    r"[^&;#\s]*",
    re.IGNORECASE,
)


def parts_of(url: str | None) -> SplitResult:
    """Parts of an address, all empty where it is none, such as one with a bracket that opens no IPv6 address.

    >>> parts_of("https://a.example/b").hostname, parts_of("http://[a").hostname
    ('a.example', None)
    """
    try:
        return urlsplit(url or "")
    except ValueError:
        return urlsplit("")


def without_secrets(text: str) -> str:
    """A text whose addresses have neither user and password nor values of parameters that are named as secrets.

    >>> without_secrets("read s3://me:pass@bucket/a and https://a.example/b?page=2&token=x1")
    'read s3://bucket/a and https://a.example/b?page=2&token='
    """
    return _SECRET.sub(r"\1", _USER.sub("", text)) if "://" in text else text
