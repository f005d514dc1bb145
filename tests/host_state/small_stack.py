"""Writes the functions of netcl.h as calls through small_stack.c: small_stack.py LOCK OUTPUT.

Those that give no status look something up; tests ask them for each element.
"""

import json
import sys

HEAD = """/* Made by small_stack.py. */
#include "netcl.h"
#include "small_stack.h"
"""
FUNCTION = """
struct {name} {{ {members} }};
static void call_{name}(void *packed) {{
  static {pointer};
  struct {name} *all = packed;
  (void)all;
  if (real == NULL) *(void **)&real = small_stack_function("{name}");
  {keep}real({arguments});
}}
{returns} {name}({parameters}) {{
  struct {name} all = {{{values}}};
  small_stack_run(call_{name}, &all);
{answer}}}
"""


def declare(kind, name):
    return f"{kind}{name}" if kind.endswith("*") else f"{kind} {name}"


def function(name, facts):
    params = facts["params"]
    returns = facts["returns"]
    answers = returns != "void"
    members = [declare(kind, f"p_{param};") for param, kind in params]
    members.append(declare(returns, "answer;") if answers else "int none;")
    kinds = ", ".join(kind for _, kind in params) or "void"
    return FUNCTION.format(
        name=name, members=" ".join(members), pointer=declare(returns, f"(*real)({kinds})"),
        keep="all->answer = " if answers else "",
        arguments=", ".join(f"all->p_{param}" for param, _ in params), returns=returns,
        parameters=", ".join(declare(kind, f"p_{param}") for param, kind in params) or "void",
        values=", ".join([f"p_{param}" for param, _ in params] + ["0"]),
        answer="  return all.answer;\n" if answers else "")


def main():
    lock, output = sys.argv[1:]
    with open(lock, encoding="utf-8") as file:
        functions = json.load(file)["functions"]
    with open(output, "w", encoding="utf-8") as file:
        file.write(HEAD)
        for name, facts in functions.items():
            if facts["returns"] in ("netcl_status", "void"):
                file.write(function(name, facts))


main()
