"""Compares the losses that group_train writes: losses.py NAME=FILE NAME=FILE ...

Each file holds f64 numbers. Exits with 1 where they are not as many as in the first file, or one is
further from the first file's than 1e-9 of the first loss.
"""
import array
import sys

BOUND = 1e-9


def read(path):
    with open(path, "rb") as file:
        return array.array("d", file.read())


def main(arguments):
    names, files = zip(*(argument.split("=", 1) for argument in arguments))
    losses = [read(path) for path in files]
    wrong = not losses[0] or not losses[0][0] > 0
    for name, other in zip(names[1:], losses[1:]):
        if len(other) != len(losses[0]):
            print(f"{name} has {len(other)} losses, {names[0]} has {len(losses[0])}")
            wrong = True
            continue
        # A NaN is within no bound.
        offs = [abs(a - b) / losses[0][0] for a, b in zip(losses[0], other)]
        wrong = wrong or not all(off <= BOUND for off in offs)
        alike = "the same bits" if other == losses[0] else f"{max(offs):.2g} of the first off"
        print(f"{len(other)} losses of {name} and {names[0]}: {alike}")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
