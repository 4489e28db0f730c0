-- The twins of language.py's classes and exceptions: metatables, pcall.

local Account = {}
Account.__index = Account

function Account.new(balance) return setmetatable({balance = balance}, Account) end
function Account:deposit(amount) self.balance = self.balance + amount end
function Account:with_interest(per_mille) return self.balance + self.balance * per_mille // 1000 end

function method_calls(count)
  local account = Account.new(100)
  local total = 0
  for i = 0, count - 1 do
    account:deposit(i % 7)
    total = total + account:with_interest(20) % 1000
  end
  return total
end

local Shape = {}
Shape.__index = Shape
function Shape.new(class, extent) return setmetatable({extent = extent}, class) end
function Shape:area() return 0 end

local Square = setmetatable({}, {__index = Shape})
Square.__index = Square
function Square:area() return self.extent * self.extent end

local Corner = setmetatable({}, {__index = Shape})
Corner.__index = Corner
function Corner:area() return self.extent * self.extent // 2 end

function virtual_calls(count)
  local classes = {Square, Corner, Square, Corner, Shape, Square, Corner, Square}
  local extents = {3, 4, 5, 6, 7, 8, 9, 1}
  local shapes = {}
  for i = 1, 8 do shapes[i] = Shape.new(classes[i], extents[i]) end
  local total = 0
  for i = 0, count - 1 do total = total + shapes[i % 8 + 1]:area() end
  return total
end

local function checked(value)
  if value % 4 == 0 then error("a multiple of four") end
  return value
end

function try_except(count)
  local total = 0
  for i = 0, count - 1 do
    local is_right, value = pcall(checked, i)
    if is_right then total = total + value else total = total - 1 end
  end
  return total
end

local function remainder(value) return value % 3 end

function try_quietly(count)
  local total = 0
  for i = 0, count - 1 do
    local is_right, value = pcall(remainder, i)
    if is_right then total = total + value else total = total - 1 end
  end
  return total
end
