export const MAXIMUM_WORDS = 30;
export const GOAL_WORDS = 20;

export type Rule = { pattern: RegExp; instead: string; bad: string; good: string };

export const RULES: readonly Rule[] = [
  {
    pattern:
      /\btold\b(?! apart\b)|(?<!\b(?:can|cannot|to) )\btells?\b(?! (?:\S+ ){0,4}(?:from|apart|to)\b| which\b| whether\b)/gi,
    instead: 'report, send, notify, say, show',
    bad: 'Events are told once. A ban tells its end.',
    good: 'The header tells a retry from a first request, and tells Bun to close the connection. The two can be told apart; the service cannot tell why.',
  },
  { pattern: /\banew\b/gi, instead: 'again', bad: 'It is read anew.', good: 'It is read again. A new page.' },
  {
    pattern: /\bmend(?:s|ed|ing)?\b/gi,
    instead: 'repair, fix',
    bad: 'Mends the index.',
    good: 'Repairs the index. We recommend it.',
  },
  {
    pattern: /\bso (?:many|much)\b(?! (?:\S+ ){0,3}that\b| \w+er\b)/gi,
    instead: 'the number, or "that many"',
    bad: 'So many may wait.',
    good: 'At most 64 requests may wait. It takes so much longer.',
  },
  {
    pattern: /\b(?:such a|its|a|their|this|no|no such) most\b|\b(?:is|are) the most(?=[.,;:)]|$)/gi,
    instead: 'limit, maximum',
    bad: 'In production there is no such most.',
    good: 'Production has no limit. The most recent event comes first. The client that sent the most.',
  },
  {
    pattern:
      /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b|way\b|need\b|other\b|one\b|\w+er\b)/gi,
    instead: 'is not a …, has no …',
    bad: 'It is no backup.',
    good: 'There is no backup. The key is no longer valid.',
  },
  {
    pattern:
      /\b(?:of|in|at|with|for|to|by|on|from|has|keeps?|gives?) one['’]s\b|\bone['’]s own\b|\b(?:if|when|whether|what|how|until|before|as|than|unless|while|often|because) one (?:can|could|may|might|must|should|would|wants?|asks?|looks?|sees?|reads?|writes?|knows?|sends?)\b|(?:^|[.:] )one (?:can|could|may|must|should|asks?)\b/gi,
    instead: 'you, or the noun: the caller, the client',
    bad: 'A sandbox of one’s own.',
    good: 'Your own sandbox. If one instance fails, the other one can use the lost one’s lease. Use a key where one is required.',
  },
  {
    pattern: /\bwho(?:so)?ever\b|\bwhomever\b|\bwhosever\b/gi,
    instead: 'the caller, the client, the user',
    bad: 'Whoever comes again waits.',
    good: 'Retries wait.',
  },
  {
    pattern: /\bthose who\b|(?:^|[.:;] )those (?:that|which|whose)\b/gi,
    instead: 'the noun: requests that …',
    bad: 'Those that wait are refused.',
    good: 'Requests that wait are refused. Those requests are retried, including those that failed.',
  },
  {
    pattern: /^what (?:is|are|was|were|has|have|had)\b.*\b(?:is|are|was|were)\b.*(?<!\?)$/gi,
    instead: 'the noun as the subject',
    bad: 'What is expired is deleted.',
    good: 'What is a sandbox, and what is it for?',
  },
  {
    pattern: /\bbeside\b/gi,
    instead: 'next to, in addition to',
    bad: 'The file beside it.',
    good: 'The file next to it.',
  },
  {
    pattern: /\bat once\b/gi,
    instead: 'immediately, or at the same time',
    bad: 'It stops at once.',
    good: 'It stops immediately.',
  },
  {
    pattern: /\bthe like\b/gi,
    instead: 'name the things',
    bad: 'Names, ids and the like.',
    good: 'Names and ids. The likely cause.',
  },
  {
    pattern: /\b(?:go|goes|going|went) on\b(?! (?:the|a|top)\b)/gi,
    instead: 'continue, retry',
    bad: 'It goes on by itself.',
    good: 'It continues. The label goes on the box.',
  },
  {
    pattern: /\b(?:comes?|came|becomes?|became|coming) of (?:it|this|that|them)\b/gi,
    instead: 'results in; or name the result',
    bad: 'Nothing came of it.',
    good: 'It timed out.',
  },
  {
    pattern: /\basked for\b|\basks? anew\b/gi,
    instead: 'requested',
    bad: 'All that is asked for.',
    good: 'The requested fields. Login asks for the key.',
  },
  {
    pattern: /\bas it were\b/gi,
    instead: 'nothing',
    bad: 'A lock, as it were.',
    good: 'It starts as if it were new.',
  },
  {
    pattern: /\b(?:leads?|led|leading) elsewhere\b/gi,
    instead: 'redirects',
    bad: 'The address leads elsewhere.',
    good: 'The address redirects.',
  },
  {
    pattern: /\blook(?:s|ed|ing)? through\b/gi,
    instead: 'search, scan',
    bad: 'Nothing that was looked through fits.',
    good: 'No match.',
  },
  { pattern: /\bhear[ds]? of\b/gi, instead: 'receive, notice', bad: 'It hears of it.', good: 'It receives the event.' },
  {
    pattern: /\b(?:begins?|starts?|on|comes?|strictly|listed|rows|keys|events?) behind\b/gi,
    instead: 'after',
    bad: 'The stream begins behind this event.',
    good: 'The stream starts after this event. Instances run behind a proxy, and leave no file behind.',
  },
  {
    pattern: /(?<!\byou )\bstands?\b(?! (?:for|in for|in the way|still|out|by)\b)/gi,
    instead: 'is',
    bad: 'Where the order stands.',
    good: 'The status of the order. The star stands for all events.',
  },
  {
    pattern: /\b(?:over and over|again and again)\b/gi,
    instead: 'repeatedly',
    bad: 'It is sent over and over.',
    good: 'It is sent repeatedly.',
  },
  {
    pattern:
      /\b(?:thereof|therein|whereof|whereby|herein|hitherto|henceforth|whence|thence|lest|albeit|amongst|whilst)\b/gi,
    instead: 'a modern word',
    bad: 'The key and the hash thereof.',
    good: 'The key and its hash.',
  },
  { pattern: /\bin the place of\b/gi, instead: 'instead of', bad: 'In the place of a key.', good: 'Instead of a key.' },
  {
    pattern: /\bbroken off\b/gi,
    instead: 'cancelled, interrupted',
    bad: 'It was broken off.',
    good: 'It was cancelled.',
  },
  {
    pattern: /\bcom(?:e|es|ing) (?:again|round)\b/gi,
    instead: 'retry, return',
    bad: 'Who waits may come again.',
    good: 'Retry the request.',
  },
  {
    pattern: /(?:^|[.:;] )who (?:asks|waits|wants|reads|writes|calls|comes)\b(?!.*\?)/gi,
    instead: 'the caller, the client, the user',
    bad: 'Who waits is served first.',
    good: 'Requests that wait are served first. Who calls this operation?',
  },
  { pattern: /\bin vain\b/gi, instead: 'without success', bad: 'It was tried in vain.', good: 'The attempt failed.' },
  { pattern: /\bto be had\b/gi, instead: 'available', bad: 'It is not to be had.', good: 'It is not available.' },
  { pattern: /\banimals?\b/gi, instead: 'pet', bad: 'The animal is sold.', good: 'The pet is sold.' },
];

