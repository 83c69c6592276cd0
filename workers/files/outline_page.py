"""A page of a file's map as an answer, whole or refused (GRF, "Outline mode")."""

from collections.abc import Sequence

from workers.lists import render_page
from workers.parsing.outline import Symbol


def outline_page(file: dict[str, object], symbols: Sequence[Symbol], symbol: str, page: int, per_page: int) -> bytes:
    """Page `page`, from 1, of the symbols whose name contains `symbol`; the empty string keeps all (GRF-43 to GRF-52).

    Raises:
        Refused: `page_too_large` when the answer would not fit (GRF-54).
    """
    wanted = symbol.casefold()
    matching = [found for found in symbols if wanted in found.name.casefold()] if wanted else symbols
    first = (page - 1) * per_page
    shown = [{"name": found.name, "start": found.start, "end": found.end} for found in matching[first : first + per_page]]
    counters = {"total": len(matching), "page": page, "per_page": per_page}
    return render_page({"ok": True, "status": "outline", "file": file, "symbols": shown, **counters}, per_page)
