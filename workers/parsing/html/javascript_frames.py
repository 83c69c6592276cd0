"""What the JavaScript scan remembers: definitions, functions that wait for their body, a frame for each open bracket. Pure data."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final


class Kind(Enum):
    """What a bracket opened."""

    BLOCK = auto()
    """Statements: the script itself, a body, a block, the inside of a `switch`."""
    CLASS = auto()
    OBJECT = auto()
    ROUND = auto()
    SQUARE = auto()
    TEMPLATE = auto()
    """The expression in a template's `${…}`."""


class Comes(Enum):
    """What may come next."""

    STATEMENT = auto()
    OPERAND = auto()
    OPERATOR = auto()
    """An expression may have ended here: a word on a new line begins a statement."""


class Stage(Enum):
    """How far the value of a variable or an assignment has been read, while it may still be a function."""

    BEGIN = auto()
    ASYNC = auto()
    """After `async`."""
    PARAMETERS = auto()
    """After a name or a closed bracket: a function if `=>` follows."""


@dataclass(slots=True)
class Definition:
    """A function or class with a name. Positions are characters of the text that the script stands in."""

    name: str
    start: int
    end: int | None = None
    """Behind its last character; None while it is open."""
    is_none: bool = False
    """It turned out not to be one: no body came, or the value went on behind the body."""


@dataclass(slots=True)
class Owner:
    """A function or class between its keyword and the end of its body."""

    definition: Definition | None
    is_expression: bool
    """No statement of its own: what stands behind its `}` goes on with the expression."""
    is_arrow: bool = False
    waits_for_name: bool = False
    start: int = 0
    """Where the symbol begins whose name is yet to come."""


@dataclass(slots=True)
class Candidate:
    """A name that is being given a value which may be a function."""

    name: str
    start: int
    stage: Stage


@dataclass(slots=True)
class Next:
    """What only the very next token may take up. Never changed: `NOTHING` is one for all."""

    begin: int | None = None
    """Where `export`, `default` or `async` began."""
    declares: bool = False
    """After `export default` and `async`: `function` and `class` are declarations."""
    is_default: bool = False
    """After `export default`: `{` is an object."""
    is_head: bool = False
    """After `if`, `for`, `while`, `with`: a statement follows the brackets."""
    name_comes: bool = False
    """A variable or an assignment may begin."""
    candidate: Candidate | None = None
    arrow: Owner | None = None
    """After `=>`."""
    body: Owner | None = None
    """After a function's parameters."""
    closed: Definition | None = None
    """After the `}` of a function or class that is a value."""


NOTHING: Final = Next()
NAME_COMES: Final = Next(name_comes=True)


@dataclass(slots=True)
class Frame:
    """One open bracket."""

    kind: Kind
    owner: Owner | None = None
    """BLOCK, CLASS: what this is the body of. ROUND: the function whose parameters these are."""
    is_head: bool = False
    candidate: Candidate | None = None
    """ROUND: the parameters of its function if `=>` follows."""
    class_owner: Owner | None = None
    """The class whose body comes next."""
    ternaries: int = 0
    """`?` in this statement without their `:`."""
    declares_from: int | None = None
    """Where this statement's `const`, `let` or `var` begins, until its first variable."""
    left: tuple[int, int] | None = None
    """Where the left side of a possible assignment begins, and where its symbol would."""
    arrow: Definition | None = None
    """A function without braces: it ends with its expression."""
