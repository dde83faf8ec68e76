"""Pseudo-terminals, for the tests whose tools must show what they show to users. On the PYTHONPATH of all tests of the tools."""
import fcntl
import os
import pty
import struct
import subprocess
import termios


def start(command, columns=None, is_terminal=True, both=False, **more):
    """(process, file descriptor): there `read` reads what the process writes on standard error (both: also on standard output)."""
    mother, child = pty.openpty() if is_terminal else os.pipe()
    if columns is not None:
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    if both:
        more["stdout"] = child
    run = subprocess.Popen(command, stderr=child, **more)
    os.close(child)
    return run, mother


def read(mother, look=lambda said: None):
    """All that comes until the other end is closed; `look` is called with what has come so far."""
    said = b""
    while True:
        try:
            part = os.read(mother, 4096)
        except OSError:  # how a terminal ends
            break
        if not part:
            break
        said += part
        look(said)
    return said.decode()
