"""list.sort and sorted of what has its own <: CPython 3.11's listsort, written as scripts, specialised per type.

In: nothing. Out: functions that inference calls. Holds: elements are compared in CPython's pairs and order, the list
is empty meanwhile, and an exception leaves the elements as CPython leaves them.
"""

from __future__ import annotations

from .containers import restored, taken

MIN_GALLOP = 7


def by_value(x, y):
    return x < y


def by_key(x, y):
    return x[0] < y[0]


def sorted_items(items, reverse):
    copied = items[:]
    sort_content(copied, reverse, by_value)
    return copied


def sorted_pairs(pairs, reverse):
    """Pairs of a key and something else, in the order of the keys."""
    copied = pairs[:]
    sort_content(copied, reverse, by_key)
    return copied


def sort_items(items, reverse):
    content = taken(items)
    try:
        sort_content(content, reverse, by_value)
    except BaseException:
        restored(items, content)
        raise
    if restored(items, content):
        raise ValueError("list modified during sort")


def sorted_by_comparison(items, compare, reverse):
    """sorted() with a key of cmp_to_key."""

    def less(x, y):
        return compare(x, y) < 0

    copied = items[:]
    sort_content(copied, reverse, less)
    return copied


def sort_by_comparison(items, compare, reverse):
    """list.sort with a key of cmp_to_key."""

    def less(x, y):
        return compare(x, y) < 0

    content = taken(items)
    try:
        sort_content(content, reverse, less)
    except BaseException:
        restored(items, content)
        raise
    if restored(items, content):
        raise ValueError("list modified during sort")


def sort_content(a, reverse, less):
    if len(a) < 2:
        return
    if reverse:
        a.reverse()
    try:
        sort_runs(a, less)
    finally:
        if reverse:
            a.reverse()


def sort_runs(a, less):
    """Runs of at least `least` elements, merged in the order of their powers."""
    size = len(a)
    least, odd = size, 0
    while least >= 64:
        odd |= least & 1
        least >>= 1
    least += odd
    bases: list[int] = []
    lengths: list[int] = []
    powers: list[int] = []
    gallop = [MIN_GALLOP]
    low = 0
    while low < size:
        length = run_length(a, low, size, less)
        if length < least:
            forced = min(size - low, least)
            insert_each(a, low, low + forced, low + length, less)
            length = forced
        if bases:
            power = power_of(bases[-1], lengths[-1], length, size)
            while len(bases) > 1 and powers[-2] > power:
                merge_at(a, bases, lengths, powers, len(bases) - 2, gallop, less)
            powers[-1] = power
        bases.append(low)
        lengths.append(length)
        powers.append(0)
        low += length
    while len(bases) > 1:
        n = len(bases) - 2
        if n > 0 and lengths[n - 1] < lengths[n + 1]:
            n -= 1
        merge_at(a, bases, lengths, powers, n, gallop, less)


def run_length(a, low, high, less):
    """Of the run at the start; a falling one is turned."""
    end = low + 1
    if end == high:
        return 1
    end += 1
    if less(a[low + 1], a[low]):
        while end < high and less(a[end], a[end - 1]):
            end += 1
        run = a[low:end]
        run.reverse()
        a[low:end] = run
    else:
        while end < high:
            if less(a[end], a[end - 1]):
                break
            end += 1
    return end - low


def insert_each(a, low, high, start, less):
    """Inserts each element from `start` on behind those that are sorted, by halving."""
    for each in range(start, high):
        pivot = a[each]
        left, right = low, each
        while left < right:
            middle = left + (right - left) // 2
            if less(pivot, a[middle]):
                right = middle
            else:
                left = middle + 1
        moved = a[left:each]
        a[left + 1 : each + 1] = moved
        a[left] = pivot


def power_of(start, first, second, size):
    """Depth in a balanced tree of the border between two runs that lie side by side."""
    power = 0
    a = 2 * start + first
    b = a + first + second
    while True:
        power += 1
        if a >= size:
            a -= size
            b -= size
        elif b >= size:
            return power
        a <<= 1
        b <<= 1


def merge_at(a, bases, lengths, powers, i, gallop, less):
    """Merges run i and the next one, without what lies outside the other already."""
    low, first = bases[i], lengths[i]
    middle, second = bases[i + 1], lengths[i + 1]
    lengths[i] = first + second
    del bases[i + 1]
    del lengths[i + 1]
    del powers[i + 1]
    skipped = place_right(a[middle], a, low, first, 0, less)
    low += skipped
    first -= skipped
    if first == 0:
        return
    second = place_left(a[low + first - 1], a, middle, second, second - 1, less)
    if second == 0:
        return
    if first <= second:
        merge_low(a, low, first, middle, second, gallop, less)
    else:
        merge_high(a, low, first, middle, second, gallop, less)


def place_left(key, a, base, n, hint, less):
    """Place of the first of n elements from `base` that is not less than key, looked for near `hint`."""
    last, step = 0, 1
    if less(a[base + hint], key):
        most = n - hint
        while step < most and less(a[base + hint + step], key):
            last = step
            step = 2 * step + 1
        step = min(step, most)
        last += hint
        step += hint
    else:
        most = hint + 1
        while step < most:
            if less(a[base + hint - step], key):
                break
            last = step
            step = 2 * step + 1
        step = min(step, most)
        last, step = hint - step, hint - last
    last += 1
    while last < step:
        middle = last + (step - last) // 2
        if less(a[base + middle], key):
            last = middle + 1
        else:
            step = middle
    return step


