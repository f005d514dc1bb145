"""Headers with something added, for the tests of the generator."""

import os
import tempfile

from reader import read_header

HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = os.path.join(HERE, "..", "..", "include", "netcl.h")
PLACE = "#ifdef __cplusplus\n}\n#endif\n\n#endif /* NETCL_H */"


def with_addition(text):
    """The header with declarations at its end."""
    with open(HEADER, encoding="ascii") as file:
        header = file.read()
    assert header.count(PLACE) == 1
    with tempfile.NamedTemporaryFile("w", suffix=".h", delete=False) as file:
        file.write(header.replace(PLACE, text + "\n" + PLACE))
    try:
        return read_header(file.name)
    finally:
        os.unlink(file.name)


def function(params, comment="Does it.", returns="netcl_status"):
    return f"/** {comment} */\nNETCL_API {returns} netcl_tensor_test({params});"


def numbered(texts):
    """All additions in one header, so that the compiler runs once: _test becomes _test0 ..."""
    return "\n".join(t.replace("_test", f"_test{i}").replace("_TEST", f"_TEST{i}")
                     for i, t in enumerate(texts))
