"""Random numbers: one stream a process, seeded by manual_seed, drawn from in program order by whatever code runs.

Every RANDOM row of the table is tried eagerly, scripted, traced and loaded; passes may not merge, move or drop draws.
"""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import rows

import tsm
import tsm.nn.functional as F
from tsm import Tensor, nn
from tsm.binding import table
from tsm.binding.library import ffi, lib

HALF = tsm.full((40,), 0.5)


def draw_rand(x: Tensor) -> Tensor:
    return tsm.rand(40)


def draw_randn(x: Tensor) -> Tensor:
    return tsm.randn(40, dtype=tsm.float64)


def draw_randint(x: Tensor) -> Tensor:
    return tsm.randint(0, 1000, (40,))


def draw_rand_like(x: Tensor) -> Tensor:
    return tsm.rand_like(x)


def draw_randn_like(x: Tensor) -> Tensor:
    return tsm.randn_like(x)


def draw_bernoulli(x: Tensor) -> Tensor:
    return tsm.bernoulli(x)


def draw_randperm(x: Tensor) -> Tensor:
    return tsm.randperm(40)


def draw_dropout(x: Tensor) -> Tensor:
    return F.dropout(x, 0.5, True)


def draw_normal_(x: Tensor) -> Tensor:
    return x.clone().normal_(1.0, 2.0)


def draw_uniform_(x: Tensor) -> Tensor:
    return x.clone().uniform_(-1.0, 2.0)


def draw_exponential_(x: Tensor) -> Tensor:
    return x.clone().exponential_(2.0)


def draw_multinomial(x: Tensor) -> Tensor:
    return x.multinomial(10)


def draw_multinomial_with_replacement(x: Tensor) -> Tensor:
    return x.multinomial(10, True)


def draw_random_(x: Tensor) -> Tensor:
    return x.clone().random_(3, 900)


def draw_rrelu(x: Tensor) -> Tensor:
    return F.rrelu(-x, 0.1, 0.9, True)


def draw_normal(x: Tensor) -> Tensor:
    return tsm.normal(x, 2.0)


def draw_gumbel(x: Tensor) -> Tensor:
    return F.gumbel_softmax(x)


def draw_init(x: Tensor) -> Tensor:
    return nn.init.kaiming_uniform_(x.clone().reshape(8, 5))


def draw_dropout2d(x: Tensor) -> Tensor:
    return F.dropout2d(x.reshape(1, 40, 1, 1), 0.5, True)


DRAWS = [value for name, value in sorted(globals().items()) if name.startswith("draw_")]
PYTHONS_OWN = {"python_random.seed", "python_random.random", "python_random.below", "manual_seed"}


def saved(program: Any, tmp_path: Any) -> Any:
    path = str(tmp_path / "program.tsm")
    program.save(path)
    return tsm.load(path)


def test_every_random_row_is_drawn_here() -> None:
    drawn = {name.removeprefix("draw_") for name in (function.__name__ for function in DRAWS)}
    assert {row.full_name for row in table.rows() if "RANDOM" in row.traits} <= drawn | PYTHONS_OWN


@pytest.mark.filterwarnings("ignore::tsm.TracerWarning")
@pytest.mark.parametrize("draw", DRAWS, ids=lambda function: function.__name__.removeprefix("draw_"))
def test_a_seed_reaches_every_way_to_run(draw: Callable[[Tensor], Tensor], tmp_path: Any) -> None:
    scripted = tsm.script(draw)
    ways = [draw, scripted, tsm.trace(draw, (HALF,)), saved(scripted, tmp_path)]
    tsm.manual_seed(11)
    first, second = draw(HALF).tolist(), draw(HALF).tolist()
    assert first != second
    for way in ways:
        tsm.manual_seed(11)
        assert way(HALF).tolist() == first
        assert draw(HALF).tolist() == second  # the stream goes on where the program left it


def test_two_programs_share_no_draws() -> None:
    one, other = tsm.script(draw_rand), tsm.script(lambda x: tsm.rand(40))
    assert one(HALF).tolist() != other(HALF).tolist()
    layers = tsm.script(nn.Dropout(0.5)), tsm.script(nn.Dropout(0.5))
    assert layers[0](tsm.ones(100)).tolist() != layers[1](tsm.ones(100)).tolist()


