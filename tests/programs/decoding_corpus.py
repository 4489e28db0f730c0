"""Whole programs around a model: decoding, sampling, batching, boxes, masks, schedules, and their small data structures."""

from __future__ import annotations

import math
from typing import Optional

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor
from tsm.nn import functional as F

of_row("whole programs")


@program(
    "greedy decoding over a transition table", ([[0.1, 0.9, 0.0], [0.2, 0.3, 0.5], [0.0, 0.0, 1.0]], 0, 2, 9), ([[1.0]], 0, 5, 3)
)
def greedy(table: list[list[float]], start: int, stop: int, limit: int) -> list[int]:
    out = [start]
    while len(out) < limit and out[-1] != stop:
        scores = table[out[-1]]
        best = 0
        for i in range(1, len(scores)):
            if scores[i] > scores[best]:
                best = i
        out.append(best)
    return out


@program("beam search with scores and a length penalty", ([[0.5, 0.5], [0.9, 0.1]], 2, 3), ([[0.3, 0.7], [0.6, 0.4]], 1, 4), ([[1.0, 1.0]], 3, 1))
def beams(table: list[list[float]], width: int, steps: int) -> list[tuple[list[int], float]]:
    alive: list[tuple[list[int], float]] = [([0], 0.0)]
    for _ in range(steps):
        grown: list[tuple[list[int], float]] = []
        for tokens, score in alive:
            for token, p in enumerate(table[tokens[-1] % len(table)]):
                grown.append((tokens + [token], score + math.log(p)))
        grown.sort(key=lambda item: -item[1] / len(item[0]) ** 0.6)
        alive = grown[:width]
    return alive


@program("top-k indices by repeated selection", ([3.0, 1.0, 2.0, 3.0], 2), ([1.0], 3), ([], 1))
def top_k(scores: list[float], k: int) -> list[int]:
    taken: set[int] = set()
    order: list[int] = []
    for _ in range(min(k, len(scores))):
        best = -1
        for i, s in enumerate(scores):
            if i not in taken and (best < 0 or s > scores[best]):
                best = i
        taken.add(best)
        order.append(best)
    return order


@program("nucleus of a distribution by sorted cumulative mass", ([0.5, 0.25, 0.125, 0.125], 0.7), ([0.1, 0.9], 0.95), ([1.0], 0.0))
def nucleus(probs: list[float], p: float) -> dict[int, float]:
    ranked = sorted(range(len(probs)), key=lambda i: probs[i], reverse=True)
    mass = 0.0
    kept: dict[int, float] = {}
    for i in ranked:
        kept[i] = probs[i]
        mass += probs[i]
        if mass >= p:
            break
    return {i: q / mass for i, q in kept.items()}


@program("sampling from a distribution with a linear congruential generator", ([1, 2, 3], 5, 42), ([1], 2, 0))
def sample_loop(weights: list[int], count: int, seed: int) -> list[int]:
    state = seed
    total = sum(weights)
    out: list[int] = []
    while len(out) < count:
        state = (state * 1103515245 + 12345) % 2**31
        ticket = state % total
        for i, w in enumerate(weights):
            if ticket < w:
                out.append(i)
                break
            ticket -= w
    return out


@program("non-maximum suppression of boxes", ([[0.0, 0.0, 2.0, 2.0], [0.1, 0.1, 2.0, 2.0], [3.0, 3.0, 4.0, 4.0]], [0.9, 0.8, 0.7], 0.5), ([], [], 0.5))
def suppress(boxes: list[list[float]], scores: list[float], threshold: float) -> list[int]:
    order = sorted(range(len(boxes)), key=lambda i: scores[i], reverse=True)
    keep: list[int] = []
    while order:
        head, *rest = order
        keep.append(head)
        order = [i for i in rest if overlap(boxes[head], boxes[i]) <= threshold]
    return keep


def overlap(a: list[float], b: list[float]) -> float:
    w = min(a[2], b[2]) - max(a[0], b[0])
    h = min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    inter = w * h
    return inter / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - inter)


