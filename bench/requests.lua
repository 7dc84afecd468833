-- Arguments from the command line of wrk: the kind of request, the key, the number of pets, a file (of list cursors, pet
-- ids or paths), and the mean pause between two requests on a connection, in milliseconds.
local kind, key, pets, cursors = nil, nil, 0, {}

local function get(path, host)
  return 'GET ' .. path .. ' HTTP/1.1\r\nHost: ' .. (host or '127.0.0.1') .. '\r\nAuthorization: Bearer ' .. key .. '\r\n\r\n'
end

local BODY = '{"name":"Rex","categoryId":1,"status":"available"}'

local function create(more, path)
  return 'POST ' .. (path or '/v1/pets') .. ' HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ' .. key ..
    '\r\nContent-Type: application/json\r\nContent-Length: ' .. #BODY .. '\r\n' .. more .. '\r\n' .. BODY
end

local hot, plain, post
local kinds = {
  get = function() return get('/v1/pets/' .. math.random(pets)) end,
  known = function() return get('/v1/pets/' .. cursors[math.random(#cursors)]) end,
  hot = function() return hot end,
  -- Sends a different `Host` header with each request. The links in a list contain the host, so the service cannot send
  -- a cached response.
  cold = function()
    return get('/v1/pets?limit=20&status=available&cursor=' .. cursors[math.random(#cursors)], 'h' .. math.random(1e9))
  end,
  create = function() return plain end,
  once = function()
    return create('Idempotency-Key: ' .. math.random(1e9) .. '-' .. math.random(1e9) .. '\r\n')
  end,
  mixed = function()
    if math.random(10) == 1 then return plain end
    return get('/v1/pets/' .. math.random(pets))
  end,
  path = function() return get(cursors[math.random(#cursors)]) end,
  post = function() return post end,
}

function init(args)
  kind, key, pets = args[1], args[2], tonumber(args[3])
  if args[4] then for line in io.lines(args[4]) do cursors[#cursors + 1] = line end end
  math.randomseed(os.time())
  hot, plain = get('/v1/pets?limit=20&status=available'), create('')
  post = create('', cursors[1])
  request = kinds[kind]
  local pause = tonumber(args[5])
  -- The pauses are distributed exponentially, so that requests on different connections arrive independently.
  if pause then delay = function() return math.floor(0.5 - math.log(1 - math.random()) * pause) end end
end

function done(summary, latency)
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
