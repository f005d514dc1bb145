"""How a safe function gives each kind of result."""

from backends._julia_names import ident, raw_type, type_name, value_type, wide_type
from backends._julia_structs import keyword

# What gives memory that Julia does not see; it counts towards the next collection.
MAKERS = ("netcl_tensor_create", "netcl_tensor_load", "netcl_buffer_create", "netcl_pool_allocate")


class Results:
    # Outputs

    def on_scalar_out(self, argument):
        name, kind = ident(argument.name), argument.type
        raw = raw_type(type(kind)(kind.base, kind.kind))
        self.before.append(f"{name} = Ref{{{raw}}}(0)")
        self.put(argument, name)
        if argument.flag:
            self.results.append(f"{name}[] != 0")
        elif kind.kind == "enum":
            self.results.append(f"{type_name(kind.base)}({name}[])")
        else:
            wide = wide_type(type(kind)(kind.base, kind.kind))
            self.results.append(f"Int({name}[])" if wide == "Int" else f"{name}[]")

    def on_frozen_out(self, argument):
        name = ident(argument.name)
        self.before.append(f"{name} = Ref{{{type_name(argument.type.base)}}}()")
        self.put(argument, name)
        self.results.append(f"{name}[]")

    def on_info_out(self, argument):
        name, struct = ident(argument.name), self.model.struct(argument.type.base)
        self.before.append(f"{name} = info_memory(StructMemory{{{struct.size // 8}}}())")
        self.put(argument, name)
        self.results.append(f"take_info({type_name(struct.name)}, {name})")

    def on_handle_out(self, argument):
        name = ident(argument.name)
        if any(k.split("::")[0] == name for k in self.keywords):
            name += "_out"   # a keyword of the function must not be covered by its output
        self.before.append(f"{name} = Ref{{Ptr{{Cvoid}}}}(C_NULL)")
        self.put(argument, name)
        # An op gives its result into `into` too; others give NULL for "there is none".
        verb = "take_if_given" if \
            (argument.absent or argument.optional) and self.function.kind != "op" else "take"
        taken = f"{verb}({type_name(argument.type.base)}, {name}[])"
        self.results.append(self.like_input(argument, taken))

    def like_input(self, argument, taken):
        """Ops on arrays give arrays."""
        if self.function.kind != "op" or argument.type.base != "netcl_tensor":
            return f"made({taken})" if self.function.name.startswith(MAKERS) else taken
        first = self.first_tensor()
        return f"like({first}, {taken}, {self.place_of(argument)})" if first else taken

    def first_tensor(self):
        first = next((a for a in self.function.arguments if a.type.base == "netcl_tensor" and
                      a.role in ("handle", "handles")), None)
        return ident(first.name) if first else None

    def place_of(self, argument):
        """Where an op's result goes, and the graph that has the op."""
        keys = [k.split("::")[0].split(" = ")[0] for k in self.keywords]
        own = ident(argument.name) + "_into"
        into = own if own in keys else "into" if "into" in keys else "nothing"
        return into + (", graph" if "graph" in keys else "")

    def on_foreign_out(self, argument):
        self.elements_leave()
        name = ident(argument.name)
        self.before.append(f"{name} = Ref{{Ptr{{Cvoid}}}}(C_NULL)")
        self.put(argument, name)
        self.results.append(f"{name}[]")

    def extent_of(self, name):
        """How many entries an argument has, which was written before."""
        argument = next(a for a in self.function.arguments if a.name == name)
        return self.passed[argument.params[-1].name]

    def vector_out(self, argument, extent):
        name = ident(argument.name)
        self.before.append(f"{name} = Vector{{{value_type(argument.type)}}}(undef, {extent})")
        self.put(argument, name)
        self.results.append(name)

    def on_array_out_like(self, argument):
        self.vector_out(argument, self.extent_of(argument.like))

    def on_array_out_fixed(self, argument):
        self.vector_out(argument, str(argument.extent))

    def on_array_out_exact(self, argument):
        name = self.need(argument, f"Vector{{{value_type(argument.type)}}}")
        self.put(argument, name, f"length({name})")

    def on_handles_out_like(self, argument):
        name = ident(argument.name)
        self.before.append(f"{name} = Base.fill(C_NULL, {self.extent_of(argument.like)})")
        self.put(argument, name)
        kind = type_name(argument.type.base)
        if self.function.kind == "op" and kind == "Tensor":
            self.results.append(
                f"like_each({self.first_tensor()}, {name}, {self.place_of(argument)})")
        else:
            self.results.append(f"{kind}[take({kind}, h) for h in {name}]")

    def twice(self, argument, reader, result="found"):
        if self.around:
            raise SystemExit(f"Julia: {self.function.name} has two outputs of unknown extent")
        self.around = reader
        self.put(argument, "place", "room", "extent")
        self.results.append(result)

    def on_text_out(self, argument):
        self.twice(argument, "read_text()")

    def on_bytes_out(self, argument):
        self.twice(argument, "read_array(UInt8, Csize_t)")

    def on_array_out(self, argument):
        counter = raw_type(argument.params[1].type)
        self.twice(argument, f"read_array({value_type(argument.type)}, {counter})")

    def on_handles_out(self, argument):
        counter, kind = raw_type(argument.params[1].type), type_name(argument.type.base)
        self.twice(argument, f"read_array(Ptr{{Cvoid}}, {counter})",
                   f"{kind}[take({kind}, h) for h in found]")