def place_right(key, a, base, n, hint, less):
    """Place of the first of n elements from `base` that is greater than key, looked for near `hint`."""
    last, step = 0, 1
    if less(key, a[base + hint]):
        most = hint + 1
        while step < most and less(key, a[base + hint - step]):
            last = step
            step = 2 * step + 1
        step = min(step, most)
        last, step = hint - step, hint - last
    else:
        most = n - hint
        while step < most:
            if less(key, a[base + hint + step]):
                break
            last = step
            step = 2 * step + 1
        step = min(step, most)
        last += hint
        step += hint
    last += 1
    while last < step:
        middle = last + (step - last) // 2
        if less(key, a[base + middle]):
            step = middle
        else:
            last = middle + 1
    return step


def merge_low(a, low, first, middle, second, gallop, less):
    """From the left, the shorter left run in a copy; `i` and `j` are the next of either, `at` where it goes."""
    left = a[low : low + first]
    i, j, at, end = 0, middle, low, middle + second
    a[at] = a[j]
    j += 1
    at += 1
    try:
        least = gallop[0]
        while j < end and i < first - 1:
            wins_left, wins_right = 0, 0
            while wins_left < least and wins_right < least:
                if less(a[j], left[i]):
                    a[at] = a[j]
                    j += 1
                    at += 1
                    wins_right += 1
                    wins_left = 0
                    if j == end:
                        return
                else:
                    a[at] = left[i]
                    i += 1
                    at += 1
                    wins_left += 1
                    wins_right = 0
                    if i == first - 1:
                        return
            least += 1
            wins_left = MIN_GALLOP
            while wins_left >= MIN_GALLOP or wins_right >= MIN_GALLOP:
                if least > 1:
                    least -= 1
                gallop[0] = least
                wins_left = place_right(a[j], left, i, first - i, 0, less)
                a[at : at + wins_left] = left[i : i + wins_left]
                at += wins_left
                i += wins_left
                if i >= first - 1 and wins_left > 0:
                    return
                a[at] = a[j]
                j += 1
                at += 1
                if j == end:
                    return
                wins_right = place_left(left[i], a, j, end - j, 0, less)
                if wins_right > 0:
                    a[at : at + wins_right] = a[j : j + wins_right]
                    at += wins_right
                    j += wins_right
                    if j == end:
                        return
                a[at] = left[i]
                i += 1
                at += 1
                if i == first - 1:
                    return
            least += 1
            gallop[0] = least
    finally:
        if i == first - 1:  # the last of the left run belongs at the end, after what is left of the right one
            rest = a[j:end]
            a[at : at + len(rest)] = rest
            a[end - 1] = left[i]
        elif i < first:
            a[at : at + first - i] = left[i:]


def merge_high(a, low, first, middle, second, gallop, less):
    """From the right, the shorter right run in a copy; i and j are the next of either, `at` where it goes."""
    right = a[middle : middle + second]
    i, j, at = low + first - 1, second - 1, middle + second - 1
    a[at] = a[i]
    i -= 1
    at -= 1
    try:
        least = gallop[0]
        while i >= low and j > 0:
            wins_left, wins_right = 0, 0
            while wins_left < least and wins_right < least:
                if less(right[j], a[i]):
                    a[at] = a[i]
                    i -= 1
                    at -= 1
                    wins_left += 1
                    wins_right = 0
                    if i < low:
                        return
                else:
                    a[at] = right[j]
                    j -= 1
                    at -= 1
                    wins_right += 1
                    wins_left = 0
                    if j == 0:
                        return
            least += 1
            wins_left = MIN_GALLOP
            while wins_left >= MIN_GALLOP or wins_right >= MIN_GALLOP:
                if least > 1:
                    least -= 1
                gallop[0] = least
                n = i - low + 1
                wins_left = n - place_right(right[j], a, low, n, n - 1, less)
                if wins_left > 0:
                    moved = a[i - wins_left + 1 : i + 1]
                    a[at - wins_left + 1 : at + 1] = moved
                    at -= wins_left
                    i -= wins_left
                    if i < low:
                        return
                a[at] = right[j]
                j -= 1
                at -= 1
                if j == 0:
                    return
                wins_right = j + 1 - place_left(a[i], right, 0, j + 1, j, less)
                if wins_right > 0:
                    a[at - wins_right + 1 : at + 1] = right[j - wins_right + 1 : j + 1]
                    at -= wins_right
                    j -= wins_right
                    if j <= 0:
                        return
                a[at] = a[i]
                i -= 1
                at -= 1
                if i < low:
                    return
            least += 1
            gallop[0] = least
    finally:
        if j == 0:  # the first of the right run belongs at the front, before what is left of the left one
            rest = a[low : i + 1]
            a[at - len(rest) + 1 : at + 1] = rest
            a[low] = right[0]
        elif j > 0:
            a[at - j : at + 1] = right[: j + 1]
