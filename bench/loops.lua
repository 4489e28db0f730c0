-- The loops of networks/loops.py in Lua, with the line protocol of worker.py: `loops.lua workload`.
local function collatz(limit)
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

local run = ({collatz = function() return collatz(3000) end})[arg[1]]
if not run then
  print("error no such loop")
  os.exit(1)
end

local function peak_memory()
  for line in io.lines("/proc/self/status") do
    local kilobytes = line:match("^VmHWM:%s*(%d+)")
    if kilobytes then return kilobytes end
  end
end

print("ready")
io.flush()
for line in io.lines() do
  local word, rest = line:match("^(%S+)%s*(.*)$")
  if word == "run" then
    local before = os.clock() -- processor time; whoever asked has a clock on the wall
    for _ = 1, tonumber(rest) do run() end
    print(string.format("%d", (os.clock() - before) * 1e9 // 1))
  elseif word == "result" then
    print("value " .. run())
  elseif word == "memory" then
    print(peak_memory())
  end
  io.flush()
end
