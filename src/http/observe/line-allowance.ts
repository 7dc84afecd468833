type Rate = { perSecond: number; burst: number };
type Bucket = { tokens: number; at: number };

const PER_SENDER: Rate = { perSecond: 10, burst: 50 };
const TOTAL: Rate = { perSecond: 100, burst: 500 };

const MAX_SENDERS = 1000;

const take = (bucket: Bucket, { perSecond, burst }: Rate, now: number): boolean => {
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perSecond) / 1000);
  bucket.at = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
};

export const createLineAllowance = (elapsed: () => number) => {
  const total: Bucket = { tokens: TOTAL.burst, at: elapsed() };
  const buckets = new Map<string, Bucket>();

  const bucketOf = (sender: string, now: number): Bucket =>
    buckets.getOrInsertComputed(sender, () => {
      const [oldest] = buckets.keys();
      if (oldest !== undefined && buckets.size >= MAX_SENDERS) buckets.delete(oldest);
      return { tokens: PER_SENDER.burst, at: now };
    });

  return {
    take(sender: string): boolean {
      const now = elapsed();
      if (!take(bucketOf(sender, now), PER_SENDER, now)) return false;
      return take(total, TOTAL, now);
    },
    senders: (): number => buckets.size,
  };
};
