import type { Ban, Subject, Tally } from '../window.ts';

/** The instance that begins a ban has this many ms to save the ban. After that, any instance may save it. */
const SAVED_WITHIN_MS = 5000;

/** If two bans on a key begin at most this many ms apart, they count as one ban that was timed by two clocks. */
export const SAME_BAN_MS = 1000;

/**
 * Applies the same rules as `take` in window.ts. ARGV contains the API key or address with its limits, the number of
 * requests, the last ban saved in the database (or an empty string), and the cost per request. Returns Redis's time,
 * whether the calling instance must save a ban, and the state before the call: the counts, the ban, and the time of the
 * last write. The instance applies window.ts to the counts and the ban, and gets the same result as the script.
 */
export const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local subject, requests, cost = cjson.decode(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
local kept = redis.pcall('GET', KEYS[1])
local isRead, tally = pcall(cjson.decode, type(kept) == 'string' and kept or '')
if not (isRead and type(tally) == 'table' and type(tally.windows) == 'table') then tally = { windows = {} } end
-- Redis may have lost the time of the key's last write. In that case, the key is treated as if it had just written.
tally.wroteAt = math.min(tonumber(tally.wroteAt) or now, now)
local changed, toSave = false, 0

if ARGV[3] ~= '' then
  local saved, known = cjson.decode(ARGV[3]), tally.ban or { bannedAt = 0, ['until'] = 0 }
  local function isLifted(ban) return ban['until'] <= ban.bannedAt end
  local ahead = saved.bannedAt - known.bannedAt
  local isNew = ahead > (isLifted(known) and 0 or ${SAME_BAN_MS}) and saved.bannedAt <= now
  local isNowLifted = ahead >= -${SAME_BAN_MS} and isLifted(saved) and not isLifted(known)
  if isNew or isNowLifted then
    tally.ban, tally.refusals, tally.saveUntil, changed = saved, nil, nil, true
  elseif ahead >= -${SAME_BAN_MS} and tally.saveUntil then
    tally.saveUntil, changed = nil, true
  end
end

local function isBanned() return tally.ban and now < tally.ban['until'] end
if requests > 0 and isBanned() and tally.saveUntil and tally.saveUntil <= now then
  tally.saveUntil, toSave, changed = now + ${SAVED_WITHIN_MS}, 1, true
end
local before = cjson.encode(tally)
if subject.mayWrite and not isBanned() then tally.wroteAt, changed = now, true end

local function open(count, lengthMs)
  if not (count and now < count['until']) then return nil end
  if count['until'] > now + lengthMs then count['until'], changed = now + lengthMs, true end
  return count
end
if requests > 0 then
  for _, rule in ipairs(subject.windows) do open(tally.windows[rule.name], rule.lengthMs) end
  local earlier = tally.ban and tally.ban.bannedAt - now or 0
  if earlier > 0 then
    for _, name in ipairs({ 'bannedAt', 'until', 'forgottenAt' }) do tally.ban[name] = tally.ban[name] - earlier end
    if tally.saveUntil then tally.saveUntil = now + ${SAVED_WITHIN_MS} end
    changed = true
  end
end

local function add(count, by, lengthMs)
  count = open(count, lengthMs) or { used = 0, ['until'] = now + lengthMs }
  count.used = count.used + by
  return count
end

local function isSpent()
  for _, rule in ipairs(subject.windows) do
    local count = open(tally.windows[rule.name], rule.lengthMs)
    if (count and count.used or 0) + cost > rule.limit then return true end
  end
  return false
end
local function admit()
  for _, rule in ipairs(subject.windows) do
    tally.windows[rule.name] = add(tally.windows[rule.name], cost, rule.lengthMs)
  end
end
local function refuse(rule)
  tally.refusals = add(tally.refusals, 1, rule.countedMs)
  if tally.refusals.used < rule.refusals then return end
  local last, length = tally.ban, rule.firstMs
  if last and now < last.forgottenAt then
    length = math.max(rule.firstMs, math.min(rule.longestMs, 2 * (last['until'] - last.bannedAt)))
  end
  local ends = now + length
  tally.ban = { bannedAt = now, ['until'] = ends, forgottenAt = ends + rule.rememberedMs }
  tally.refusals, tally.saveUntil = nil, now + ${SAVED_WITHIN_MS}
end

for _ = 1, requests do
  if isBanned() then break end
  if not isSpent() then admit()
  elseif subject.ban then refuse(subject.ban)
  else break end
  changed = true
end

if changed then
  local last = tally.ban and tally.ban.forgottenAt or now
  if tally.refusals then last = math.max(last, tally.refusals['until']) end
  for _, count in pairs(tally.windows) do last = math.max(last, count['until']) end
  redis.call('SET', KEYS[1], cjson.encode(tally), 'PXAT', last)
end
return {now, toSave, before}
`;

/** A Redis cluster chooses the node by the text between the braces. */
export const keyOf = (subjectId: string): string => `rl:{${subjectId}}`;

export const encodeCall = (subject: Subject, requests: number, cost: number, savedBan?: Ban): string[] => [
  JSON.stringify(subject),
  `${requests}`,
  savedBan ? JSON.stringify(savedBan) : '',
  `${cost}`,
];

export const decodeReply = (reply: unknown) => {
  const [now, toSave, before] = reply as [number, number, string];
  const { windows, refusals, ban, wroteAt } = JSON.parse(before) as Tally & { wroteAt: number };
  const tally: Tally = { windows, ...(refusals && { refusals }), ...(ban && { ban }) };
  return { now, wroteAt, isBanToSave: toSave === 1, tally };
};

/** Every number in `value`, except `used`, must be a time. */
export const shift = <Instants>(value: Instants, behindMs: number): Instants => {
  if (behindMs === 0) return value;
  const revive = (name: string, one: unknown) => (typeof one === 'number' && name !== 'used' ? one - behindMs : one);
  return JSON.parse(JSON.stringify(value), revive);
};
