"""The store's tools, called as the gateway calls them but in this process: gate, arguments, the task by its name, the text that is sent."""

import json
import time
import uuid
from typing import Any

from gateway.checks.arguments import validated
from gateway.checks.gates import check_gate
from gateway.dispatch.embedded_sender import EmbeddedCelery
from gateway.tools.registry import TOOLS
from shared.settings import Settings
from shared.wire.call import Call, Caller

_TASKS = EmbeddedCelery(Settings())


def caller(user: str, *, admin: bool = False) -> Caller:
    return Caller(user=user, scopes=frozenset({"read", "write"}), admin=admin)


def call_text(tool_name: str, who: Caller, within_s: float, **arguments: Any) -> str:
    """The text that the tool sends."""
    tool = TOOLS[tool_name]
    check_gate(tool, who)
    checked = validated(tool.arguments, arguments)
    now = time.time()
    call = Call(id=str(uuid.uuid4()), caller=who, entered=now, deadline=now + within_s, arguments=checked.model_dump())
    _TASKS.load_tasks()
    sent: bytes = _TASKS.tasks[tool.kind.name](call.model_dump(mode="json"))
    return sent.decode()


class Tools:
    """The tools for the users of one store; names go without `codekeeper_`."""

    def call(self, tool: str, user: str = "dana", *, within_s: float = 20, admin: bool = False, **arguments: Any) -> dict[str, Any]:
        """The answer to a call by a user who may write, `within_s` seconds before its deadline."""
        answer: dict[str, Any] = json.loads(call_text(f"codekeeper_{tool}", caller(user, admin=admin), within_s, **arguments))
        return answer

    def ok(self, tool: str, user: str = "dana", *, admin: bool = False, **arguments: Any) -> dict[str, Any]:
        """The same, of a call that must succeed."""
        answer = self.call(tool, user, admin=admin, **arguments)
        assert answer.get("ok"), answer
        return answer
