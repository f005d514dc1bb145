#!/usr/bin/env python3
"""Checks manual pages and completions against what the command takes: tool_texts.py NETCL SOURCES

- Every command has a page, in which mandoc or groff, where they are installed, finds no fault.
- Every option that a page or a completion names is one that the command takes, and each one that
  the sources read is named by --help, so by all of them.
- bash completes commands, options, values and ops. tool_shells.py presses Tab in each shell.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

netcl, sources = sys.argv[1], pathlib.Path(sys.argv[2])
problems = []
parsers = []


def run(*words, text=None):
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def expect(is_true, problem):
    if not is_true:
        problems.append(problem)


def commands():
    _, text = run(netcl, "--help")
    return re.findall(r"^  (\w+)  +\S", text, re.M)


def help_options(command):
    _, text = run(netcl, command, "--help")
    return set(re.findall(r"--[a-z][a-z-]*", text.split("\n\nops\n")[0])) | {"--help"}


def check_page(command, folder):
    page = (folder / f"netcl-{command}.1").read_text()
    code, printed = run(netcl, "man", command)
    expect(code == 0 and printed == page, f"netcl man {command} is not the page of --folder")
    plain = page.replace("\\-", "-").replace("\\(ti", "~").replace("\\(ha", "^")
    expect(f"netcl-{command} -" in plain, f"the page of {command} has no name")
    missing = {o for o in help_options(command) - {"--help"} if o not in plain}
    expect(not missing, f"the page of {command} lacks {missing}")
    # Each word of the help is in the page, in the same order but for blanks.
    squeeze = re.compile(r"[^A-Za-z0-9]+")
    _, text = run(netcl, command, "--help")
    for line in text.splitlines()[2:]:
        expect(squeeze.sub("", line) in squeeze.sub("", plain) or not line.strip() or line == "ops",
               f"the page of {command} lacks the line \"{line}\"")


def check_roff(folder):
    pages = sorted(str(p) for p in folder.glob("*.1"))
    if shutil.which("mandoc"):
        parsers.append("mandoc")
        _, text = run("mandoc", "-Tlint", "-Wwarning", *pages)
        faults = [line for line in text.splitlines() if "missing date" not in line]
        expect(not faults, "\n".join(faults))
    if shutil.which("groff"):
        parsers.append("groff")
        _, text = run("groff", "-man", "-Tascii", "-ww", "-z", *pages)
        expect(not text, text)


def check_taken(command, options):
    for option in options - {"--help"}:
        said = []
        for words in ([command], [command, "group"])[:2 if command == "bench" else 1]:
            code, text = run(netcl, *words, f"{option}=1", "--no-such-option")
            said.append(text)
            expect(code == 2, f"netcl {command} {option}=1 ended with {code}")
        expect(any(f'unknown argument "{option}=1"' not in text for text in said),
               f"netcl {command} does not take {option}, which its help names")


def check_named(named):
    """What the sources read is in some help."""
    for path in sources.glob("*.cpp"):
        for call in re.findall(r"\bOptions options\((.*?)\);", path.read_text(), re.S):
            for option in re.findall(r'"(--[a-z-]+)"', call):
                expect(option in named, f"{path.name} reads {option}, which no help names")


BASH = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_netcl
printf '%s\\n' "${COMPREPLY[@]}"
"""


def check_bash(script, names):
    parsers.append("bash")

    def completions(*words):
        code, text = run("bash", "-c", BASH, "bash", script, "netcl", *words)
        expect(code == 0, f"bash completion: {text}")
        return set(text.split())

    expect(completions("") == set(names) | {"--help", "--version"}, "bash: the commands")
    expect(completions("ro") == {"roofline"}, f"bash: ro gives {completions('ro')}")
    for name in names:
        given = completions(name, "-")
        expect(given == help_options(name), f"bash: {name} - gives {given}")
    expect("matmul" in completions("bench", "mat"), "bash: the ops of bench")
    expect(completions("bench", "--dtype", "b") == {"bf16"}, "bash: the values of --dtype")
    expect("builtin" in completions("run", "--device", ""), "bash: the values of --device")


def main():
    names = commands()
    expect(len(names) >= 13, f"only {names}")
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        code, text = run(netcl, "man", "--folder", made)
        expect(code == 0 and not text, text)
        expect({p.name for p in folder.iterdir()} ==
               {"netcl.1"} | {f"netcl-{name}.1" for name in names}, "the pages of --folder")
        main_page = (folder / "netcl.1").read_text()
        for name in names:
            check_page(name, folder)
            check_taken(name, help_options(name))
            expect(f"netcl\\-{name}" in main_page, f"netcl.1 does not name {name}")
        check_roff(folder)
        check_named(set().union(*(help_options(name) for name in names)))
        for shell in ("bash", "zsh", "fish"):
            code, text = run(netcl, "completion", shell)
            expect(code == 0 and text, f"netcl completion {shell} ended with {code}")
            (folder / shell).write_text(text)
        check_bash(str(folder / "bash"), names)
    for problem in problems:
        print(problem)
    print(f"{len(names)} commands, read by {', '.join(parsers)}: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
