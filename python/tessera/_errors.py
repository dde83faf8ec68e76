"""What goes wrong: exceptions and warnings."""
from __future__ import annotations

import errno
import os


class TesseraWarning(UserWarning):
    """A fact about an input that is not an error, but that its user should know."""


class TesseraError(Exception):
    """Base of all errors that Tessera reports. Each of them is also the Python exception that fits.

    Attributes
    ----------
    status : str
        The kind of error, a word of the C library: "SYNTAX", "CORRUPT"...
    path : str or None
        The file that the error is about.
    line, column : int or None
        The place in the file, or the column of the expression, format or layout; both count from 1.
    """

    status: str = ""
    path: "str | None" = None
    line: "int | None" = None
    column: "int | None" = None

    def __reduce__(self) -> "tuple[object, ...]":
        """Errors reach other processes (multiprocessing) with their attributes; the classes of OSErrors are made as needed."""
        if isinstance(self, OSError):
            return (_io_error_again, (self.errno, self.strerror, self.filename), dict(self.__dict__))
        return (type(self), self.args, dict(self.__dict__))


class ArgumentError(TesseraError, ValueError):
    """A wrong argument."""


class FormatError(TesseraError, ValueError):
    """A malformed file, expression, format or layout, or arrays that contradict themselves."""


class LimitError(TesseraError, MemoryError):
    """Larger than a limit, such as the memory that is left."""


class UnsupportedError(TesseraError, NotImplementedError):
    """Well-formed, but Tessera cannot do it."""


class CancelledError(TesseraError):
    """The call was cancelled."""


class SystemMemoryError(TesseraError, MemoryError):
    """Out of memory."""


_KINDS = {
    "NOMEM": SystemMemoryError,
    "SYNTAX": FormatError,
    "RANGE": FormatError,
    "LIMIT": LimitError,
    "DUPLICATE": FormatError,
    "UNSUPPORTED": UnsupportedError,
    "ARGUMENT": ArgumentError,
    "CORRUPT": FormatError,
    "CANCELLED": CancelledError,
}

_ERRNO = {os.strerror(number): number for number in errno.errorcode}
_io_types: "dict[type, type]" = {}


def _io_error(message: str, path: "str | None") -> TesseraError:
    """An OSError of the class that fits, with errno: the library ends these messages with the text of the system."""
    number = _ERRNO.get(message.rsplit(": ", 1)[-1], errno.EIO)
    return _io_error_again(number, message.rsplit(": ", 1)[0] if number != errno.EIO else message, path or None)


def _io_error_again(number: int, text: str, path: "str | None") -> TesseraError:
    base = type(OSError(number, ""))  # FileNotFoundError, PermissionError...
    if base not in _io_types:
        _io_types[base] = type(base.__name__, (TesseraError, base), {"__module__": "tessera", "__doc__": base.__doc__})
    error: TesseraError = _io_types[base](number, text, path)
    return error


def make_error(status: str, message: str, path: str, line: int, column: int, text: str) -> TesseraError:
    """The exception for what the library said. `text` is the message with the place before it."""
    error: TesseraError
    if status == "IO":
        error = _io_error(message, path)
    else:
        error = _KINDS.get(status, TesseraError)(text)
    error.status = status
    error.path = path or None
    error.line = line or None
    error.column = column or None
    return error


def add_caret(error: TesseraError, text: str) -> TesseraError:
    """Add the text that was given, and a caret below the wrong column, to an error without a line."""
    if error.column and not error.line and not error.path and "\n" not in text:
        before = text.encode("utf-8", "replace")[: error.column - 1].decode("utf-8", "replace")
        note = "    %s\n    %s^" % (text, " " * len(before))
        if hasattr(error, "add_note"):
            error.add_note(note)
        else:  # Python before 3.11
            error.__notes__ = [note]
    return error
