"""`codekeeper serve` for the conformance suite, which can send no token: every request gets the one in `TESTS_TOKEN`. The rest is real.

Asked at `/mcp?session`, it also names a session in its responses, which the server itself never does and never looks at: without one the
suite doesn't run its checks of several streams.
"""

import os

from sqlalchemy import Engine
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.app import make_app
from gateway.commands import serve
from shared.settings import Settings


def open_app(settings: Settings, engine: Engine) -> ASGIApp:
    app = make_app(settings, engine)
    token = (b"authorization", f"Bearer {os.environ['TESTS_TOKEN']}".encode())

    async def with_token(scope: Scope, receive: Receive, send: Send) -> None:
        async def naming_a_session(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], (b"mcp-session-id", b"any")]}
            await send(message)

        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        answered = naming_a_session if scope["query_string"] == b"session" else send
        await app({**scope, "headers": [*scope["headers"], token]}, receive, answered)

    return with_token


if __name__ == "__main__":
    serve.make_app = open_app
    serve.serve()
