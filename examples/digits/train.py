#!/usr/bin/env python3
"""Trains the network of examples/digits: train.py MNIST_FOLDER [--epochs N] [--seed S]

Writes weights/*.npy beside itself. It needs Python 3 and numpy (Debian: python3-numpy).

MNIST_FOLDER holds t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte (.gz or not): 10,000 images.
Image i is held out when i % 5 == 4, so 8,000 train and 2,000 are never seen. The network:

  x [N, 1, 28, 28] = pixel / 255
  conv 3x3, 1 to 8, padding 1; batchnorm; relu; max pool 2x2     -> [N, 8, 14, 14]
  conv 3x3, 8 to 16, padding 1; batchnorm; relu; max pool 2x2    -> [N, 16, 7, 7]
  matmul 784 x 10, bias; softmax

Adam, batches of 64, each image shifted by up to 2 pixels at random, the rate falling as a cosine.
The numbers come from numpy's PCG64 with the seed, so a second run on the same machine and numpy
gives the same weights.
"""

import argparse
import gzip
import os
import struct

import numpy as np

HELD_OUT_EVERY = 5
EPSILON = 1e-5
MOMENTUM = 0.9


def read_idx(folder, name):
    """The array of an IDX file of unsigned bytes."""
    path = os.path.join(folder, name)
    opened = gzip.open(path + ".gz") if os.path.exists(path + ".gz") else open(path, "rb")
    with opened as file:
        data = file.read()
    rank = data[3]
    if data[:3] != b"\0\0\x08":
        raise SystemExit(f"{path} is no IDX file of unsigned bytes")
    shape = struct.unpack(f">{rank}I", data[4:4 + 4 * rank])
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(shape)


def columns(x):
    """The 3x3 neighbourhoods of [N, C, H, W] with zeros around: [N, H, W, C * 9]."""
    n, c, h, w = x.shape
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    return windows.transpose(0, 2, 3, 1, 4, 5).reshape(n, h, w, c * 9)


class Conv:
    """3x3, padding 1, no bias: the batch normalisation behind it has one."""

    def __init__(self, rng, inputs, filters):
        self.w = rng.normal(0, np.sqrt(2 / (9 * inputs)),
                            (filters, inputs, 3, 3)).astype(np.float32)
        self.params = ["w"]

    def forward(self, x, training):
        self.columns = columns(x)
        filters = len(self.w)
        return (self.columns @ self.w.reshape(filters, -1).T).transpose(0, 3, 1, 2)

    def backward(self, dy):
        filters, inputs = self.w.shape[:2]
        rows = dy.transpose(0, 2, 3, 1).reshape(-1, filters)
        self.grads = {"w": (rows.T @ self.columns.reshape(len(rows), -1)).reshape(self.w.shape)}
        turned = self.w[:, :, ::-1, ::-1].transpose(1, 0, 2, 3).reshape(inputs, -1)
        return (columns(dy) @ turned.T).transpose(0, 3, 1, 2)


class BatchNorm:
    def __init__(self, channels):
        self.scale = np.ones(channels, np.float32)
        self.bias = np.zeros(channels, np.float32)
        self.mean = np.zeros(channels, np.float32)
        self.variance = np.ones(channels, np.float32)
        self.params = ["scale", "bias"]

    def forward(self, x, training):
        if training:
            mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))
            self.mean = MOMENTUM * self.mean + (1 - MOMENTUM) * mean
            self.variance = MOMENTUM * self.variance + (1 - MOMENTUM) * variance
        else:
            mean, variance = self.mean, self.variance
        self.factor = 1 / np.sqrt(variance + EPSILON)
        self.hat = (x - mean[:, None, None]) * self.factor[:, None, None]
        return self.hat * self.scale[:, None, None] + self.bias[:, None, None]

    def backward(self, dy):
        axes, count = (0, 2, 3), dy.size / dy.shape[1]
        self.grads = {"scale": (dy * self.hat).sum(axes), "bias": dy.sum(axes)}
        dx = (dy - (self.grads["bias"] / count)[:, None, None]
              - self.hat * (self.grads["scale"] / count)[:, None, None])
        return dx * (self.scale * self.factor)[:, None, None]


