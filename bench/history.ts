import pg from 'pg'
import { renderedVersion } from '../src/markdown/render.ts'

/**
 * A million messages like those of years: words of a language of its own, of which a few are used all the time and most
 * hardly ever; in some of the messages two words that belong together. The same every time.
 */

const vocabulary = 50_000
const pairs = 200
const batch = 5_000

/** What the messages are of besides their text: the ids of the first of each, and how many there are. */
export type Frame = {
  realmId: number
  recipients: { first: number; count: number }
  senders: { first: number; count: number }
  messages: number
  /** UNIX seconds. */
  now: number
}

/**
 * Returns the word of this rank in frequency: 0 is in one message of twelve, 1,000 in one of 500, the last in about
 * sixty.
 */
export function wordOf(rank: number): string {
  let word = ''
  for (let rest = rank + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length]
  }
  return word
}

/** Two words that belong together, for each of 200; every one is in about a hundred messages. */
export function pairOf(n: number): string {
  return `${wordOf(300 + n)} ${wordOf(2_000 + n * 7)}`
}

/** The topic of the message with an id. */
export function topicOf(id: number): string {
  return `topic ${Math.floor(id / 10) % 40}`
}

/** Inserts them. */
export function addHistory(url: string, frame: Frame) {
  return insertInBatches(url, { messages: frame.messages, batch }, (client, first) =>
    insert(client, frame, first),
  )
}

/** Inserts many messages, deferring everything that would slow it down, on two connections. */
export async function insertInBatches(
  url: string,
  { messages, batch }: { messages: number; batch: number },
  insert: (client: pg.Client, first: number) => Promise<unknown>,
) {
  const clients = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
  try {
    for (const client of clients) {
      await client.connect()
      await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '512MB'")
    }
    const indexes = await takeIndexes(clients[0]!)
    const batches = Array.from({ length: Math.ceil(messages / batch) }, (_, i) => i * batch + 1)
    await share(clients, batches, insert)
    await share(clients, indexes, (client, definition) => client.query(definition))
  } finally {
    for (const client of clients) await client.end()
  }
}

async function insert(client: pg.Client, frame: Frame, first: number) {
  const { realmId, recipients, senders, messages, now } = frame
  const contents = textsFrom(first, Math.min(batch, messages + 1 - first))
  await client.query(
    `INSERT INTO message (realm_id, id, recipient_id, sender_id, topic, content, rendered_content, rendered_version, client, sent_at)
     SELECT $1, n, $2::integer + CASE WHEN n % 10 = 0 THEN 1 ELSE 2 + n * 31 % ($3::integer - 2) END,
       $4::integer + n * 7919 % $5::integer, 'topic ' || n / 10 % 40, content, '<p>' || content || '</p>', $6, 'bench',
       $7::bigint - ($8::bigint - n) * 60
     FROM unnest($9::text[]) WITH ORDINALITY AS x(content, place), LATERAL (SELECT $10::bigint + place - 1 AS n) AS id`,
    [
      realmId,
      recipients.first,
      recipients.count,
      senders.first,
      senders.count,
      renderedVersion,
      now,
      messages,
      contents,
      first,
    ],
  )
}

/** Drops the indexes of messages except the key; returns the statements to create them again. */
async function takeIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = 'message' AND indexname <> 'message_pkey' ORDER BY indexdef ~ 'gin' DESC`,
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  return rows.map((row) => row.definition)
}

/** Does the work on each item, one at a time on each connection. */
async function share<T>(
  clients: pg.Client[],
  items: T[],
  work: (client: pg.Client, item: T) => Promise<unknown>,
) {
  const rest = [...items]
  const worker = async (client: pg.Client) => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(client, item)
  }
  await Promise.all(clients.map(worker))
}

function textsFrom(first: number, count: number): string[] {
  const random = randomFrom(first)
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: 4 + Math.floor(random() ** 2 * 40) }, () => wordOf(rankAt(random())))
    if (random() < 0.02) words.splice(words.length >> 1, 0, pairOf(Math.floor(random() * pairs)))
    return words.join(' ')
  })
}

/** How often words are used falls with their rank, as in every language. */
const sums = (() => {
  const sums = new Float64Array(vocabulary)
  let sum = 0
  for (let rank = 0; rank < vocabulary; rank++) sums[rank] = sum += 1 / (rank + 20)
  return sums.map((one) => one / sum)
})()

function rankAt(share: number): number {
  let low = 0
  let high = vocabulary - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (sums[middle]! < share) low = middle + 1
    else high = middle
  }
  return low
}

/** Numbers from 0 to 1 that look like chance (mulberry32). */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const syllables = [
  ...['ba', 'do', 'ki', 'lu', 'me', 'no', 'ra', 'ti', 'vu', 'ze', 'pol', 'gan', 'tor', 'mik', 'sul', 'fen'],
  ...[
    'bra',
    'dro',
    'kli',
    'plu',
    'tre',
    'sno',
    'gra',
    'fli',
    'stu',
    'bre',
    'kol',
    'dan',
    'vor',
    'lik',
    'mul',
    'hen',
  ],
]
