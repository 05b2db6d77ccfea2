import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { doJobs } from '../worker.ts'
import { groupInsert } from './group-insert.ts'
import { type BareWork, workOn } from './work.ts'

/** The process that shows the least that HTTP costs: node:http with nothing, or the least, behind it. */
export type BareHttp = typeof jobs

export type Answer = { body: Buffer; headers: Record<string, string> }

/** The headers of a stream of events, and what is written to it for each post. */
type Streamed = { headers: Record<string, string>; piece: string }

let answer: Answer
let pollAnswer: Answer
let streamed: Streamed
let works: ReadonlyMap<string, BareWork> = new Map()
let workOnIt: ((work: BareWork) => Promise<void>) | undefined
let insert: ((count: number) => Promise<void>) | undefined
const parked: ServerResponse[] = []
const streams: ServerResponse[] = []
let posted: ServerResponse[] = []
let inserting = false

const jobs = {
  /** Listens; returns the port. */
  listen(_: null): Promise<number> {
    const server = createServer({ keepAliveTimeout: 95_000 }, handle)
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
    })
  },
  /** Sets the response to every request. */
  async answerWith(given: Answer): Promise<void> {
    answer = given
  },
  /** Every POST waits for a row of its own to be durable; what comes meanwhile goes in the next group. */
  async insertWhatIsPosted({ url }: { url: string }): Promise<void> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    insert = await groupInsert(client, 'bare_posted')
  },
  /** Requests of these paths have work done before they are answered, one at a time. */
  async workWhenAsked(given: { url: string; works: ReadonlyMap<string, BareWork> }): Promise<void> {
    const client = new pg.Client({ connectionString: given.url })
    await client.connect()
    works = given.works
    workOnIt = (work) => workOn(client, work)
  },
  /** What polls (GET …/events) are answered with; they wait until something is posted, and is durable if it is inserted. */
  async answerPollsWith(given: Answer): Promise<void> {
    pollAnswer = given
  },
  /** Sets what streams of events get: a GET …/events that accepts one stays open, and gets a piece when polls are answered. */
  async streamWith(given: Streamed): Promise<void> {
    streamed = given
  },
}

doJobs(jobs)

function handle(request: IncomingMessage, response: ServerResponse) {
  if (request.method === 'GET' && request.url!.includes('/events?')) {
    if (request.headers.accept !== 'text/event-stream') parked.push(response)
    else streams.push(begun(response))
    return
  }
  request.resume()
  request.on('end', () => {
    const work = works.get(request.url!)
    if (work) void workOnIt!(work).then(() => send(response, work.answer))
    else if (request.method === 'POST' && insert) {
      posted.push(response)
      if (!inserting) void insertPosted(insert)
    } else {
      if (request.method === 'POST') answerPolls()
      send(response, answer)
    }
  })
}

function begun(response: ServerResponse) {
  response.writeHead(200, streamed.headers).flushHeaders()
  return response
}

function answerPolls() {
  for (const waiting of parked.splice(0)) send(waiting, pollAnswer)
  for (const stream of streams) stream.write(streamed.piece)
}

async function insertPosted(insert: (count: number) => Promise<void>) {
  inserting = true
  while (posted.length > 0) {
    const group = posted
    posted = []
    await insert(group.length)
    answerPolls()
    for (const response of group) send(response, answer)
  }
  inserting = false
}

function send(response: ServerResponse, { body, headers }: Answer) {
  response.writeHead(200, { ...headers, 'content-length': body.length }).end(body)
}
