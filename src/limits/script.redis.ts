import type { Subject, WindowName } from './policy.ts';
import type { Ban, Tally } from './window.ts';

/** The time that a caller holds for ours runs ahead by as long as an answer took: the windows it tells of end so much later. */
const AHEAD_MS = 1000;

/**
 * Judges requests of one subject as `take` in window.ts does, one after another at one instant of Redis: all that is
 * known of the subject is one hash, so that a single call is exact however many instances make it.
 *
 * ARGV: requests, refusals that were served elsewhere, whether an unknown subject is judged (else the answer says that
 * it is unknown), the instant after which nothing is done (0: none), the rule of bans (empty: none), what the caller knows
 * and Redis may not (JSON; empty: nothing), then name, limit and length of each window.
 */
export const SCRIPT = `
local key = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local requests, reported, notAfter = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
if notAfter > 0 and now > notAfter then return {'late', now} end

local fields = {'refusals', 'refusals_until', 'banned_at', 'banned_until', 'forgotten_at', 'saved'}
for at = 7, #ARGV, 3 do
  fields[#fields + 1] = ARGV[at]
  fields[#fields + 1] = ARGV[at] .. '_until'
end
local kept = redis.call('HMGET', key, unpack(fields))
local known = false
for at = 1, #fields do
  known = known or kept[at]
  kept[at] = tonumber(kept[at] or 0)
end
if not known and ARGV[3] == '0' then return {'unknown', now} end

local changes = {}
local prolonged = false
local function set(at, value)
  kept[at] = value
  changes[#changes + 1] = fields[at]
  changes[#changes + 1] = value
end
local function isOpen(till, length) return now < till and till <= now + length end

local told = ARGV[6] ~= '' and cjson.decode(ARGV[6]) or {}
if told.ban then
  local at = told.ban.bannedAt
  if at > kept[3] then
    set(1, 0) set(2, 0)
    set(3, at) set(4, told.ban['until']) set(5, told.ban.forgottenAt)
    prolonged = true
  end
  if at == kept[3] and kept[6] ~= at then set(6, at) end
end
local banned = kept[3] > 0 and kept[3] <= now and now < kept[4]

local room = requests
for at = 7, #ARGV, 3 do
  local used = 7 + (at - 7) / 3 * 2
  local limit, length = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local open = isOpen(kept[used + 1], length)
  local count = told.windows and told.windows[ARGV[at]]
  if count and isOpen(count['until'], length + ${AHEAD_MS}) then
    local owed = told.owed and told.owed[ARGV[at]] or 0
    if not open then
      set(used, count.used) set(used + 1, math.min(count['until'], now + length))
      open, prolonged = true, true
    elseif owed > 0 then
      set(used, kept[used] + owed)
    end
  end
  if not open then kept[used], kept[used + 1] = 0, 0 end
  room = math.min(room, math.max(0, limit - kept[used]))
end

-- Returns how many of so many refusals come before the one that is the ban.
local function refuse(count)
  if ARGV[5] == '' then return count end
  local limit, counted, first, longest, remembered = ARGV[5]:match('(%d+) (%d+) (%d+) (%d+) (%d+)')
  limit = tonumber(limit)
  local before = isOpen(kept[2], tonumber(counted)) and kept[1] or 0
  if before + count < limit then
    if before == 0 then set(2, now + counted) prolonged = true end
    set(1, before + count)
    return count
  end
  local length = tonumber(first)
  if kept[3] > 0 and now < kept[5] then length = math.min(tonumber(longest), 2 * (kept[4] - kept[3])) end
  set(1, 0) set(2, 0)
  set(3, now) set(4, now + length) set(5, now + length + remembered) set(6, 0)
  banned, prolonged = true, true
  return math.max(0, limit - before - 1)
end

if reported > 0 and not banned then refuse(reported) end
local admitted, refused = 0, 0
if not banned then
  admitted = room
  if admitted > 0 then
    for at = 7, #ARGV, 3 do
      local used = 7 + (at - 7) / 3 * 2
      if kept[used + 1] == 0 then set(used + 1, now + tonumber(ARGV[at + 2])) prolonged = true end
      set(used, kept[used] + admitted)
    end
  end
  if requests > admitted then refused = refuse(requests - admitted) end
end

if #changes > 0 then redis.call('HSET', key, unpack(changes)) end
if prolonged then
  local last = math.max(kept[2], kept[5])
  for at = 8, #fields, 2 do last = math.max(last, kept[at]) end
  redis.call('PEXPIREAT', key, last)
end
local answer = {'judged', now, admitted, refused, unpack(kept, 7, #fields)}
if kept[2] > 0 or kept[3] > 0 then
  for at = 1, 6 do answer[#answer + 1] = kept[at] end
end
return answer
`;

export type Order = {
  subject: Subject;
  requests: number;
  /** Refusals served elsewhere that Redis has not counted. */
  reported: number;
  /** Whether a subject that Redis does not know is judged; if not, the answer says that it is unknown. */
  judgesUnknown: boolean;
  /** Redis does nothing after this instant of its own; 0 is never. */
  notAfter: number;
  told?: Told | undefined;
};

/** What Redis may not know. */
export type Told = {
  /** A ban that is in the database. */
  ban?: Ban;
  /** The windows as they are known here, and how many requests of them Redis has not counted. */
  windows?: Tally['windows'];
  owed?: Owed;
};

export type Owed = Partial<Record<WindowName, number>>;

export const keyOf = (subjectId: string): string => `rl:{${subjectId}}`;

export const encodeOrder = ({ subject, requests, reported, judgesUnknown, notAfter, told }: Order) => {
  const { ban, windows } = subject;
  const rule = ban ? `${ban.refusals} ${ban.countedMs} ${ban.firstMs} ${ban.longestMs} ${ban.rememberedMs}` : '';
  const words = [requests, reported, judgesUnknown ? 1 : 0, notAfter, rule, told ? JSON.stringify(told) : ''];
  for (const { name, limit, lengthMs } of windows) words.push(name, limit, lengthMs);
  return words;
};

export type Judged = {
  now: number;
  /** Of the requests, so many were admitted, and then so many refused by a window; the rest by the ban. */
  admitted: number;
  refused: number;
  /** As it is now. */
  tally: Tally;
  isBanSaved: boolean;
};

/** `late`: it came to Redis when nobody waited for it any more, and nothing was done. */
export type Answer = { state: 'late' | 'unknown'; now: number } | ({ state: 'judged' } & Judged);

/** Where the counts of the windows begin in what the script returns. Refusals and ban follow, if there are any. */
const WINDOWS_AT = 4;

export const decodeAnswer = (subject: Subject, reply: unknown): Answer => {
  const [state, now, admitted, refused] = reply as ['late' | 'unknown' | 'judged', number, number, number];
  if (state !== 'judged') return { state, now };
  const numbers = reply as number[];
  const tally: Tally = { windows: {} };
  let at = WINDOWS_AT;
  for (const { name } of subject.windows) {
    const [used = 0, until = 0] = [numbers[at], numbers[at + 1]];
    if (until > 0) tally.windows[name] = { used, until };
    at += 2;
  }
  if (numbers.length === at) return { state, now, admitted, refused, tally, isBanSaved: false };
  const [used = 0, until = 0, bannedAt = 0, bannedUntil = 0, forgottenAt = 0, saved] = numbers.slice(at);
  if (until > 0) tally.refusals = { used, until };
  if (bannedAt > 0) tally.ban = { bannedAt, until: bannedUntil, forgottenAt };
  return { state, now, admitted, refused, tally, isBanSaved: saved === bannedAt };
};
