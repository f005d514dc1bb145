"""What the caller of an unsafe function has to see to, for each hazard of safety.py."""

LAUNCHES = ("The kernel touches no memory beyond its arguments, now and whenever this object launches "
            "it later: on CPU devices it shares this process.")
TEXTS = {
    "foreign": "The pointers are valid objects of their kind, as the comment above asks for.",
    "lent": "The memory is valid and nobody else uses it until the library is done with it: until the "
            "last reference to what this gives is gone, that of tensors over it too, and the device "
            "is done.",
    "data": "`data` is valid for `data_size` bytes during the call; with `options.event` or "
            "`options.borrow` set it stays so, and is used by nobody else, as long as the text above "
            "says.",
    "arguments": LAUNCHES + " Its parameters have the types that the arguments are given as.",
    "kernel": LAUNCHES,
    "program": "Nothing in the program but its kernels runs, neither when a driver builds it nor when "
               "it is loaded: no constructors and no assembly outside of functions. CPU devices load "
               "it into this process.",
    "undefined": "Nothing is read before it is written: the memory may show what was freed."}
# Memory that both sides go on using: what a tensor over it needs.
SHARED = ("Until the tensor, its views and the commands on them are gone, nobody else writes the memory "
          "while a command of this crate may read it, nor touches it while one may write it.")
BYTES = {
    "binary": "`binary` is what [`Kernel::binary`] gave on this device with this driver, unchanged; "
              "with `trust_binary`, what its driver gave. Drivers crash on other bytes.",
    "il": "`il` is valid SPIR-V: drivers crash on other bytes."}


def why_unsafe(function, hazards, program):
    """Text in paragraphs, "" for a safe function."""
    found = [TEXTS[h] for h in hazards if h != "kernel" or "arguments" not in hazards]
    if "foreign" in hazards and "netcl_tensor" in {a.type.base for a in function.outputs}:
        found.append(SHARED)
    if program and program.name not in BYTES:
        raise SystemExit(f"Rust: {function.name}: what are the bytes of {program.name}? They need a "
                         "text in BYTES of backends/_rust_unsafe.py")
    return "\n\n".join(found + ([BYTES[program.name]] if program else []))
