// The owner, who writes through all upgrades, and remembers what was acknowledged.
import { ask, call } from '../versions.mjs'

/** Requests of each version, to many tables. Early versions lack some of them: they answer 404 or 405. */
const deeds = (name, message) => [
  ['POST', '/users/me/subscriptions', { subscriptions: JSON.stringify([{ name: `channel ${name}` }]) }],
  ['POST', `/messages/${message}/reactions`, { emoji_name: 'tada' }],
  ['POST', '/messages/flags', { messages: `[${message}]`, op: 'add', flag: 'starred' }],
  ['POST', '/users/me/status', { status_text: `at ${name}` }],
  [
    'POST',
    '/users',
    { email: `${name}@example.org`, full_name: `Person ${name}`, password: `a long ${name} password` },
  ],
  ['POST', '/user_groups/create', { name: `group ${name}`, description: '', members: '[]' }],
  ['POST', '/bots', { full_name: `Bot ${name}`, short_name: `bot-${name}` }],
  ['POST', '/drafts', { drafts: `[{"type":"","to":[],"topic":"","content":"draft ${name}"}]` }],
  ['PATCH', '/settings', { twenty_four_hour_time: 'true' }],
  ['PATCH', '/realm', { description: `at ${name}` }],
  ['POST', '/realm/domains', { domain: `${name}.example.org`, allow_subdomains: 'false' }],
  ['POST', '/realm/filters', { pattern: `${name}-(?P<id>[0-9]+)`, url_template: 'https://example.org/{id}' }],
  ['POST', '/users/me/alert_words', { alert_words: `["word${name}"]` }],
  ['POST', '/channel_folders/create', { name: `folder ${name}`, description: '' }],
  ['POST', '/saved_snippets', { title: name, content: 'a snippet' }],
  ['POST', '/invites/multiuse', { stream_ids: '[]' }],
]

const texts = [
  'plain',
  '**bold**, *slanted*, `code`, ~~gone~~ and https://example.org/a?b=c',
  '```js\nconst a = [1, 2]\n```\n\n> quoted\n\n1. one\n2. two',
  '$$x^2$$ and :tada: and <time:2026-03-31T14:30:00Z>',
  '| a | b |\n|---|---|\n| 1 | 2 |',
]

/** How many messages each version gets before it is told to stop. */
const perVersion = 20

export class Writer {
  #api
  #tell
  #to
  /** By id: the text and its rendering. */
  #sent = new Map()
  /** By address: the content. */
  #files = new Map()
  #sending = Promise.resolve()
  #count = 0

  constructor(api, owner, tell) {
    this.#api = api
    this.owner = owner
    this.#tell = tell
    this.#to = { type: 'private', to: JSON.stringify([owner.email]) }
  }

  get acknowledged() {
    return this.#sent.size
  }

  get newest() {
    return Math.max(0, ...this.#sent.keys())
  }

  ids() {
    return this.#sent.keys()
  }

  /** Does to a version what people do. */
  async use(name) {
    for (let i = 0; i < perVersion; i++) await this.#send(`${name}: ${texts[i % texts.length]}`)
    for (const [method, path, form] of deeds(name, this.newest)) {
      const { status, body } = await ask(method, `${this.#api}${path}`, this.owner.authorization, form)
      if (status === 200 && path === '/users/me/subscriptions')
        this.#to = { type: 'stream', to: JSON.stringify(`channel ${name}`), topic: 'upgrades' }
      else if (status !== 200 && status !== 404 && status !== 405)
        this.#tell(`${name}: ${method} ${path}: ${status} ${JSON.stringify(body)}`)
    }
    await this.#edit(name)
    await this.#upload(name)
    await this.#readRenderings()
  }

  /** Sends until the server no longer answers. */
  sendUntilStopped() {
    const send = async () => {
      for (;;) await this.#send(`under way ${this.#count}`)
    }
    this.#sending = send().catch(() => {})
  }

  async stopped() {
    await this.#sending
  }

  /** Compares everything with the present, and says how much it was. */
  async compare() {
    const found = new Map()
    for (let anchor = 0; ; ) {
      const { raw, rendered } = await this.#page(anchor)
      for (const { id, content } of raw) found.set(id, { content })
      for (const { id, content } of rendered) Object.assign(found.get(id) ?? {}, { html: content })
      const last = raw.at(-1)?.id ?? anchor
      if (last === anchor) break
      anchor = last
    }
    let [same, anew] = [0, 0]
    for (const [id, { content, html }] of this.#sent) {
      const there = found.get(id)
      if (there?.content !== content) this.#tell(`Message ${id} was ${content}, and is ${there?.content}.`)
      else if (html === undefined || there.html === html) same++
      else if (await this.#isOfPresent(content, there.html)) anew++
      else this.#tell(`Message ${id} was ${html}, and is ${there.html}.`)
    }
    for (const [path, content] of this.#files) {
      const { url } = await call(`${this.#api}${path}`, this.owner.authorization)
      const response = await fetch(new URL(url, this.#api))
      if ((await response.text()) !== content) this.#tell(`The file ${path} is not what was uploaded.`)
    }
    const count = this.#sent.size
    return `${count} messages were acknowledged: ${same} look as before, ${anew} are rendered anew. ${this.#files.size} files are as before.`
  }

  async #send(content) {
    this.#count++
    const { id } = await call(`${this.#api}/messages`, this.owner.authorization, { ...this.#to, content })
    this.#sent.set(id, { content })
  }

  async #edit(name) {
    const id = this.newest
    const content = `edited at ${name}`
    const { status } = await ask('PATCH', `${this.#api}/messages/${id}`, this.owner.authorization, {
      content,
    })
    if (status === 200) this.#sent.set(id, { content })
  }

  async #upload(name) {
    const content = `The file of ${name}`
    const form = new FormData()
    form.set('file', new Blob([content], { type: 'text/plain' }), `${name}.txt`)
    const { status, body } = await ask('POST', `${this.#api}/user_uploads`, this.owner.authorization, form)
    if (status !== 200) return
    const path = body.url ?? body.uri
    this.#files.set(path, content)
    await this.#send(`[${name}](${path})`)
  }

  /** Reads how the version shows what it was sent. */
  async #readRenderings() {
    const unread = [...this.#sent.keys()].filter((id) => this.#sent.get(id).html === undefined)
    const { rendered } = await this.#page(Math.min(...unread) - 1)
    for (const { id, content } of rendered) if (this.#sent.has(id)) this.#sent.get(id).html = content
  }

  async #page(anchor) {
    const read = async (isRendered) => {
      const query = new URLSearchParams({
        anchor,
        num_before: 0,
        num_after: 1000,
        narrow: '[]',
        apply_markdown: isRendered,
      })
      return (await call(`${this.#api}/messages?${query}`, this.owner.authorization)).messages
    }
    return { raw: await read(false), rendered: await read(true) }
  }

  async #isOfPresent(content, html) {
    const { rendered } = await call(`${this.#api}/messages/render`, this.owner.authorization, { content })
    return rendered === html
  }
}
