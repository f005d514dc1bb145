#!/usr/bin/env python3
"""The opponent of bench_train: steps of training by PyTorch, on one thread or a GPU.

    bench_train.py [--channels-last] [--device cuda]

Reads lines "WORK SIDE STEPS" and answers each with the seconds of these steps and the last loss.
WORK is mlp, cnn or transformer, SIDE eager or compiled: torch.compile of the loss and gradients,
on a GPU a CUDA graph of the whole step. With --channels-last images and filters lie so in memory.
The first weights, inputs and labels are those of bench_train.c. Products and convolutions have f32
arithmetic, not tf32.
"""

import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"
import torch
from torch import nn

torch.set_num_threads(1)
torch.backends.cudnn.allow_tf32 = False
CHANNELS_LAST = "--channels-last" in sys.argv
DEVICE = sys.argv[sys.argv.index("--device") + 1] if "--device" in sys.argv else "cpu"
WIDTH, HEADS, LAYERS, CONTEXT, LETTERS, TEXTS = 64, 4, 2, 64, 65, 12


class Generator:
    state = 1

    def numbers(self, shape, bound):
        count, state, made = torch.Size(shape).numel(), self.state, []
        for _ in range(count):
            state = (state * 1664525 + 1013904223) & 0xffffffff
            made.append((state >> 8) / 8388608.0 - 1.0)
        self.state = state
        return (torch.tensor(made, dtype=torch.float32) * bound).reshape(shape)

    def weights(self, shape, fan_in):
        return self.numbers(shape, (6.0 / fan_in) ** 0.5)


def set_dense(layer, weights):
    """Weights [in, out] of netcl, which PyTorch has the other way round."""
    layer.weight.data.copy_(weights.T)
    layer.bias.data.zero_()


def images_and_labels(generator, shape):
    labels = torch.arange(64) * 7 % 10
    return generator.numbers(shape, 1), labels


def make_mlp(generator):
    model = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
    set_dense(model[0], generator.weights((784, 256), 784))
    set_dense(model[2], generator.weights((256, 10), 256))
    return model, *images_and_labels(generator, (64, 784))


def make_cnn(generator):
    def stage(channels, filters):
        return [nn.Conv2d(channels, filters, 3, padding=1, bias=False), nn.BatchNorm2d(filters),
                nn.ReLU(), nn.MaxPool2d(2)]
    model = nn.Sequential(*stage(1, 8), *stage(8, 16), nn.Flatten(), nn.Linear(784, 10))
    model[0].weight.data.copy_(generator.weights((8, 1, 3, 3), 9))
    model[4].weight.data.copy_(generator.weights((16, 8, 3, 3), 72))
    set_dense(model[9], generator.weights((784, 10), 784))
    return model, *images_and_labels(generator, (64, 1, 28, 28))


class Layer(nn.Module):
    def __init__(self, generator):
        super().__init__()
        less, narrow, wide = (2 * LAYERS) ** -0.5, (3 / WIDTH) ** 0.5, (3 / (4 * WIDTH)) ** 0.5
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.merge = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        set_dense(self.qkv, generator.numbers((WIDTH, 3 * WIDTH), narrow))
        set_dense(self.merge, generator.numbers((WIDTH, WIDTH), narrow * less))
        set_dense(self.up, generator.numbers((WIDTH, 4 * WIDTH), narrow))
        set_dense(self.down, generator.numbers((4 * WIDTH, WIDTH), wide * less))

    def forward(self, x):
        split = self.qkv(self.norm1(x)).reshape(-1, CONTEXT, 3, HEADS, WIDTH // HEADS)
        q, k, v = split.permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.merge(seen.transpose(1, 2).reshape(-1, CONTEXT, WIDTH))
        hidden = nn.functional.gelu(self.up(self.norm2(x)), approximate="tanh")
        return x + self.down(hidden)


class Transformer(nn.Module):
    def __init__(self, generator):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(LETTERS, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.norm, self.out = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, LETTERS)
        self.tokens.weight.data.copy_(generator.numbers((LETTERS, WIDTH), 0.1))
        self.positions.weight.data.copy_(generator.numbers((CONTEXT, WIDTH), 0.1))
        set_dense(self.out, generator.numbers((WIDTH, LETTERS), 0.5 / WIDTH ** 0.5))
        self.layers = nn.Sequential(*[Layer(generator) for _ in range(LAYERS)])

    def forward(self, tokens):
        x = self.layers(self.tokens(tokens) + self.positions.weight)
        return self.out(self.norm(x)).reshape(-1, LETTERS)


def make_transformer(generator):
    tokens = (torch.arange(TEXTS * CONTEXT) * 31 % LETTERS).reshape(TEXTS, CONTEXT)
    return Transformer(generator), tokens, torch.arange(TEXTS * CONTEXT) * 7 % LETTERS


def optimizer_of(work, parameters):
    if work == "mlp":
        return torch.optim.SGD(parameters, lr=0.01, fused=True)
    return torch.optim.Adam(parameters, lr=0.003, fused=True, capturable=DEVICE != "cpu")


class Side:
    def __init__(self, work, compiled):
        makers = {"mlp": make_mlp, "cnn": make_cnn, "transformer": make_transformer}
        model, self.inputs, self.labels = makers[work](Generator())
        model, self.inputs, self.labels = (t.to(DEVICE) for t in (model, self.inputs, self.labels))
        if CHANNELS_LAST and work == "cnn":
            model = model.to(memory_format=torch.channels_last)
            self.inputs = self.inputs.to(memory_format=torch.channels_last)
        self.optimizer = optimizer_of(work, model.parameters())

        def loss(inputs, labels):
            return nn.functional.cross_entropy(model(inputs), labels)
        self.loss, self.step = loss, self.take_step
        if compiled and DEVICE == "cpu":
            self.loss = torch.compile(loss)
        elif compiled:
            self.capture(model)

    def take_step(self):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss(self.inputs, self.labels)
        loss.backward()
        self.optimizer.step()
        return loss

    def capture(self, model):
        """Records a step as a CUDA graph; the steps before it are undone."""
        first = {name: value.clone() for name, value in model.state_dict().items()}
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            for _ in range(3):
                self.take_step()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        self.optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            loss = self.take_step()
        model.load_state_dict(first)
        for state in self.optimizer.state.values():
            for value in state.values():
                if torch.is_tensor(value):
                    value.zero_()

        def step():
            graph.replay()
            return loss
        self.step = step

    def steps(self, count):
        for _ in range(count):
            loss = self.step()
        return loss.item()


def main():
    sides = {}
    for line in sys.stdin:
        work, kind, count = line.split()
        if (work, kind) not in sides:
            sides[work, kind] = Side(work, kind == "compiled")
        start = time.perf_counter()
        loss = sides[work, kind].steps(int(count))
        print(time.perf_counter() - start, loss, flush=True)


if __name__ == "__main__":
    main()
