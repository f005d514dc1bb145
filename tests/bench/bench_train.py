#!/usr/bin/env python3
"""The opponent of bench_train: steps of training by PyTorch on one thread.

    bench_train.py [--channels-last]

Reads lines "WORK SIDE STEPS" and answers each with the seconds of these steps and the last loss.
WORK is mlp or cnn, SIDE eager or compiled (torch.compile of the loss and its gradients). With
--channels-last images and filters lie so in memory. The first weights, the images and the labels
are those of bench_train.c.
"""

import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"
import torch
from torch import nn

torch.set_num_threads(1)
CHANNELS_LAST = "--channels-last" in sys.argv


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


def make_mlp(generator):
    model = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
    set_dense(model[0], generator.weights((784, 256), 784))
    set_dense(model[2], generator.weights((256, 10), 256))
    images = generator.numbers((64, 784), 1)
    return model, images, torch.optim.SGD(model.parameters(), lr=0.01, fused=True)


def make_cnn(generator):
    def stage(channels, filters):
        return [nn.Conv2d(channels, filters, 3, padding=1, bias=False), nn.BatchNorm2d(filters),
                nn.ReLU(), nn.MaxPool2d(2)]
    model = nn.Sequential(*stage(1, 8), *stage(8, 16), nn.Flatten(), nn.Linear(784, 10))
    model[0].weight.data.copy_(generator.weights((8, 1, 3, 3), 9))
    model[4].weight.data.copy_(generator.weights((16, 8, 3, 3), 72))
    set_dense(model[9], generator.weights((784, 10), 784))
    images = generator.numbers((64, 1, 28, 28), 1)
    return model, images, torch.optim.Adam(model.parameters(), lr=0.003, fused=True)


class Side:
    def __init__(self, work, compiled):
        model, self.images, self.optimizer = {"mlp": make_mlp, "cnn": make_cnn}[work](Generator())
        if CHANNELS_LAST and work == "cnn":
            model = model.to(memory_format=torch.channels_last)
            self.images = self.images.to(memory_format=torch.channels_last)
        self.labels = torch.arange(64) * 7 % 10

        def loss(images, labels):
            return nn.functional.cross_entropy(model(images), labels)
        self.loss = torch.compile(loss) if compiled else loss

    def steps(self, count):
        for _ in range(count):
            self.optimizer.zero_grad(set_to_none=True)
            loss = self.loss(self.images, self.labels)
            loss.backward()
            self.optimizer.step()
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