class ReluPool:
    """relu, then the maximum of each 2x2."""

    params = []

    def forward(self, x, training):
        n, c, h, w = x.shape
        parts = np.maximum(x, 0).reshape(n, c, h // 2, 2, w // 2, 2)
        y = parts.max((3, 5))
        first = (parts == y[:, :, :, None, :, None]) & (parts > 0)
        self.mask = first / np.maximum(first.sum((3, 5), keepdims=True), 1)
        return y

    def backward(self, dy):
        n, c, h, w = dy.shape
        dx = self.mask * dy[:, :, :, None, :, None]
        return dx.reshape(n, c, 2 * h, 2 * w).astype(np.float32)


class Dense:
    def __init__(self, rng, inputs, outputs):
        self.w = rng.normal(0, np.sqrt(1 / inputs), (inputs, outputs)).astype(np.float32)
        self.b = np.zeros(outputs, np.float32)
        self.params = ["w", "b"]

    def forward(self, x, training):
        self.shape, self.x = x.shape, x.reshape(len(x), -1)
        return self.x @ self.w + self.b

    def backward(self, dy):
        self.grads = {"w": self.x.T @ dy, "b": dy.sum(0)}
        return (dy @ self.w.T).reshape(self.shape)


class Adam:
    def __init__(self, layers):
        self.slots = [(layer, name) for layer in layers for name in layer.params]
        self.first = [np.zeros_like(getattr(layer, name)) for layer, name in self.slots]
        self.second = [np.zeros_like(getattr(layer, name)) for layer, name in self.slots]
        self.step = 0

    def update(self, rate):
        self.step += 1
        for i, (layer, name) in enumerate(self.slots):
            gradient = layer.grads[name]
            self.first[i] = 0.9 * self.first[i] + 0.1 * gradient
            self.second[i] = 0.999 * self.second[i] + 0.001 * gradient ** 2
            first = self.first[i] / (1 - 0.9 ** self.step)
            second = self.second[i] / (1 - 0.999 ** self.step)
            moved = getattr(layer, name) - rate * first / (np.sqrt(second) + 1e-8)
            setattr(layer, name, moved.astype(np.float32))


def shifted(rng, images):
    """Each image moved by up to two pixels."""
    padded = np.pad(images, ((0, 0), (0, 0), (2, 2), (2, 2)))
    down, right = rng.integers(0, 5, (2, len(images)))
    return np.stack([padded[i, :, down[i]:down[i] + 28, right[i]:right[i] + 28]
                     for i in range(len(images))])


def forward(layers, x, training=False):
    for layer in layers:
        x = layer.forward(x, training)
    return x


def accuracy(layers, images, labels):
    right = 0
    for at in range(0, len(images), 500):
        right += (forward(layers, images[at:at + 500]).argmax(1) == labels[at:at + 500]).sum()
    return right / len(images)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    images = read_idx(args.folder, "t10k-images-idx3-ubyte")[:, None].astype(np.float32) / 255
    labels = read_idx(args.folder, "t10k-labels-idx1-ubyte").astype(np.int64)
    held_out = np.arange(len(images)) % HELD_OUT_EVERY == HELD_OUT_EVERY - 1
    train_x, train_y = images[~held_out], labels[~held_out]
    rng = np.random.default_rng(args.seed)
    layers = [Conv(rng, 1, 8), BatchNorm(8), ReluPool(), Conv(rng, 8, 16), BatchNorm(16),
              ReluPool(), Dense(rng, 784, 10)]
    adam = Adam(layers)
    steps = args.epochs * (len(train_x) // 64)
    for epoch in range(args.epochs):
        order = rng.permutation(len(train_x))
        for at in range(0, len(order) - 63, 64):
            pick = order[at:at + 64]
            logits = forward(layers, shifted(rng, train_x[pick]), training=True)
            odds = np.exp(logits - logits.max(1, keepdims=True))
            gradient = odds / odds.sum(1, keepdims=True)
            gradient[np.arange(64), train_y[pick]] -= 1
            gradient = (gradient / 64).astype(np.float32)
            for layer in reversed(layers):
                gradient = layer.backward(gradient)
            adam.update(3e-3 * 0.5 * (1 + np.cos(np.pi * adam.step / steps)))
        print(f"epoch {epoch + 1}: held-out accuracy "
              f"{100 * accuracy(layers, images[held_out], labels[held_out]):.2f} %", flush=True)
    save(layers)


def save(layers):
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "weights")
    os.makedirs(folder, exist_ok=True)
    names = {0: "conv1", 1: "norm1", 3: "conv2", 4: "norm2", 6: "dense"}
    for index, name in names.items():
        layer = layers[index]
        members = layer.params + (["mean", "variance"] if isinstance(layer, BatchNorm) else [])
        for member in members:
            array = np.ascontiguousarray(getattr(layer, member), np.float32)
            np.save(os.path.join(folder, f"{name}_{member}.npy"), array)


if __name__ == "__main__":
    main()
