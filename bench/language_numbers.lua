-- The twins of language.py's loops over numbers and of its recursive functions.

function collatz(limit)
  local steps = 0
  for start = 1, limit - 1 do
    local n = start
    while n ~= 1 do
      if n % 2 == 0 then n = n // 2 else n = 3 * n + 1 end
      steps = steps + 1
    end
  end
  return steps
end

function gcd_sum(limit)
  local total = 0
  for a = 1, limit - 1 do
    local x, y = a, limit
    while y ~= 0 do x, y = y, x % y end
    total = total + x
  end
  return total
end

function leibniz(count)
  local total, sign = 0.0, 1.0
  for k = 0, count - 1 do
    total = total + sign / (2 * k + 1)
    sign = -sign
  end
  return total
end

function mandelbrot(size)
  local inside = 0
  for row = 0, size - 1 do
    local ci = 2.0 * row / size - 1.0
    for column = 0, size - 1 do
      local cr = 2.0 * column / size - 1.5
      local zr, zi, k = 0.0, 0.0, 0
      while k < 50 and zr * zr + zi * zi < 4.0 do
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
        k = k + 1
      end
      if k == 50 then inside = inside + 1 end
    end
  end
  return inside
end

-- Local functions, as a Lua programmer writes what must be fast.
local function fib_of(n)
  if n < 2 then return n end
  return fib_of(n - 1) + fib_of(n - 2)
end
fib = fib_of

local function ackermann_of(m, n)
  if m == 0 then return n + 1 end
  if n == 0 then return ackermann_of(m - 1, 1) end
  return ackermann_of(m - 1, ackermann_of(m, n - 1))
end
function ackermann(n) return ackermann_of(2, n) end
