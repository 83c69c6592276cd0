"""`codekeeper token`: personal access tokens, issued once in the clear."""

import click
from sqlalchemy import Engine

from gateway import tokens
from gateway.commands.output import emit, refuse
from shared.database.engine import open_engine
from shared.database.migrate import migrate
from shared.errors import ErrorCode, Refused
from shared.limits import MAX_USER_CHARS
from shared.settings import settings


def _engine() -> Engine:
    engine = open_engine(settings().database)
    migrate(engine, settings().data_dir)
    return engine


@click.group(
    epilog="""\b
Examples:
  codekeeper token issue --user dana --label laptop
  codekeeper token issue --user ci --ttl-days 30
  codekeeper token list
  codekeeper token revoke 3"""
)
def token() -> None:
    """Issue, list and revoke personal access tokens."""


@token.command()
@click.option("--user", required=True, help="Who the token speaks for; admins are those in CODEKEEPER_ADMIN_USERS.")
@click.option("--write", is_flag=True, help="Grant the scope write beside read.")
@click.option("--label", default="", help="A word to tell this token from others.")
@click.option("--ttl-days", type=click.FloatRange(min=0, min_open=True, max=36_500), help="Days until it expires; not given: never.")
def issue(user: str, label: str, ttl_days: float | None, *, write: bool) -> None:
    """Issue a token and print it, once: {"token", "id", "user", "scopes", "expires_at"}."""
    if not user.strip() or len(user) > MAX_USER_CHARS or len(label) > MAX_USER_CHARS:
        raise click.UsageError(f"--user is 1 to {MAX_USER_CHARS} characters, --label at most {MAX_USER_CHARS}.")
    emit(tokens.issue(_engine(), user, ["read", "write"] if write else ["read"], label, ttl_days))


@token.command("list")
def list_() -> None:
    """Print every token's record, one a line; never a token or its hash."""
    for record in tokens.all_tokens(_engine()):
        emit(record.listed())


@token.command()
@click.argument("token_id", metavar="ID", type=int)
def revoke(token_id: int) -> None:
    """Revoke the token with this ID for good; every gateway refuses it within 5 seconds."""
    record = tokens.revoke(_engine(), token_id)
    if record is None:
        refuse(Refused(ErrorCode.UNKNOWN_TOKEN, message="No token has that id; `codekeeper token list` names them."))
    emit(record.listed())
