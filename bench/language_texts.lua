-- The twins of language.py's loops over texts and tables.

function build_text(count)
  local text = ""
  for i = 0, count - 1 do
    text = text .. "ab"
    if i % 16 == 0 then text = text .. "\n" end
  end
  return #text
end

function number_text(count)
  local text = ""
  for i = 0, count - 1 do text = text .. i .. "," end
  return #text
end

function format_text(count)
  local parts = {}
  for i = 0, count - 1 do parts[#parts + 1] = i .. "=" .. i * 2 end
  return #table.concat(parts, ";")
end

function count_ints(count)
  local counts = {}
  for i = 0, count - 1 do
    local key = i * 7919 % 1000
    counts[key] = (counts[key] or 0) + 1
  end
  return counts[0]
end

function count_words(count)
  local words = {"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"}
  local counts = {}
  for _, word in ipairs(words) do counts[word] = 0 end
  for i = 0, count - 1 do
    local word = words[i % 8 + 1]
    if counts[word] then counts[word] = counts[word] + 1 end
  end
  return counts["eta"]
end

function lookup_ints(count)
  local lookup = {}
  for i = 0, 999 do lookup[i * 7] = i end
  local total = 0
  for i = 0, count - 1 do total = total + lookup[i % 1000 * 7] end
  return total
end

function lookup_words(count)
  local lookup, words = {}, {}
  for i = 0, 199 do
    local word = "word " .. i
    words[i + 1] = word
    lookup[word] = i
  end
  local total = 0
  for i = 0, count - 1 do total = total + lookup[words[i % 200 + 1]] end
  return total
end
