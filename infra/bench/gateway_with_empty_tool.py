"""`codekeeper serve` as it is, with the empty tool's row in this process's table of tools."""

import sys
from types import MappingProxyType

from gateway.commands.main import main
from gateway.tools import registry
from gateway.tools.tool import Tool
from infra.bench.empty_tool import EMPTY, NAME
from shared.wire.text import Arguments

_ROW = Tool(name=NAME, title="Nothing", description="Nothing.", arguments=Arguments, kind=EMPTY, admin=True)

if __name__ == "__main__":
    # Before `serve` is loaded: whoever imports the table takes it as it is then.
    registry.TOOLS = MappingProxyType({**registry.TOOLS, NAME: _ROW})  # type: ignore[misc]
    sys.argv[1:] = ["serve"]
    main()
