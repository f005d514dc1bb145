#!/usr/bin/env python3
"""Presses Tab in a shell that has netcl's completion: tool_shells.py NETCL bash|zsh|fish

bash and zsh run in a terminal of their own, as a person has them; fish tells what Tab would offer.
Skipped, with the reason, where the shell or a terminal is missing.
"""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE = 60

# What is typed, and what one Tab makes of it.
UNIQUE = [
    ("netcl roof", "netcl roofline"),
    ("netcl completion f", "netcl completion fish"),
    ("netcl bench matm", "netcl bench matmul"),
    ("netcl bench --dt", "netcl bench --dtype"),
    ("netcl bench --dtype bf", "netcl bench --dtype bf16"),
    ("netcl run --device buil", "netcl run --device builtin"),
    ("netcl selftest --se", "netcl selftest --seed"),
    ("netcl man roof", "netcl man roofline"),
]

# How each reads the completion that `netcl completion` writes to the file `_netcl`.
SET_UP = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; "
             "bind 'set page-completions off'; source ./_netcl"),
    "zsh": (["zsh", "-f", "-i"],
            "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; unsetopt beep"),
}


class Terminal:
    """A shell that someone types into."""

    def __init__(self, words, folder):
        self.marks = 0
        child, self.shell = pty.fork()
        if child == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, {**os.environ, "TERM": "dumb", "PS1": "> ",
                                         "LC_ALL": "C", "HISTFILE": "/dev/null"})

    def write(self, text):
        os.write(self.shell, text.encode())

    def read_until(self, wanted):
        """What the shell shows until all that is wanted is there, or patience ends."""
        shown, end = "", time.monotonic() + PATIENCE
        while time.monotonic() < end and any(text not in shown for text in wanted):
            if not select.select([self.shell], [], [], 0.2)[0]:
                continue
            try:
                shown += os.read(self.shell, 65536).decode(errors="replace")
            except OSError:  # the shell has ended
                break
        return shown

    def line(self, text):
        """Runs a line, and waits until the shell is done with it."""
        self.marks += 1
        self.write(f"\x15{text}; echo ma''rk{self.marks}.\n")
        shown = self.read_until([f"mark{self.marks}."])
        return f"mark{self.marks}." in shown

    def press_tab(self, typed, wanted, times=1):
        self.write(typed + "\t" * times)
        shown = self.read_until(wanted)
        self.line(":")
        return [text for text in wanted if text not in shown], shown


def typed_at(shell, folder, names):
    words, set_up = SET_UP[shell]
    terminal = Terminal(words, folder)
    problems = []
    if not terminal.line(f"stty rows 80 cols 200; {set_up}"):
        return ["it does not come up"]
    for typed, wanted in UNIQUE:
        missing, shown = terminal.press_tab(typed, [wanted])
        problems += [f"Tab behind \"{typed}\" gives {shown!r}"] if missing else []
    missing, shown = terminal.press_tab("netcl ", names, 2)
    problems += [f"Tab behind \"netcl \" lacks {missing}: {shown!r}"] if missing else []
    terminal.write("\x15exit\n")
    return problems


def asked_of_fish(folder, names):
    def offers(typed):
        ask = f"source ./_netcl; complete -C '{typed}'"
        done = subprocess.run(["fish", "--no-config", "-c", ask], cwd=folder, text=True,
                              capture_output=True, check=False, env={**os.environ, "HOME": folder})
        return {line.split("\t")[0] for line in done.stdout.splitlines()}, done.stderr

    problems = []
    for typed, wanted in UNIQUE:
        offered, said = offers(typed)
        if offered != {wanted.split()[-1]} or said:
            problems.append(f"Tab behind \"{typed}\" gives {offered} {said}")
    offered, said = offers("netcl ")
    if not set(names) <= offered:
        problems.append(f"Tab behind \"netcl \" gives {offered} {said}")
    return problems


def main():
    netcl, shell = sys.argv[1:]
    if not shutil.which(shell):
        print(f"skipped: there is no {shell}")
        return 77
    if shell in SET_UP:
        try:
            for end in pty.openpty():
                os.close(end)
        except OSError as error:
            print(f"skipped: there is no pseudo terminal: {error}")
            return 77
    text = subprocess.run([netcl, "--help"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  (\w+)  +\S", text, re.M)
    script = subprocess.run([netcl, "completion", shell], capture_output=True, text=True,
                            check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "_netcl").write_text(script)
        problems = (asked_of_fish(folder, names) if shell == "fish"
                    else typed_at(shell, folder, names))
    for problem in problems:
        print(problem)
    print(f"{shell}: {len(UNIQUE) + 1} times Tab, {len(problems)} problems")
    return 1 if problems or len(names) < 13 else 0


if __name__ == "__main__":
    sys.exit(main())
