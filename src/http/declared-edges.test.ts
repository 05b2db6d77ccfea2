import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, encode } from '../../test/http.ts'
import type { Organization } from '../../test/organization.ts'
import { png, sendFiles } from '../../test/pictures.ts'
import { beyond, edgesOf } from '../../test/random/edges.ts'
import { filledPath, nameOf, type Operation, operations } from '../../test/random/operations.ts'
import { aboutSeveral, aboutState, otherNames, unstated } from '../../test/random/refusals.ts'
import { type UsualRequest, usualRequests } from '../../test/random/usual-requests.ts'
import type { Declared } from '../../test/random/wild-values.ts'
import { testServer } from '../../test/test-server.ts'
import { BigBlueButton } from '../adapters/big-blue-button.ts'
import { PushRelay } from '../adapters/push-relay.ts'
import { safeFetch } from '../adapters/safe-fetch.ts'

// The server never refuses the form of a value that the API description allows, and refuses every other form.

type Sent = Record<string, string>

// They are configured but never contacted, because no jobs run here.
const push = new PushRelay('http://relay.example', undefined, false, safeFetch())
const bigBlueButton = new BigBlueButton('http://calls.example', 'secret', safeFetch())
const { organization } = testServer({ adapters: { push, bigBlueButton } })
const picture = await png(10)
const concurrency = 6

/** Not configured here, so that nothing they are asked succeeds. */
const unavailable = [
  'GET /messages/summary',
  'POST /dev_fetch_api_key',
  'POST /jwt/fetch_api_key',
  'POST /calls/zoom/create',
]
/** Operations whose changes would be in the way of the others, or of which few succeed in an organization. */
const disruptive =
  /^(PATCH \/(realm|realm\/user_settings_defaults|settings.*)|POST \/(users|rookery\/sign_ups.*))$/

let org: Organization
let usual: UsualRequest
let isUnfit = true

const inApi = operations().filter(({ isRoot, declared }) => !isRoot && declared.length > 0)

describe.each(inApi)('$method $path', (operation) => {
  const { declared } = operation
  const name = nameOf(operation)

  beforeAll(async () => {
    if (!isUnfit && !disruptive.test(name)) return
    org = await organization()
    usual = await usualRequests(org)
    isUnfit = disruptive.test(name)
  })

  test.skipIf(unavailable.includes(name))(
    'refuses a value just beyond its declaration, and names the parameter',
    async () => {
      const wrong: string[] = []
      for (const param of declared) {
        for (const [value, answer] of await sendEach(operation, param, beyond(param))) {
          if (answer.status !== 400 || !isNamed(param, answer.body)) wrong.push(shown(param, value, answer))
        }
      }
      expect(wrong).toEqual([])
    },
  )

  test('refuses no value of the declared form for its form', async () => {
    const { status, text } = await ask(operation, await usual(operation))
    const hasOnlyPath = declared.every(({ inPath }) => inPath)
    if (!hasOnlyPath && !unavailable.includes(name)) expect(status, text).toBeLessThan(400)
    const together = declared.filter(isChoice)
    const apart = (await areTakenTogether(operation, together))
      ? declared.filter((param) => !together.includes(param))
      : declared
    const refused: string[] = []
    for (const param of apart) {
      for (const [value, answer] of await sendEach(operation, param, edgesOf(param))) {
        if (isAboutForm(operation, param, answer)) refused.push(shown(param, value, answer))
      }
    }
    expect(refused).toEqual([])
  })
})

function shown({ name }: Declared, value: string, { status, text }: Answer) {
  return `${name}=${value.slice(0, 100)}: ${status} ${text.slice(0, 200)}`
}

/** Whether a parameter is a choice of few, which may be sent with others. */
function isChoice({ isRequired, schema }: Declared) {
  return !isRequired && (schema.type === 'boolean' || Array.isArray(schema.enum))
}

/** Sends the first value of all parameters, then the second, and so on; returns whether none is refused. */
async function areTakenTogether(operation: Operation, params: Declared[]): Promise<boolean> {
  if (params.length < 2) return false
  const values = params.map((param) => {
    const sendable = edgesOf(param).filter((value) => canBeSent(operation, param, value))
    return [param.name, sendable] as const
  })
  const most = Math.max(...values.map(([, edges]) => edges.length))
  for (let i = 0; i < most; i++) {
    const sent = Object.fromEntries(values.map(([name, edges]) => [name, edges[i % edges.length]!]))
    if ((await ask(operation, { ...(await usual(operation)), ...sent })).status >= 400) return false
  }
  return true
}

async function sendEach(
  operation: Operation,
  param: Declared,
  values: string[],
): Promise<[string, Answer][]> {
  const answers: [string, Answer][] = []
  const sendable = values.filter((value) => canBeSent(operation, param, value))
  for (let i = 0; i < sendable.length; i += concurrency) {
    const some = sendable.slice(i, i + concurrency).map(async (value): Promise<[string, Answer]> => {
      const sent = { ...(await usual(operation, param.name)), [param.name]: value }
      return [value, await ask(operation, sent)]
    })
    answers.push(...(await Promise.all(some)))
  }
  return answers
}

/** Not a request line that is too long, nor a request that waits for events. */
function canBeSent({ method, path }: Operation, { name }: Declared, value: string) {
  if (path === '/events' && name === 'dont_block') return value === 'true'
  return method !== 'GET' || encodeURIComponent(value).length < 8_000
}

function ask(operation: Operation, sent: Sent): Promise<Answer> {
  const { method, declared, takesFiles } = operation
  const inPath = new Set(declared.filter((param) => param.inPath).map(({ name }) => name))
  const fields = Object.fromEntries(Object.entries(sent).filter(([name]) => !inPath.has(name)))
  const path = filledPath(operation, sent)
  if (path.startsWith('/external')) return org.owner.post(`${path}?${encode(fields)}`)
  const needsFile = takesFiles && !path.startsWith('/bots')
  if (needsFile) return sendFiles(org.owner, method, path, [{ content: picture }], { fields })
  return org.owner.ask(method, path, fields)
}

/** Whether a refusal is about the form of a parameter, not about what exists, is permitted or stands already. */
function isAboutForm(operation: Operation, param: Declared, { status, body }: Answer): boolean {
  const name = nameOf(operation)
  if (status < 400 || status === 404 || unavailable.includes(name)) return false
  const known = [...aboutState, aboutSeveral[name], unstated[`${name} ${param.name}`]]
  return !known.some((reason) => reason?.test(body?.msg))
}

function isNamed({ name }: Declared, { msg, errors }: { msg: string; errors?: Record<string, unknown> }) {
  const words = name.split('_').filter((word) => word.length > 1)
  const isIn = words.some((word) => msg.toLowerCase().includes(word))
  return isIn || (errors && name in errors) || otherNames.test(msg)
}
