#!/usr/bin/env python3
"""docs_snippets.py has to find each block that no test runs: snippets_fail.py SCRIPTS"""

import sys

sys.path.insert(0, sys.argv[1])
from docs_snippets import unrun_blocks  # noqa: E402

BODY = "x\n```\n"
SNIPPET = "<!-- snippet: bindings/julia/examples/cookbook/first.jl -->\n\n"
# (page, text, whether it is refused, blocks that are counted as not run)
CASES = [
    ("docs/a.md", "```julia\n" + BODY, True, 0),
    ("docs/a.md", "```jl\n" + BODY, True, 0),
    ("docs/a.md", "Text:\n\n~~~go\nx\n~~~\n", True, 0),
    ("docs/a.md", "- item\n\n  ```rust\n  x\n  ```\n", True, 0),
    ("docs/a.md", "```rust,ignore\n" + BODY, True, 0),
    ("docs/a.md", SNIPPET + "```go\n" + BODY, True, 0),
    ("docs/a.md", SNIPPET.replace("first.jl", "../boxes.jl").replace("cookbook/", "") +
     "```julia\n" + BODY, True, 0),
    ("docs/a.md", SNIPPET + "```julia\n" + BODY, False, 0),
    ("docs/a.md", SNIPPET + "```julia\n" + BODY + "\n```julia\n" + BODY, True, 0),
    ("docs/a.md", "<!-- not run: takes a day -->\n\n```go\n" + BODY, False, 1),
    ("docs/a.md", "<!-- not run: -->\n\n```go\n" + BODY, True, 1),
    ("docs/a.md", "```cpp\n" + BODY, False, 0),
    ("docs/a.md", "```cpp expected\n" + BODY, False, 0),
    ("docs/a.md", "```cpp,ignore\n" + BODY, True, 0),
    ("docs/a.md", "```cpp title\n" + BODY, True, 0),
    ("docs/a.md", "```julia-repl\n" + BODY, True, 0),
    ("docs/a.md", "```{julia}\n" + BODY, True, 0),
    ("docs/a.md", "```{.go}\n" + BODY, True, 0),
    ("bindings/go/README.md", "```cpp\n" + BODY, True, 0),
    ("docs/a.md", "```sh\n" + BODY, False, 0),
    ("bindings/rust/netcl/README.md", "```rust\n" + BODY, False, 0),
    ("bindings/rust/netcl/README.md", "```rust,no_run\n" + BODY, True, 0),
    ("bindings/go/README.md", "```rust\n" + BODY, True, 0),
]


def main():
    failed = 0
    for page, text, refused, count in CASES:
        wrong, left_out = unrun_blocks(page, text)
        named = all(word.startswith(page + ":") for word in wrong)
        if bool(wrong) != refused or len(left_out) != count or not named:
            print(f"{page}: {text!r} gave {wrong}, {left_out}")
            failed += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
