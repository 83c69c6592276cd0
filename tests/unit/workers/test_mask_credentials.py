import pytest

from workers.mirror.mask_credentials import last_words, without_credentials


@pytest.mark.rule("REF-46", "PLT-120")
@pytest.mark.parametrize(
    ("said", "masked"),
    [
        ("fatal: https://user:hunter2@host/x not found", "fatal: https://***@host/x not found"),
        ("https://user:p@ss@host/x", "https://***@host/x"),
        ("ssh://git@host/x", "ssh://***@host/x"),
        ("token=abc rest", "token=*** rest"),
        ("access_token=abc&x=1", "access_token=***&x=1"),
        ("GITHUB_TOKEN: abc", "GITHUB_TOKEN: ***"),
        ("Password: 'two words' end", "Password: *** end"),
        ('{"secret": "a b"}', '{"secret": ***}'),
        ("x-api-key: abc", "x-api-key: ***"),
        ("Authorization: Basic abc=", "Authorization: ***"),
        ("authorization: bearer abc", "authorization: ***"),
        ("said ghp_0123456789abcdefABCD to us", "said *** to us"),
    ],
)
def test_what_looks_like_a_credential_is_masked(said: str, masked: str) -> None:
    assert without_credentials(said) == masked


@pytest.mark.parametrize("said", ["Host key verification failed.", "fatal: repository 'https://host/a' not found", "git@host: denied"])
def test_what_carries_no_credential_stays_as_it_is(said: str) -> None:
    assert without_credentials(said) == said


def test_a_known_credential_is_masked_wherever_it_stands() -> None:
    assert without_credentials("no user plainword, said plainword", ["plainword", ""]) == "no user ***, said ***"


def test_last_words_are_without_progress_and_control_characters_and_end_at_the_limit() -> None:
    progress = b"remote: Counting objects:   1% (1/9)\rReceiving objects:  10% (1/10)\rReceiving objects: 100% (10/10), done.\n"
    stderr = progress + b"remote: \x1b[31mno\x1b[0m\nfatal: gone \xff\n"
    assert last_words(stderr, 500) == "remote: \ufffd[31mno\ufffd[0m\nfatal: gone \ufffd"
    assert last_words(b"x" * 600 + b"y", 500) == "x" * 499 + "y"