def order_matters(x: Tensor, n: int) -> tuple[Tensor, Tensor, list[float]]:
    tsm.rand(3)  # nobody uses it, and still the stream moves
    a, b = tsm.rand(2), tsm.rand(2)  # alike, and not the same
    found: list[float] = []
    for i in range(n):
        noise = tsm.randn(2)  # does not depend on the loop, and is drawn anew
        if i % 2 == 0:
            x = F.dropout(x, 0.3, True) + noise.sum()
        else:
            tsm.randperm(4)
            found.append(float(tsm.rand(1).item()))
    return a - b, x, found


def test_passes_keep_the_order_of_draws() -> None:
    scripted = tsm.script(order_matters)
    tsm.manual_seed(4)
    want = order_matters(HALF, 6)
    tsm.manual_seed(4)
    found = scripted(HALF, 6)
    assert found[0].tolist() == want[0].tolist() and any(want[0].tolist())
    assert np.allclose(found[1].numpy(), want[1].numpy(), rtol=1e-6) and found[2] == want[2]
    assert tsm.rand(2).tolist() != want[0].tolist()


LINES = [
    "x = x + tsm.rand(40)", "x = F.dropout(x, 0.2, True)", "tsm.randn(5)", "x = x * tsm.bernoulli(HALF)",
    "x = x[tsm.randperm(40)]", "x = x.clone().uniform_(0.0, 2.0) + x", "x = x + tsm.randint(0, 9, (40,))",
    "x = x.clone().exponential_() - x", "x = x + x.abs().multinomial(2).sum()", "tsm.manual_seed(3)",
    "x = F.rrelu(x, 0.1, 0.2, True)", "x = tsm.randn_like(x).normal_(0.5) + x",
]


@pytest.mark.parametrize("number", range(6))
def test_random_programs_draw_as_plain_python(number: int, tmp_path: Any) -> None:
    choose = random.Random(number)
    body = [f"    {line}" for line in choose.choices(LINES, k=8)]
    loop = ["    for i in range(n):", *(f"        {line}" for line in choose.choices(LINES, k=3))]
    text = "\n".join(["def program(x: Tensor, n: int) -> Tensor:", *body, *loop, "    return x"])
    path = tmp_path / "program.py"
    path.write_text(text + "\n", encoding="utf-8")
    names: dict[str, Any] = {"tsm": tsm, "F": F, "Tensor": Tensor, "HALF": HALF}
    exec(compile(text, str(path), "exec"), names)
    for seed in range(3):
        tsm.manual_seed(seed)
        want, after = names["program"](HALF, 3), tsm.rand(2).tolist()
        tsm.manual_seed(seed)
        found = tsm.script(names["program"])(HALF, 3)
        assert np.allclose(found.numpy(), want.numpy(), rtol=1e-5, atol=1e-6), text
        assert tsm.rand(2).tolist() == after, text


def mixed(n: int) -> tuple[float, Tensor]:
    random.seed(n)
    return random.random(), tsm.rand(3)


def test_pythons_random_has_a_stream_of_its_own() -> None:
    scripted = tsm.script(mixed)
    tsm.manual_seed(8)
    first, drawn = scripted(1)
    tsm.manual_seed(8)
    assert drawn.tolist() == tsm.rand(3).tolist()
    again, later = scripted(1)
    assert again == first and later.tolist() != drawn.tolist()
    assert scripted(2)[0] != first


# ---- Every machine, every number of threads


def numbers(isa: bytes, threads: int) -> list[Any]:
    """Samples of all kinds from a runtime of an instruction set."""
    options = ffi.new("tsm_runtime_options *", {"threads": threads, "seed": 9})
    options.size = ffi.sizeof("tsm_runtime_options")
    name = ffi.new("char[]", isa)
    options.isa = name
    error = ffi.new("tsm_error *")
    runtime = lib.tsm_runtime_new(options, error)
    if runtime == ffi.NULL:
        pytest.skip(ffi.string(error.message).decode())
    context = lib.tsm_context_new(runtime, error)
    found: list[Any] = []
    for dtype in (tsm.float32, tsm.float64):
        found += [rows.call(name, [100_003], dtype=dtype, within=context) for name in ("rand", "randn")]
        found += [
            rows.call("exponential_", tsm.zeros(777, dtype=dtype), 3.0, within=context),
            rows.call("normal_", tsm.zeros(7, 11, dtype=dtype).t(), 1.0, 3.0, within=context),
            rows.call("uniform_", tsm.zeros(777, dtype=dtype)[::2], -2.0, 3.0, within=context),
            rows.call("dropout", tsm.ones(777, dtype=dtype), 0.3, True, within=context),
            rows.call("bernoulli", tsm.full((777,), 0.3, dtype=dtype), within=context),
        ]
    found += [rows.call("randint", 0, high, [999], within=context) for high in (7, 2**40)]
    found.append(rows.call("randperm", 999, within=context))
    made = [each.numpy().tobytes() for each in found]
    lib.tsm_context_free(context)
    lib.tsm_runtime_free(runtime)
    return made


