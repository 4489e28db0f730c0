-- The twins of language.py's loops over lists. A list starts at 1 here.

function sieve(limit)
  local composite = {}
  for i = 1, limit do composite[i] = false end
  local count = 0
  for i = 2, limit do
    if not composite[i] then
      count = count + 1
      for j = i * i, limit, i do composite[j] = true end
    end
  end
  return count
end

function sort_ints(count)
  local values = {}
  local state = 42
  for i = 1, count do
    state = (state * 1103515245 + 12345) % 2147483648
    values[#values + 1] = state
  end
  local gap = count // 2
  while gap > 0 do
    for i = gap + 1, count do
      local item = values[i]
      local j = i
      while j > gap and values[j - gap] > item do
        values[j] = values[j - gap]
        j = j - gap
      end
      values[j] = item
    end
    gap = gap // 2
  end
  return values[1] + values[count // 2 + 1]
end

function smooth(turns)
  local values = {}
  for i = 1, 1000 do values[i] = 0.0 end
  values[501] = 1000.0
  for turn = 1, turns do
    local left = values[1]
    for i = 2, #values - 1 do
      local here = values[i]
      values[i] = (left + here + values[i + 1]) / 3.0
      left = here
    end
  end
  return values[501]
end

function append_sum(count)
  local values = {}
  for i = 0, count - 1 do values[#values + 1] = i * 3 end
  local total = 0
  for _, value in ipairs(values) do total = total + value end
  return total
end

function read_list(count)
  local values = {}
  for i = 1, 1024 do values[i] = i - 1 end
  local total, at = 0, 0
  for _ = 1, count do
    at = (at + 389) % 1024
    total = total + values[at + 1]
  end
  return total
end

function write_list(count)
  local values = {}
  for i = 1, 1024 do values[i] = 0 end
  local at = 0
  for i = 0, count - 1 do
    at = (at + 389) % 1024
    values[at + 1] = i
  end
  return values[1] + values[513]
end
