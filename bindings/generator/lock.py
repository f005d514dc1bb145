"""The API lock: all that a compiled program or a binding relies on, as JSON."""

import json


def lock_of(model):
    return {
        "about": "The API of netcl.h, written by bindings/generator/generate.py. A difference to "
                 "what is released is a break; see CONTRIBUTING.md.",
        "version": model.version,
        "pointer_size": model.pointer_size,
        "constants": {c.name: {"type": c.ctype, "value": c.value} for c in model.constants},
        "enums": {e.name: {"type": e.ctype, "values": {v.name: v.value for v in e.values}}
                  for e in model.enums},
        "handles": {h.name: "shareable" if h.shareable else "movable" for h in model.handles},
        "foreign": model.foreign,
        "structs": {s.name: {"kind": s.kind, "size": s.size, "align": s.align,
                             "members": {m.name: {"type": m.type.spelling, "offset": m.offset,
                                                  "size": m.size} for m in s.members}}
                    for s in model.structs},
        "callbacks": {c.name: signature(c.returns.spelling, c.params) for c in model.callbacks},
        "functions": {f.name: signature(f.return_type.spelling, f.params)
                      for f in model.functions},
    }


def signature(returns, params):
    return {"returns": returns, "params": [[p.name, p.type.spelling] for p in params]}


def write_lock(model):
    return spread(lock_of(model), 0) + "\n"


def spread(value, level):
    """A line per constant, member and parameter list, so that a difference names what changed."""
    deep = not any(isinstance(v, (dict, list)) for v in value.values()) if \
        isinstance(value, dict) else True
    if not value or deep and (level > 3 or isinstance(value, list)) or \
            isinstance(value, dict) and set(value) == {"type", "value"}:
        return json.dumps(value)
    inner = ",\n".join(f"{' ' * (level + 1)}{json.dumps(k)}: "
                       f"{spread(v, level + 1) if isinstance(v, (dict, list)) else json.dumps(v)}"
                       for k, v in value.items())
    return "{\n" + inner + "\n" + " " * level + "}"
