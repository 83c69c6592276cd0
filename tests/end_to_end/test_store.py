"""What users save, through the front door of both forms: scopes, and a file and a note from their first text to their last."""

import json

import pytest

from tests.end_to_end.services import Service


@pytest.mark.rule("PLT-61")
def test_a_token_without_the_scope_write_writes_nothing(service: Service) -> None:
    name = f"scope-{service.form}.txt"
    reply = service.connection("reader").call("codekeeper_save_file", file_name=name, code="x")
    assert reply.is_error
    assert reply.text.startswith("insufficient_scope")
    writer = service.connection("writer")
    assert writer.call("codekeeper_append_file", file_name=name, content="x").json == {"ok": False, "error": "not_found"}


@pytest.mark.rule("PLT-11", "PLT-15")
def test_a_writer_saves_edits_appends_describes_and_notes(service: Service) -> None:
    name, writer = f"plans/{service.form}.md", service.connection("writer")
    saved = writer.call("codekeeper_save_file", file_name=name, code="# תוכנית\n")
    assert (saved.is_error, saved.json["file"]["version"], saved.json["file"]["language"]) == (False, 1, "markdown")
    assert "תוכנית" not in saved.text
    edited = writer.call("codekeeper_edit_file", file_name=name, old_string="#", new_string="##").json
    assert (edited["replacements"], edited["file"]["version"]) == (1, 2)
    assert writer.call("codekeeper_append_file", file_name=name, content="end").json["file"]["lines_count"] == 2
    assert writer.call("codekeeper_update_file_description", file_name=name, description="d").json["file"]["description"] == "d"
    note = writer.call("codekeeper_create_note", file_name=name, content="look here", line=2).json["note"]
    changed = writer.call("codekeeper_note_str_replace", note_id=note["id"], old_string="here", new_string="there").json["note"]
    assert (changed["version"], changed["line"]) == (2, 2)
    assert writer.call("codekeeper_save_file", file_name=name, code="x").json["error"] == "file_exists"


@pytest.mark.rule("PLT-90")
def test_the_largest_file_passes_the_ceiling_on_bodies_however_it_is_escaped(service: Service) -> None:
    name, writer = f"large-{service.form}", service.connection("writer")
    code = "\x01" * 512_000  # six bytes each in JSON
    assert len(json.dumps(code)) > 3_000_000
    assert writer.call("codekeeper_save_file", file_name=name, code=code).json["file"]["file_size"] == 512_000
    assert writer.call("codekeeper_save_file", file_name=f"{name}-too", code=code + "x").json["error"] == "code_too_large"