@program("padding a ragged batch in place, with its mask", ([[1, 2, 3], [4], []], 0), ([], 7), ([[5]], -1))
def pad_batch(rows: list[list[int]], pad: int) -> list[list[bool]]:
    width = max([len(r) for r in rows], default=0)
    mask: list[list[bool]] = []
    for r in rows:
        mask.append([i < len(r) for i in range(width)])
        r.extend([pad] * (width - len(r)))
    return mask


@program("batches of a list, the last one short or dropped", ([1, 2, 3, 4, 5], 2, True), ([1, 2, 3, 4, 5], 2, False), ([], 3, False))
def batched(items: list[int], size: int, drop: bool) -> list[list[int]]:
    out = [items[i : i + size] for i in range(0, len(items), size)]
    if drop and out and len(out[-1]) < size:
        del out[-1]
    return out


@program("buckets by length, keys kept sorted", (["a", "bb", "c", "dd", "eee"],), ([],))
def bucketed(words: list[str]) -> list[tuple[int, list[str]]]:
    buckets: dict[int, list[str]] = {}
    for word in words:
        if len(word) not in buckets:
            buckets[len(word)] = []
        buckets[len(word)].append(word)
    return [(n, sorted(buckets[n])) for n in sorted(buckets.keys())]


@program("byte pair merges until none is left", ("abababc", 3), ("aaaa", 9), ("", 2))
def merges(text: str, most: int) -> list[str]:
    parts = list(text)
    for _ in range(most):
        counts: dict[tuple[str, str], int] = {}
        for pair in zip(parts, parts[1:]):
            counts[pair] = counts.get(pair, 0) + 1
        if not counts or max(counts.values()) < 2:
            break
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merged: list[str] = []
        i = 0
        while i < len(parts):
            if i + 1 < len(parts) and (parts[i], parts[i + 1]) == best:
                merged.append(parts[i] + parts[i + 1])
                i += 2
            else:
                merged.append(parts[i])
                i += 1
        parts = merged
    return parts


@program("longest-match tokenising with an unknown token", ("unaffable", ["un", "aff", "able", "a"]), ("xyz", ["x"]), ("", ["a"]))
def word_pieces(word: str, vocabulary: list[str]) -> list[str]:
    pieces: list[str] = []
    start = 0
    while start < len(word):
        end = len(word)
        found: Optional[str] = None
        while end > start:
            piece = word[start:end]
            if piece in vocabulary:
                found = piece
                break
            end -= 1
        if found is None:
            return ["[UNK]"]
        pieces.append(found if start == 0 else "##" + found)
        start = end
    return pieces


@program("a vocabulary from counts, most frequent first", ("the cat the dog a cat the", 2), ("", 1))
def vocabulary(text: str, least: int) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    kept = [(-n, w) for w, n in counts.items() if n >= least]
    return {w: i + 2 for i, (_, w) in enumerate(sorted(kept))} | {"<pad>": 0, "<unk>": 1}


@program("ids and back, special tokens skipped", ([2, 5, 3, 0, 0], {0: "<pad>", 2: "hi", 3: "you"}), ([], {}))
def detokenise(ids: list[int], table: dict[int, str]) -> str:
    words = []
    for i in ids:
        word = table.get(i, "<unk>")
        if word.startswith("<") and word.endswith(">"):
            continue
        words.append(word)
    return " ".join(words).capitalize() + "."


@program("edit distance with two rows", ("kitten", "sitting"), ("", "abc"), ("same", "same"))
def edit_distance(a: str, b: str) -> int:
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        current = [i]
        for j, y in enumerate(b, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (x != y)))
        previous = current
    return previous[-1]


@program("longest common subsequence with a table and a walk back", ("ABCBDAB", "BDCABA"), ("abc", "xyz"), ("", ""))
def common(a: str, b: str) -> str:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a)):
        for j in range(len(b)):
            table[i + 1][j + 1] = table[i][j] + 1 if a[i] == b[j] else max(table[i][j + 1], table[i + 1][j])
    i, j = len(a), len(b)
    out: list[str] = []
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            out.append(a[i - 1])
            i, j = i - 1, j - 1
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return "".join(reversed(out))


