"""For clients that speak plain HTTP to a service of the tests."""

import ssl
from typing import Final

NO_AUTHORITIES: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""The `verify` of such a client: without it each would read the certificates of all authorities first, 20 ms of CPU time and never used."""
