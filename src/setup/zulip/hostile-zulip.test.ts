import { expect, test } from 'vitest'
import { wholeZulip } from '../../../test/imports/whole-zulip.ts'
import { importedZulipFrom } from '../../../test/imports/zulip.ts'
import { foundBy } from '../../../test/messages.ts'
import { pickFrom, randomFrom, seedOfRun } from '../../../test/random/random.ts'
import { testServer } from '../../../test/test-server.ts'
import { isObject } from '../../lib/is-object.ts'

const server = testServer()

test('an export with rows in every table leaves out nothing but a broken picture', async () => {
  const { made, as } = await importedZulipFrom(server, wholeZulip())
  expect(made.leftOut).toEqual({ lostPictures: 2 })
  for (const name of ['ann', 'ben', 'pia']) await (await (await as(name)).register()).expectStateToMatch()
})

/** Values that no column has. */
const odd = [
  null,
  true,
  0,
  -1,
  1,
  2 ** 31,
  2 ** 53,
  1e300,
  0.5,
  '',
  ' ',
  'x',
  '\0',
  '\ud800',
  '__proto__',
  'x'.repeat(70_000),
  [],
  {},
  [null],
  { 1: 2 },
]

const rounds = process.env.TEST_EFFORT ? 150 : 30

test('whatever an export says, it is imported or refused in one sentence', async () => {
  const random = randomFrom(seedOfRun('hostile export of Zulip'))
  for (let round = 0; round < rounds; round++) {
    const files = wholeZulip()
    const done = Array.from({ length: 1 + Math.floor(random() * 4) }, () => spoil(random, files))
    const outcome = await importedZulipFrom(server, files).catch((error) => error)
    if (outcome instanceof Error) {
      expect({ done, message: outcome.message }).toMatchObject({
        message: expect.stringMatching(/^The export /),
      })
      continue
    }
    const active = [...outcome.log.state.users.values()].filter(
      (user) => user.is_active && !user.is_system_bot,
    )
    for (const { delivery_email } of active) {
      const person = await outcome.as(delivery_email)
      await foundBy(person)
      expect({ done, answer: await person.post('/register') }).toMatchObject({ answer: { status: 200 } })
    }
  }
}, 300_000)

/** Changes something somewhere in the JSON of an export. Returns what. */
function spoil(random: () => number, files: Record<string, unknown>): unknown[] {
  const names = Object.keys(files).filter((name) => name.endsWith('.json'))
  const name = pickFrom(random, [...names, 'realm.json', 'realm.json', 'realm.json', 'realm.json'])
  let place: unknown = files[name]
  const path: unknown[] = [name]
  for (;;) {
    const keys = isObject(place) || Array.isArray(place) ? Object.keys(place) : []
    if (keys.length === 0) return path
    const key = pickFrom(random, keys)
    path.push(key)
    const inner = Reflect.get(place as object, key)
    const isLeaf = !(isObject(inner) || Array.isArray(inner)) || random() < 0.1
    if (!isLeaf) place = inner
    else return [...path, spoilLeaf(random, place as object, key)]
  }
}

function spoilLeaf(random: () => number, place: object, key: string): unknown {
  const kind = random()
  if (Array.isArray(place) && kind < 0.3) return place.push(structuredClone(place[Number(key)]))
  if (kind < 0.4) return Reflect.deleteProperty(place, key)
  const value = kind < 0.55 ? 1 + Math.floor(random() * 40) : pickFrom(random, odd)
  Reflect.set(place, key, value)
  return value
}