@program("viterbi over two states", ([0, 1, 0], [[0.7, 0.3], [0.4, 0.6]], [[0.9, 0.1], [0.2, 0.8]]), ([1], [[1.0, 0.0], [0.0, 1.0]], [[0.5, 0.5], [0.5, 0.5]]))
def viterbi(seen: list[int], step: list[list[float]], emit: list[list[float]]) -> tuple[list[int], float]:
    states = range(2)
    best = [0.5 * emit[s][seen[0]] for s in states]
    back: list[list[int]] = []
    for o in seen[1:]:
        came: list[int] = []
        new: list[float] = []
        for s in states:
            options = [best[r] * step[r][s] for r in states]
            r = options.index(max(options))
            came.append(r)
            new.append(options[r] * emit[s][o])
        back.append(came)
        best = new
    last = best.index(max(best))
    path = [last]
    for came in reversed(back):
        path.insert(0, came[path[0]])
    return path, best[last]


@program("a learning-rate schedule with warm-up and cosine", (0, 10, 100), (5, 10, 100), (100, 10, 100), (55, 10, 100))
def schedule(step: int, warm: int, total: int) -> float:
    if step < warm:
        return step / max(1, warm)
    progress = (step - warm) / max(1, total - warm)
    return max(0.0, 0.5 * (1.0 + math.cos(math.pi * progress)))


@program("milestones decay, the list searched from behind", ([10, 20, 30], 25), ([10], 3), ([], 1))
def milestone(points: list[int], epoch: int) -> float:
    rate = 0.1
    for k in range(len(points) - 1, -1, -1):
        if epoch >= points[k]:
            rate *= 0.1 ** (k + 1)
            break
    return round(rate, 10)


@program("early stopping with patience", ([3.0, 2.0, 2.5, 2.4, 2.6], 2), ([1.0], 1), ([2.0, 1.0, 0.5], 1))
def stop_early(losses: list[float], patience: int) -> tuple[int, float]:
    best, waited = float("inf"), 0
    for epoch, loss in enumerate(losses):
        if loss < best:
            best, waited = loss, 0
        else:
            waited += 1
            if waited >= patience:
                return epoch, best
    return len(losses), best


@program("running mean and variance by Welford", ([1.0, 2.0, 4.0],), ([5.0],), ([],))
def welford(values: list[float]) -> tuple[float, float]:
    n, mean, m2 = 0, 0.0, 0.0
    for v in values:
        n += 1
        delta = v - mean
        mean += delta / n
        m2 += delta * (v - mean)
    return mean, m2 / (n - 1) if n > 1 else math.nan


@program("a confusion matrix and its per-class scores", ([0, 1, 1, 2], [0, 1, 2, 2], 3), ([], [], 1))
def confusion(truth: list[int], guess: list[int], classes: int) -> list[tuple[float, float]]:
    matrix = [[0 for _ in range(classes)] for _ in range(classes)]
    for t, g in zip(truth, guess):
        matrix[t][g] += 1
    out = []
    for c in range(classes):
        predicted = sum(line[c] for line in matrix)
        actual = sum(matrix[c])
        hit = matrix[c][c]
        out.append((hit / predicted if predicted else 0.0, hit / actual if actual else 0.0))
    return out


@program("a causal mask as nested lists", (3,), (0,), (1,))
def causal(n: int) -> list[list[float]]:
    return [[0.0 if j <= i else float("-inf") for j in range(n)] for i in range(n)]


@program("a causal mask as a tensor, filled", (T([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]),))
def causal_tensor(scores: Tensor) -> Tensor:
    n = scores.shape[-1]
    mask = tsm.ones(n, n).tril() == 0
    return F.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)


@program("padding a list of tensors to one length", ([T([1.0, 2.0]), T([3.0]), T([4.0, 5.0, 6.0])],), ([T([1.0])],))
def pad_tensors(items: list[Tensor]) -> Tensor:
    longest = 0
    for item in items:
        longest = max(longest, item.shape[0])
    out = tsm.zeros(len(items), longest)
    for i, item in enumerate(items):
        out[i, : item.shape[0]] = item
    return out


