"""A certificate of one's own making, for a server at 127.0.0.1."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest


class Certificate(NamedTuple):
    """What a *server* needs to speak TLS, and the *file* by which a client trusts it."""

    server: ssl.SSLContext
    file: Path


def certificate_in(folder: Path) -> Certificate:
    """Make a certificate in *folder*; skip the test where there is no openssl."""
    if not shutil.which("openssl"):
        pytest.skip("needs openssl to make a certificate")
    key, file = folder / "key.pem", folder / "certificate.pem"
    command = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout {key} -out {file}"
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command.split(), *names], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)
    return Certificate(context, file)