export type Exception = { text: RegExp; files: RegExp; reason: string };

export const EXCEPTIONS: readonly Exception[] = [
  {
    text: /^Bad: .*/g,
    files: /^CONTRIBUTING\.md$/,
    reason: 'the style guide shows what to avoid',
  },
  {
    text: /"(?:whoever|those that|animal)"/g,
    files: /^CONTRIBUTING\.md$/,
    reason: 'the style guide names what to avoid',
  },
  {
    text: /^.*$/g,
    files: /^check\/prose\/(?:words|prose\.test)\.ts$/,
    reason: 'these are the words to avoid',
  },
  {
    text: /caught by "[^"]*"/g,
    files: /^docs\/reliability\.md$/,
    reason: 'quotes the title of a test at the time of that run',
  },
  {
    text: new RegExp(
      [
        'catalogue of animals',
        'list(?:s)? (?:of |all )?animals',
        'add(?:s)? an?(?: new)? animal',
        'animal added',
        '(?:get|returns one|fetch one|the requested|requested) (?:an )?animal',
        "the animal[’']s name",
        'the category the animal belongs to',
        '(?:number of|result to|page of) animals',
        'create an animal',
        'of that animal',
      ].join('|'),
      'gi',
    ),
    files: /^(?:src|generate|docs|cli|test)\//,
    reason: 'sentences of the API about its three original operations, which keep "animal"',
  },
];

export const PARTICIPLES: readonly string[] =
  'begun bound broken brought built bought caught chosen cut done drawn driven fed felt found forgotten given gone grown heard held hidden hit kept known laid led left lent lost made meant met paid put read run said seen sent set shown shut sold spent split spread stolen stopped taken taught thought thrown told understood woken won written'.split(
    ' ',
  );
