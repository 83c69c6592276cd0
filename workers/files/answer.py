"""The answer about a file that was loaded: all of it, a range of its lines, its map, or the status that says why there is none."""

from collections.abc import Callable

from shared.answer import render
from workers.docs_gate import Policies, docs_referral
from workers.files import content
from workers.files.load import LoadedFile
from workers.files.outline_page import outline_page
from workers.files.outlines import outlined
from workers.files.request import FileRequest
from workers.parsing.outline import NoOutline
from workers.reading.decode import codec_of
from workers.reading.lines import count_lines


def answer_file(loaded: LoadedFile, request: FileRequest, policies: Policies) -> bytes:
    """Size, binary content, and the mode itself (GRF, "Order of the checks", from step 12 on).

    Raises:
        Refused: `range_out_of_bounds`, `answer_too_large` or `page_too_large`.
    """
    file: dict[str, object] = {"path": loaded.path, "ref": loaded.ref, "resolved_commit": loaded.commit_id, "size": loaded.entry.size}
    if loaded.entry.is_link:
        file["type"] = "symlink"
    if loaded.data is None:
        return render({"ok": True, "status": "too_large", "file": file, "max": request.ceiling})
    if loaded.is_binary:
        return render({"ok": True, "status": "binary", "file": file})
    if request.whole:
        text, encoding = loaded.text_and_encoding
        file |= {"lines": count_lines(text), "encoding": encoding}
        return content.whole(file, text, lambda: _referral(loaded, request, policies, whole_document=True))
    # A range is cut out of the bytes, and only what was cut is decoded: see `DEAREST_READ_BYTES`. A map that is kept needs no text at all.
    body, encoding = loaded.body_and_encoding
    file |= {"lines": count_lines(body), "encoding": encoding}
    if request.lines is not None:
        return content.part(file, body, encoding, request.lines)
    return _map(file, loaded, request, policies, lambda: body.decode(codec_of(encoding)))


def _referral(loaded: LoadedFile, request: FileRequest, policies: Policies, **more: object) -> dict[str, object]:
    return docs_referral(loaded.repo, loaded.path, request.arguments.ref, loaded.entry, policies, **more)


def _map(file: dict[str, object], loaded: LoadedFile, request: FileRequest, policies: Policies, text: Callable[[], str]) -> bytes:
    """A page of the file's map, or the status that says why there is none (GRF, "When there is no map")."""
    asked = request.arguments
    try:
        symbols = outlined(loaded.path, loaded.entry, text)
    except NoOutline as none:
        referral = _referral(loaded, request, policies) if none.reason == "unsupported_language" else {}
        return render({"ok": True, "file": file, "status": "no_outline", "reason": none.reason, **none.fields, **referral})
    return outline_page(file, symbols, asked.symbol or "", asked.page, asked.per_page)