@program("lengths to a mask by comparison with arange", (T([2, 0, 3]), 4), (T([1]), 1))
def length_mask(lengths: Tensor, width: int) -> Tensor:
    return tsm.arange(width)[None, :] < lengths[:, None]


@program("mean over the unmasked steps", (T([[[1.0], [2.0]], [[3.0], [4.0]]]), T([[True, False], [True, True]])))
def masked_mean(x: Tensor, mask: Tensor) -> Tensor:
    weights = mask.unsqueeze(-1).to(x.dtype)
    return (x * weights).sum(1) / weights.sum(1).clamp(min=1.0)


@program("scaled dot-product attention in heads", (T([[[1.0, 2.0, 3.0, 4.0], [0.5, -1.0, 0.0, 2.0]]]), 2), (T([[[1.0, 0.0, 0.0, 1.0]]]), 1))
def heads(x: Tensor, count: int) -> Tensor:
    batch, length, width = x.shape
    q = x.view(batch, length, count, width // count).transpose(1, 2)
    scores = q @ q.transpose(-2, -1) / math.sqrt(width // count)
    mixed = tsm.softmax(scores, dim=-1) @ q
    return mixed.transpose(1, 2).reshape(batch, length, width)


@program("sinusoidal positions written into even and odd columns", (3, 4), (1, 2))
def positions(length: int, width: int) -> Tensor:
    table = tsm.zeros(length, width)
    place = tsm.arange(length).unsqueeze(1).to(tsm.float32)
    rate = tsm.exp(tsm.arange(0, width, 2).to(tsm.float32) * (-math.log(10000.0) / width))
    table[:, 0::2] = tsm.sin(place * rate)
    table[:, 1::2] = tsm.cos(place * rate)
    return table


@program("a decoding loop that stops when all rows are done", (T([[0.0, 5.0, 1.0], [3.0, 0.0, 9.0]]), 4), (T([[9.0, 0.0, 0.0]]), 3))
def decode_rows(logits: Tensor, limit: int) -> list[list[int]]:
    rows = logits.shape[0]
    done = [False] * rows
    out: list[list[int]] = [[] for _ in range(rows)]
    for step in range(limit):
        picks = (logits + step).argmax(dim=1)
        for r in range(rows):
            if done[r]:
                continue
            token = int(picks[r])
            out[r].append(token)
            done[r] = token == 2
        if all(done):
            break
        logits = logits.flip(1)
    return out


@program("a cache of keys and values that grows by concatenation", (T([[1.0, 2.0]]), T([[3.0, 4.0]])))
def cached(first: Tensor, second: Tensor) -> tuple[Tensor, list[int]]:
    cache: Optional[Tensor] = None
    sizes: list[int] = []
    for step in (first, second, first):
        cache = step if cache is None else tsm.cat([cache, step], dim=0)
        sizes.append(cache.size(0))
    assert cache is not None
    return cache, sizes


@program("box areas and intersections over union as matrices", (T([[0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 3.0, 3.0]]), T([[0.0, 0.0, 1.0, 1.0]])))
def box_iou(a: Tensor, b: Tensor) -> Tensor:
    area_a = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    area_b = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    low = tsm.maximum(a[:, None, :2], b[None, :, :2])
    high = tsm.minimum(a[:, None, 2:], b[None, :, 2:])
    size = (high - low).clamp(min=0)
    inter = size[..., 0] * size[..., 1]
    return inter / (area_a[:, None] + area_b - inter)


@program("boxes from centres, decoded and clipped", (T([[2.0, 2.0, 2.0, 4.0]]), 3.0), (T([[0.0, 0.0, 1.0, 1.0]]), 9.0))
def decode_boxes(boxes: Tensor, limit: float) -> Tensor:
    cx, cy, w, h = boxes.unbind(1)
    corners = tsm.stack([cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2], dim=1)
    return corners.clamp(0, limit)


@program("suppression with tensors, one box at a time", (T([[0.0, 1.0], [0.1, 1.0], [5.0, 6.0]]), T([0.5, 0.9, 0.1])),)
def suppress_tensor(spans: Tensor, scores: Tensor) -> list[int]:
    order = scores.argsort(descending=True)
    keep: list[int] = []
    while order.numel() > 0:
        i = int(order[0].item())
        keep.append(i)
        rest = order[1:]
        inter = tsm.minimum(spans[i, 1], spans[rest, 1]) - tsm.maximum(spans[i, 0], spans[rest, 0])
        order = rest[inter <= 0.5]
    return keep


@program("image normalisation by channel with broadcast constants", (T([[[1.0, 2.0]], [[3.0, 4.0]]]),))
def normalise(image: Tensor) -> Tensor:
    mean = tsm.tensor([1.0, 3.0]).view(-1, 1, 1)
    std = tsm.tensor([0.5, 2.0]).view(-1, 1, 1)
    return (image - mean) / std


@program("a centre crop computed from the shape", (T([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]), 1), (T([[1.0, 2.0], [3.0, 4.0]]), 2))
def centre_crop(image: Tensor, size: int) -> Tensor:
    h, w = image.shape[-2:]
    top, left = (h - size) // 2, (w - size) // 2
    return image[..., top : top + size, left : left + size]


@program("sliding windows of a signal, stacked", (T([1.0, 2.0, 3.0, 4.0, 5.0]), 3, 2), (T([1.0, 2.0]), 2, 1))
def windows(signal: Tensor, size: int, hop: int) -> Tensor:
    frames = []
    for start in range(0, signal.shape[0] - size + 1, hop):
        frames.append(signal[start : start + size])
    return tsm.stack(frames)


@program("a one-hot table by scatter of ones and by comparison", (T([0, 2, 1]), 3), (T([0]), 1))
def one_hot(ids: Tensor, classes: int) -> tuple[Tensor, Tensor]:
    table = tsm.zeros(ids.shape[0], classes)
    for i in range(len(ids)):
        table[i, ids[i]] = 1.0
    return table, (ids.unsqueeze(1) == tsm.arange(classes)).to(tsm.float32)


@program("gradient descent by hand until the step is small", (T([4.0, -3.0]), 0.1), (T([0.0]), 0.5))
def descend(x: Tensor, rate: float) -> tuple[Tensor, int]:
    steps = 0
    while True:
        step = rate * 2 * x
        x = x - step
        steps += 1
        if step.abs().max() < 1e-2 or steps >= 100:
            return x, steps


@program("k-means of one dimension", ([1.0, 1.2, 5.0, 5.4], [0.0, 9.0]), ([2.0], [1.0, 3.0]))
def k_means(points: list[float], centres: list[float]) -> list[float]:
    for _ in range(10):
        groups: list[list[float]] = [[] for _ in centres]
        for p in points:
            nearest = min(range(len(centres)), key=lambda k: abs(p - centres[k]))
            groups[nearest].append(p)
        moved = [sum(g) / len(g) if g else c for g, c in zip(groups, centres)]
        if moved == centres:
            break
        centres = moved
    return centres


@program("neighbours within a cutoff in a periodic box", ([0.5, 9.5, 5.0], 10.0, 2.0), ([], 1.0, 1.0))
def neighbours(xs: list[float], box: float, cutoff: float) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in xs]
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            d = xs[i] - xs[j]
            d -= box * round(d / box)
            if abs(d) < cutoff:
                found[i].append(j)
                found[j].append(i)
    return found


@program("a breadth-first search with a queue cut from its front", ({0: [1, 2], 1: [3], 2: [3], 3: []}, 0, 3), ({0: []}, 0, 5))
def shortest(graph: dict[int, list[int]], start: int, goal: int) -> Optional[list[int]]:
    queue = [[start]]
    seen = {start}
    while queue:
        path = queue.pop(0)
        node = path[-1]
        if node == goal:
            return path
        for n in graph.get(node, []):
            if n not in seen:
                seen.add(n)
                queue.append(path + [n])
    return None


@program("a topological order, with cycles reported", ({"a": ["b"], "b": ["c"], "c": []},), ({"x": ["y"], "y": ["x"]},))
def ordered(needs: dict[str, list[str]]) -> list[str]:
    done: list[str] = []
    while len(done) < len(needs):
        ready = [n for n, deps in needs.items() if n not in done and all(d in done for d in deps)]
        if not ready:
            raise ValueError(f"cycle among {sorted(set(needs) - set(done))}")
        done += sorted(ready)
    return done


@program("union-find with path halving", (5, [(0, 1), (3, 4), (1, 4)]), (2, []))
def components(n: int, edges: list[tuple[int, int]]) -> list[int]:
    parent = list(range(n))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for a, b in edges:
        parent[root(a)] = root(b)
    return [root(i) for i in range(n)]


@program("a binary heap in a list", ([5, 3, 8, 1],), ([],))
def heap_sort(values: list[int]) -> list[int]:
    heap: list[int] = []
    for v in values:
        heap.append(v)
        i = len(heap) - 1
        while i > 0 and heap[(i - 1) // 2] > heap[i]:
            heap[(i - 1) // 2], heap[i] = heap[i], heap[(i - 1) // 2]
            i = (i - 1) // 2
    out: list[int] = []
    while heap:
        out.append(heap[0])
        last = heap.pop()
        if not heap:
            break
        heap[0] = last
        i = 0
        while (c := 2 * i + 1) < len(heap):
            if c + 1 < len(heap) and heap[c + 1] < heap[c]:
                c += 1
            if heap[i] <= heap[c]:
                break
            heap[i], heap[c] = heap[c], heap[i]
            i = c
    return out


@program("bisection of a sorted list", ([1, 3, 5, 7], 5), ([1, 3], 0), ([], 2))
def bisect(values: list[int], x: int) -> tuple[int, bool]:
    lo, hi = 0, len(values)
    while lo < hi:
        mid = (lo + hi) // 2
        if values[mid] < x:
            lo = mid + 1
        else:
            hi = mid
    return lo, lo < len(values) and values[lo] == x


@program("matrix product of nested lists through zip of columns", ([[1, 2], [3, 4]], [[5, 6], [7, 8]]), ([[1]], [[2]]))
def product(a: list[list[int]], b: list[list[int]]) -> list[list[int]]:
    columns = [[line[j] for line in b] for j in range(len(b[0]))]
    return [[sum(x * y for x, y in zip(r, c)) for c in columns] for r in a]


@program("flattening lists of lists of lists", ([[[1], [2, 3]], [], [[4]]],), ([],))
def flattened(nested: list[list[list[int]]]) -> list[int]:
    return [x for outer in nested for inner in outer for x in inner]


@program("a parameter count printed as a table", ({"conv.weight": [8, 3, 3, 3], "conv.bias": [8], "fc": []},), ({},))
def summary(shapes: dict[str, list[int]]) -> None:
    total = 0
    print(f"{'name':<12} {'shape':>14} {'count':>6}")
    for name, shape in shapes.items():
        count = math.prod(shape)
        total += count
        print(f"{name:<12} {str(shape):>14} {count:>6,}")
    print("-" * 34, f"total {total:,}", sep="\n")


@program("repetition penalty over generated ids", (T([1.0, -2.0, 3.0]), [0, 1, 1], 2.0), (T([5.0]), [], 1.5))
def penalise(logits: Tensor, ids: list[int], penalty: float) -> Tensor:
    out = logits.clone()
    for i in sorted(set(ids)):
        value = float(out[i])
        out[i] = value / penalty if value > 0 else value * penalty
    return out


@program("a phrase blocked when its last words repeat", ([1, 2, 3, 1, 2], 3), ([1], 2), ([4, 4, 4], 2))
def blocked(ids: list[int], n: int) -> list[int]:
    if len(ids) + 1 < n:
        return []
    seen: dict[tuple[int, ...], list[int]] = {}
    for i in range(len(ids) - n + 1):
        gram = ids[i : i + n]
        seen.setdefault(tuple(gram[:-1]), []).append(gram[-1])
    return seen.get(tuple(ids[len(ids) - n + 1 :]), [])


@program("CTC labels: repeats merged, blanks dropped", ([0, 1, 1, 0, 1, 2, 2], 0), ([], 0), ([3, 3], 3))
def collapse(path: list[int], blank: int) -> list[int]:
    out: list[int] = []
    previous = -1
    for label in path:
        if label != previous and label != blank:
            out.append(label)
        previous = label
    return out


@program("run lengths and back", ("aaabccd",), ("",))
def run_lengths(text: str) -> tuple[list[tuple[str, int]], str]:
    runs: list[tuple[str, int]] = []
    for c in text:
        if runs and runs[-1][0] == c:
            runs[-1] = (c, runs[-1][1] + 1)
        else:
            runs.append((c, 1))
    return runs, "".join(c * n for c, n in runs)


@program("a rolling window over an iterable with a full flag", ([1, 2, 3, 4], 3), ([1], 2))
def rolling(values: list[int], size: int) -> list[float]:
    window: list[int] = []
    means: list[float] = []
    for v in values:
        window.append(v)
        if len(window) > size:
            window.pop(0)
        if len(window) == size:
            means.append(sum(window) / size)
    return means


@program("quantising to int8 levels and back", ([0.5, -1.0, 0.25, 2.0],), ([0.0],))
def quantise(values: list[float]) -> tuple[list[int], float]:
    scale = max(abs(v) for v in values) / 127 or 1.0
    return [max(-128, min(127, round(v / scale))) for v in values], scale


@program("an exponential moving average kept in a dict of lists", ({"a": [1.0, 2.0], "b": [4.0]}, {"a": [3.0, 4.0], "c": [1.0]}, 0.5),)
def moving(average: dict[str, list[float]], new: dict[str, list[float]], decay: float) -> int:
    changed = 0
    for name, values in new.items():
        if name not in average:
            average[name] = values[:]
            continue
        old = average[name]
        for i, v in enumerate(values):
            old[i] = decay * old[i] + (1 - decay) * v
            changed += 1
    return changed


@program("a newton root with a bracket, and its failure", (2.0, 1e-9), (-1.0, 1e-9), (0.0, 1e-3))
def newton(a: float, tolerance: float) -> float:
    if a < 0:
        raise ValueError("no real root of %g" % a)
    x, steps = a or 1.0, 0
    while abs(x * x - a) > tolerance:
        x = 0.5 * (x + a / x)
        steps += 1
        if steps > 60:
            raise RuntimeError("no convergence")
    return x


@program("the sieve with a slice step assigned", (30,), (2,), (1,))
def sieve(n: int) -> list[int]:
    is_prime = [True] * (n + 1)
    is_prime[:2] = [False] * min(2, n + 1)
    i = 2
    while i * i <= n:
        if is_prime[i]:
            is_prime[i * i :: i] = [False] * len(is_prime[i * i :: i])
        i += 1
    return [i for i, p in enumerate(is_prime) if p]


@program("teacher forcing chosen by a schedule of booleans", (T([[1.0], [2.0], [3.0]]), [True, False]), (T([[1.0], [1.0]]), [False]))
def forced(targets: Tensor, use: list[bool]) -> Tensor:
    current = targets[0]
    outputs = [current]
    for t in range(1, targets.shape[0]):
        predicted = current * 0.5 + 1
        current = targets[t] if use[(t - 1) % len(use)] else predicted
        outputs.append(predicted)
    return tsm.cat(outputs).view(-1)


@program("speculative tokens accepted up to the first mismatch", ([1, 2, 3], [1, 2, 9, 4]), ([5], [6, 7]), ([], [1]))
def accepted(draft: list[int], target: list[int]) -> list[int]:
    for n, (d, t) in enumerate(zip(draft, target)):
        if d != t:
            return target[: n + 1]
    return target[: len(draft) + 1]


@program("knapsack over a dict of best values", ([(3, 4.0), (2, 3.0), (4, 5.5)], 6), ([], 3))
def knapsack(items: list[tuple[int, float]], room: int) -> dict[int, float]:
    best = {0: 0.0}
    for weight, value in items:
        for used, total in list(best.items()):
            new = used + weight
            if new <= room and total + value > best.get(new, -1.0):
                best[new] = total + value
    return best
