"""Writes one function of Go around its arguments."""

from backends import _go_words
from backends._go_arguments import Arguments, listing, result_type, zero
from backends._go_calls import has_result, shim_name
from backends._go_names import HAND_WRITTEN, NoRule, comment, local, sentence
from calls import output_words


class Writer(Arguments):
    # Putting it together

    def __init__(self, *given):
        super().__init__(*given)
        # A method of a tensor that runs takes options as those of ops do.
        if self.function.owner == "tensor" and self.params[-1:] == ["run *RunOptions"]:
            self.params[-1] = "options ...RunOption"
            self.before.insert(0, "run := runOf(options)")

    def zeros(self):
        return [zero(self.model, kind) for kind, _ in self.results]

    def fail(self, error, indent="\t"):
        return [f"{indent}return {', '.join(self.zeros() + [error])}"]

    def signature(self):
        kinds = [kind for kind, _ in self.results]
        returns = self.function.returns
        if returns == "status":
            kinds.append("error")
        elif returns == "text":
            kinds.append("string")
        elif returns == "value":
            kinds.append(result_type(self.function.return_type))
        result = f" ({', '.join(kinds)})" if len(kinds) > 1 else "".join(f" {k}" for k in kinds)
        receiver = f"({self.receiver}) " if self.receiver else ""
        return f"func {receiver}{self.name}({listing(self.params)}){result} {{"

    def call(self):
        return f"C.{shim_name(self.function)}({', '.join(self.passed)})"

    def body(self):
        if self.function.returns != "status":
            return self.plain_body()
        lines = list(self.before)
        if self.keeps:
            lines = ["var keep keeper", "defer keep.close()"] + lines
            lines += ["if keep.err != nil {"] + self.fail("keep.err") + ["}"]
        lines += self.last
        result = "outcome" if not has_result(self.function) else "got.outcome"
        kept = [f"runtime.KeepAlive({name})" for name in self.alive]
        if self.scope:
            lines += self.scoped(result) + kept
        elif self.asks or self.waits:
            lines += self.closure(result) + kept
        elif result == "outcome" and not self.takes_memory():
            lines += [f"err := errorOf({self.call()})"] + kept
        elif result == "outcome":
            lines += [f"outcome := {self.call()}", "if lacksMemory(&outcome) {",
                      f"\toutcome = {self.call()}", "}"] + kept + ["err := errorOf(outcome)"]
        else:
            lines += [f"got := {self.call()}"]
            if self.takes_memory():
                lines += ["if lacksMemory(&got.outcome) {", f"\tgot = {self.call()}", "}"]
            lines += kept + ["err := errorOf(got.outcome)"]
        if self.scope:
            lines += [f"if {self.scope}.err != nil {{"] + self.fail(f"{self.scope}.err") + ["}"]
        if not self.results and not self.finish and not self.lends:
            if lines[-1].startswith("err := "):
                return lines[:-1] + ["return " + lines[-1][len("err := "):]]
            return lines + ["return err"]
        lines += ["if err != nil {"] + self.fail("err") + ["}"] + self.finish
        values = [value for _, value in self.results]
        if self.lends and values:
            lines.append(f"made := {values[0]}")
            values[0] = "made"
        lines += [line.replace("{made}", "made") for line in self.lends]
        return lines + ["return " + ", ".join(values + ["nil"])]

    def takes_memory(self):
        """Calls that may need memory of a device: they are made once more after a collection. One
        that failed has changed nothing, but let go of a function that it was to keep."""
        if any(a.kept for a in self.function.arguments):
            return False
        return self.function.kind == "op" or \
            any(a.role.startswith("handle") for a in self.function.outputs) or \
            any(a.type.base in HAND_WRITTEN for a in self.function.inputs)

    def scoped(self, result):
        """A call that calls a function of Go back."""
        if self.asks or self.waits:
            raise NoRule(self.function.name, "it takes a callback and is made several times")
        if result == "outcome":
            return ["var err error", f"{self.scope}.call(func() {{",
                    f"\terr = errorOf({self.call()})", "})"]
        return [f"var got C.{shim_name(self.function)}_result", f"{self.scope}.call(func() {{",
                f"\tgot = {self.call()}", "})", "err := errorOf(got.outcome)"]

    def closure(self, result):
        """A call that is made several times: with other timeouts, or with more room."""
        lines = [f"var got C.{shim_name(self.function)}_result"] if result == "got.outcome" else []
        inner = [f"got = {self.call()}"] if lines else [f"return errorOf({self.call()})"]
        if not self.asks:
            inner += ["return errorOf(got.outcome)"] if lines else []
            return lines + self.waiting(inner)
        element, helper, length = self.asks
        ask = f"{helper}({self.taker}func(place *{element}, room int) (int, error) {{"
        inner = ["\t" + line for line in inner + [f"return int({length}), errorOf(got.outcome)"]]
        if not self.waits:
            return lines + [f"found, err := {ask}"] + inner + ["})"]
        kind = next(kind for kind, value in self.results if value == "found")
        lines.append(f"var found {kind}")
        return lines + self.waiting(["var err error", f"found, err = {ask}"] + inner +
                                    ["})", "return err"])

    @staticmethod
    def waiting(inner):
        return ["err := waitFor(ctx, func(timeout C.uint64_t) error {"] + \
            ["\t" + line for line in inner] + ["})"]

    def plain_body(self):
        lines = self.before
        if self.keeps:
            raise NoRule(self.function.name, "it takes more than numbers but gives no status")
        if self.function.returns == "text":
            return lines + [f"return C.GoString({self.call()})"]
        if self.function.returns == "value":
            return lines + [f"return {result_type(self.function.return_type)}({self.call()})"]
        return lines + [self.call()]

    def docs(self):
        text = sentence(self.name, self.function.doc.text, verb=True)
        rows = [f"* {local(a.name)}: {a.doc}" for a in self.function.arguments
                if a.doc and not a.is_output]
        gives = [a for a in self.function.outputs if a.doc]
        if len(self.function.outputs) > 1:
            rows += [f"* gives {local(a.name)}: {output_words(a.doc)}" for a in gives]
        rows += [f"Take {local(a.name)} from HostMemory, which stays as long as that, or from C; "
                 "other memory of Go must not be given." for a in self.function.arguments
                 if a.role == "data_lent"]
        if self.scope and self.locked:
            rows.append(f"Calls on {self.locked} do not wait while the function runs: the library "
                        "sees them, and refuses them with BUSY.")
        if "by_thread" in self.function.doc.words:
            rows.append("The thread is that of the goroutine, which keeps it only between "
                        "runtime.LockOSThread and UnlockOSThread; other goroutines have others.")
        text = "\n\n".join([text] + rows)
        _go_words.speak_of(self.function)
        lines = comment(text) + ["//", f"// It calls {self.function.name}."]
        _go_words.speak_of(None)
        return lines

    def lines(self):
        return [""] + self.docs() + [self.signature()] + \
            ["\t" + line for line in self.body()] + ["}"]
