// Runs two versions on one database: node scripts/adjacent-versions.mjs REVISION builds that revision of the repository, starts it
// with a PostgreSQL of its own, and beside it what is checked out here, which brings the database up to date. People write through
// both meanwhile. Each must go on without an error, and tell of every message.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { at } from './sources.mjs'

const [revision] = process.argv.slice(2)
if (!revision) {
  console.error('Name the revision of the older version: node scripts/adjacent-versions.mjs HEAD~20')
  process.exit(2)
}
const place = mkdtempSync(join(tmpdir(), 'rookery-adjacent-'))
const children = []
try {
  const older = checkOut(revision)
  for (const folder of [older, at()])
    execFileSync('node', ['scripts/build.mjs'], { cwd: folder, stdio: 'ignore' })
  await trial(older)
} finally {
  for (const { child, ended } of children) {
    child.kill('SIGTERM')
    await ended
  }
  rmSync(place, { recursive: true, force: true })
}

function checkOut(name) {
  const folder = join(place, 'older')
  mkdirSync(folder)
  const archive = execFileSync('git', ['archive', name], { cwd: at(), maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(at('node_modules'), join(folder, 'node_modules'))
  return folder
}

async function trial(older) {
  const data = join(place, 'data')
  const first = await start('older', older, { ROOKERY_DATA: data })
  const [, email, key] = /email=(.*)\nkey=(.*)\n/.exec(readFileSync(join(data, 'zuliprc'), 'utf8'))
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
  const listening = [await listen(first, authorization)]
  const sent = { count: 0, isOver: false }
  const writing = write(first, authorization, sent)
  await sleep(1_000)
  const second = await start('newer', at(), {
    ROOKERY_DATA: join(place, 'data-of-newer'),
    DATABASE_URL: readFileSync(join(data, 'postgres.url'), 'utf8').trim(),
    ROOKERY_SECRET: readFileSync(join(data, 'secret'), 'utf8').trim(),
  })
  const begun = sent.count
  const alsoWriting = write(second, authorization, sent)
  await sleep(4_000)
  sent.isOver = true
  await Promise.all([writing, alsoWriting])
  await sleep(3_000)
  for (const [index, queue] of listening.entries()) {
    const heard = await queue.heard()
    console.log(
      `${sent.count} messages were sent, ${begun} of them before the newer version ran; queue ${index} has ${heard}.`,
    )
    if (heard !== sent.count) throw new Error('Messages are missing.')
  }
}

async function start(name, folder, settings) {
  const port = await freePort()
  const plain = Object.entries(process.env).filter(
    ([variable]) => !/^ROOKERY_|^(DATABASE_URL|HOST|PORT)$/.test(variable),
  )
  const env = {
    ...Object.fromEntries(plain),
    PORT: String(port),
    ROOKERY_RATE_LIMITS: 'off',
    ROOKERY_LOG_LEVEL: 'warn',
    ...settings,
  }
  const child = spawn('node', [join(folder, 'dist/main.js'), 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.on('data', (text) => /"level":(40|50|60)/.test(text) && console.log(`${name}: ${text}`))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  // The older one brings the database, so it ends last.
  children.unshift({ child, ended })
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`http://localhost:${port}/api/v1/server_settings`).catch(() => undefined)
    if (answer?.ok) return `http://localhost:${port}/api/v1`
    await sleep(100)
  }
  throw new Error(`The ${name} version does not start.`)
}

async function call(url, authorization, form) {
  const answer = await fetch(url, {
    method: form ? 'POST' : 'GET',
    headers: { authorization },
    body: form && new URLSearchParams(form),
  })
  const body = await answer.json()
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${JSON.stringify(body)}`)
  return body
}

async function write(api, authorization, sent) {
  const form = { type: 'channel', to: '"general"', topic: 'both', content: 'hello' }
  for (; !sent.isOver; sent.count++) await call(`${api}/messages`, authorization, form)
}

/** A queue at one version, which counts the messages that it has heard of. */
async function listen(api, authorization) {
  const { queue_id, last_event_id } = await call(`${api}/register`, authorization, {
    event_types: '["message"]',
  })
  return {
    async heard() {
      let [last, count] = [last_event_id, 0]
      for (;;) {
        const query = new URLSearchParams({ queue_id, last_event_id: last, dont_block: 'true' })
        const { events } = await call(`${api}/events?${query}`, authorization)
        if (events.length === 0) return count
        count += events.filter(({ type }) => type === 'message').length
        last = events.at(-1).id
      }
    },
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