def test_instruction_sets_and_threads_give_the_same_bits() -> None:
    want = numbers(b"base", 1)
    assert numbers(b"base", 3) == want
    for isa in (b"avx2", b"avx512"):
        assert numbers(isa, 2) == want, isa


FIRST = {  # of seed 1; what every machine gives
    "rand": [0.8902591466903687, 0.8946846723556519],
    "randn": [-4.976763193553779e-06, 0.024569857865571976],
    "randint": [60, 87, 30],
    "randperm": [1, 2, 4, 3, 0],
}


def test_the_first_numbers_of_a_seed() -> None:
    tsm.manual_seed(1)
    assert tsm.rand(2).tolist() == FIRST["rand"]
    assert tsm.randn(2).tolist() == FIRST["randn"]
    assert tsm.randint(0, 100, (3,)).tolist() == FIRST["randint"]
    assert tsm.randperm(5).tolist() == FIRST["randperm"]


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Philox4x32-10 as Salmon et al. (2011) define it."""
    x0, x1, x2, x3 = counter
    k0, k1 = key
    for _ in range(10):
        p, q = x0 * 0xD2511F53, x2 * 0xCD9E8D57
        x0, x1, x2, x3 = (q >> 32) ^ x1 ^ k0, q & 0xFFFFFFFF, (p >> 32) ^ x3 ^ k1, p & 0xFFFFFFFF
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return [x0, x1, x2, x3]


def test_words_are_those_of_philox() -> None:
    # the known answer of the authors' Random123 for all zeros
    assert philox([0] * 4, [0, 0]) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    seed = 0x1234_5678_9ABC_DEF0
    tsm.manual_seed(seed)
    drawn = (np.array(tsm.rand(64).tolist()) * 2**24).astype(int).tolist()
    blocks = [philox([number, 0, 0, 0], [seed & 0xFFFFFFFF, seed >> 32]) for number in range(16)]
    words: list[int] = []
    for chunk in (blocks[:8], blocks[8:]):
        words += [word for half in (0, 2) for block in chunk for word in block[half : half + 2]]
    assert drawn == [word >> 8 for word in words]


def test_samples_have_their_distributions() -> None:
    tsm.manual_seed(2)
    for dtype in (tsm.float32, tsm.float64):
        z = tsm.randn(200_000, dtype=dtype).numpy().astype(float)
        assert abs(z.mean()) < 0.01 and abs(z.std() - 1) < 0.01 and abs((z**4).mean() - 3) < 0.1
        for bound, share in ((0.5, 0.382925), (1.0, 0.682689), (2.0, 0.954500), (3.0, 0.997300)):
            assert abs((abs(z) < bound).mean() - share) < 0.005
        u = tsm.rand(200_000, dtype=dtype).numpy()
        assert abs(u.mean() - 0.5) < 0.003 and abs(u.var() * 12 - 1) < 0.01 and u.min() >= 0 and u.max() < 1
        e = tsm.empty(200_000, dtype=dtype).exponential_(2.0).numpy()
        assert abs(e.mean() - 0.5) < 0.01 and abs(e.var() - 0.25) < 0.01 and e.min() > 0
    counts = np.bincount(tsm.randint(0, 10, (100_000,)).numpy())
    assert len(counts) == 10 and abs(counts - 10_000).max() < 500
    places = np.array([tsm.randperm(5).tolist() for _ in range(2000)])
    assert abs(places.mean(0) - 2).max() < 0.15 and (np.sort(places, 1) == np.arange(5)).all()
    assert abs(F.dropout(tsm.ones(100_000), 0.3, True).numpy().mean() - 1) < 0.02


# ---- States


def test_the_default_stream_begins_as_pytorchs() -> None:
    lib_runtime = lib.tsm_runtime_new(ffi.NULL, ffi.NULL)
    state = ffi.new("uint64_t[2]")
    lib.tsm_runtime_random(lib_runtime, state)
    lib.tsm_runtime_free(lib_runtime)
    assert list(state) == [67280421310721, 0] and tsm.Generator().initial_seed() == 67280421310721


def test_a_state_is_kept_and_taken_up() -> None:
    tsm.manual_seed(5)
    tsm.rand(100)
    state = tsm.get_rng_state()
    want = tsm.rand(3).tolist()
    tsm.set_rng_state(state)
    assert tsm.rand(3).tolist() == want and state.dtype == tsm.uint8 and tsm.initial_seed() == 5
    tsm.set_rng_state(state)
    with tsm.random.fork_rng():
        assert tsm.rand(3).tolist() == want
        tsm.manual_seed(77)
    assert tsm.rand(3).tolist() == want
    with tsm.random.fork_rng(enabled=False):
        tsm.manual_seed(5)
    assert tsm.initial_seed() == 5
    assert tsm.seed() == tsm.initial_seed() and tsm.seed() != tsm.seed()


@pytest.mark.parametrize("take", [tsm.set_rng_state, tsm.Generator().set_state])
def test_what_is_no_state_is_refused(take: Callable[[Any], object]) -> None:
    good = tsm.get_rng_state()
    for bad, error in (
        ([1], TypeError), (tsm.zeros(24), TypeError), (good[:23], RuntimeError), (good + 1, RuntimeError),
        (tsm.zeros(24, dtype=tsm.uint8), RuntimeError),
    ):
        with pytest.raises(error):
            take(bad)
    assert tsm.get_rng_state().tolist() == good.tolist()


def test_seeds_are_checked_as_pytorchs() -> None:
    for seed, kept in ((-1, 2**64 - 1), (-(2**63), 2**63), (2**64 - 1, 2**64 - 1), (True, 1)):
        assert tsm.manual_seed(seed) is tsm.default_generator and tsm.initial_seed() == kept
    for seed in (2**64, -(2**63) - 1):
        with pytest.raises(ValueError, match="Overflow"):
            tsm.manual_seed(seed)
        with pytest.raises(ValueError, match="Overflow"):
            tsm.Generator().manual_seed(seed)
    for odd in (1.5, True, "3"):
        with pytest.raises(RuntimeError, match="expected a long"):
            tsm.Generator().manual_seed(odd)  # type: ignore[arg-type]


# ---- Generators

WITH_GENERATOR: list[Callable[[Tensor, tsm.Generator], Tensor]] = [
    lambda x, g: tsm.rand(2, 3, generator=g), lambda x, g: tsm.rand(size=(2,), generator=g, dtype=tsm.float64),
    lambda x, g: tsm.randn((2, 3), generator=g), lambda x, g: tsm.rand_like(x, generator=g),
    lambda x, g: tsm.randn_like(x, generator=g), lambda x, g: tsm.randint(9, (40,), generator=g),
    lambda x, g: tsm.randint(3, 900, (40,), generator=g), lambda x, g: tsm.randint_like(x, 900, generator=g),
    lambda x, g: tsm.randperm(9, generator=g), lambda x, g: tsm.normal(x, 1.0, generator=g),
    lambda x, g: tsm.normal(0.0, 1.0, (4,), generator=g), lambda x, g: tsm.bernoulli(x, generator=g),
    lambda x, g: x.bernoulli(0.5, generator=g), lambda x, g: x.clone().bernoulli_(0.5, generator=g),
    lambda x, g: x.clone().normal_(generator=g), lambda x, g: x.clone().uniform_(1.0, 2.0, generator=g),
    lambda x, g: x.clone().exponential_(generator=g), lambda x, g: x.clone().random_(generator=g),
    lambda x, g: x.multinomial(9, generator=g), lambda x, g: x.multinomial(9, True, generator=g),
    lambda x, g: nn.init.uniform_(x.clone(), generator=g), lambda x, g: nn.init.normal_(x.clone(), generator=g),
    lambda x, g: nn.init.trunc_normal_(x.clone(), generator=g),
    lambda x, g: nn.init.xavier_uniform_(x.reshape(8, 5).clone(), generator=g),
    lambda x, g: nn.init.xavier_normal_(x.reshape(8, 5).clone(), generator=g),
    lambda x, g: nn.init.kaiming_normal_(x.reshape(8, 5).clone(), generator=g),
    lambda x, g: nn.init.orthogonal_(x.reshape(8, 5).clone(), generator=g),
    lambda x, g: nn.init.sparse_(x.reshape(8, 5).clone(), 0.5, generator=g),
]


@pytest.mark.parametrize("number", range(len(WITH_GENERATOR)))
def test_a_generator_draws_and_the_default_stream_rests(number: int) -> None:
    draw, own = WITH_GENERATOR[number], tsm.Generator().manual_seed(6)
    state = tsm.get_rng_state().tolist()
    first, second = draw(HALF, own).tolist(), draw(HALF, own).tolist()
    assert tsm.get_rng_state().tolist() == state and first != second
    own.manual_seed(6)
    assert draw(HALF, own).tolist() == first
    tsm.manual_seed(6)
    assert draw(HALF, tsm.default_generator).tolist() == first
    assert draw(HALF, None).tolist() == second  # type: ignore[arg-type]


def test_generators_are_copied_pickled_and_set() -> None:
    own = tsm.Generator(device="cpu").manual_seed(3)
    tsm.rand(5, generator=own)
    copies = [copy.deepcopy(own), pickle.loads(pickle.dumps(own)), own.clone_state()]
    copies.append(tsm.Generator().set_state(own.get_state()))
    want = tsm.rand(5, generator=own).tolist()
    for each in copies:
        assert each.initial_seed() == 3 and tsm.rand(5, generator=each).tolist() == want
    assert own.device == tsm.device("cpu") and own.seed() == own.initial_seed()
    with pytest.raises(RuntimeError, match="CPU"):
        tsm.Generator("cuda")
    with pytest.raises(RuntimeError, match="two elements"):
        tsm.rand(2, generator=tsm.zeros(2))


def with_own(x: Tensor) -> tuple[Tensor, Tensor, int]:
    own = tsm.Generator(device="cpu")
    own.manual_seed(3)
    return tsm.rand(4, generator=own), x.clone().normal_(generator=own), own.initial_seed()


def with_given(x: Tensor, g: tsm.Generator) -> Tensor:
    return tsm.randperm(5, generator=g) + tsm.randint(0, 9, (5,), generator=g)


def with_state(g: tsm.Generator) -> Tensor:
    return g.get_state()


def with_fork(x: Tensor) -> Tensor:
    with tsm.random.fork_rng():
        return tsm.rand(2)


def test_scripts_make_and_take_generators(tmp_path: Any) -> None:
    for function in (tsm.script(with_own), saved(tsm.script(with_own), tmp_path)):
        found, want = function(HALF), with_own(HALF)
        assert [each.tolist() for each in found[:2]] == [each.tolist() for each in want[:2]] and found[2] == 3
    own, other = tsm.Generator().manual_seed(1), tsm.Generator().manual_seed(1)
    scripted = tsm.script(with_given)
    for _ in range(2):
        assert scripted(HALF, own).tolist() == with_given(HALF, other).tolist()
    for refused in (with_state, with_fork):
        with pytest.raises(tsm.CompileError, match="acts on the process"):
            tsm.script(refused)
    with pytest.raises(TypeError, match="DefaultGenerator"):
        scripted(HALF, tsm.default_generator)


# ---- Streams of instances, and threads


def test_a_seeded_instance_has_its_own_stream(tmp_path: Any) -> None:
    one = saved(tsm.script(draw_rand), tmp_path)
    one.seed(5)
    state = tsm.get_rng_state().tolist()
    first = one(HALF).tolist()
    assert tsm.get_rng_state().tolist() == state
    other = one.clone()
    second = one(HALF).tolist()
    assert other(HALF).tolist() == second != first
    one.reset()
    assert one(HALF).tolist() == first


def test_threads_share_the_default_stream_out(tmp_path: Any) -> None:
    program = saved(tsm.script(draw_rand), tmp_path)
    tsm.manual_seed(21)
    want = sorted(tsm.rand(40).tolist() for _ in range(200))
    tsm.manual_seed(21)
    with ThreadPoolExecutor(4) as pool:
        found = sorted(
            drawn for part in pool.map(lambda way: [way(HALF).tolist() for _ in range(50)],
                                       [program.clone(), program.clone(), draw_rand, tsm.script(draw_rand)])
            for drawn in part
        )
    assert found == want


def test_threads_with_their_own_streams_repeat(tmp_path: Any) -> None:
    program = saved(tsm.script(draw_rand), tmp_path)

    def run(seed: int) -> list[list[float]]:
        mine = program.clone()
        mine.seed(seed)
        return [mine(HALF).tolist() for _ in range(20)]

    want = [run(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, range(4))) == want


def test_threads_share_a_generator_out() -> None:
    own = tsm.Generator().manual_seed(2)
    want = sorted(tsm.rand(3, generator=own).tolist() for _ in range(200))
    own.manual_seed(2)
    with ThreadPoolExecutor(4) as pool:
        parts = pool.map(lambda _: [tsm.rand(3, generator=own).tolist() for _ in range(50)], range(4))
        assert sorted(drawn for part in parts for drawn in part) == want
