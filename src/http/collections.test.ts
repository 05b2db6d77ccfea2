import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { sharedServer } from '../../test/test-server.ts'
import { allEndpoints } from '../features/index.ts'
import { httpLimits } from './limits.ts'

const { organization } = sharedServer()

describe('a parameter with very many values', () => {
  const wordsOf = async (value: unknown) => {
    const { owner } = await organization()
    return (await owner.post('/users/me/alert_words', { alert_words: value })).body
  }

  test('is refused by the first one that is wrong', async () => {
    const words = ['fine', ...Array(httpLimits.listLength - 1).fill(1)]
    expect(await wordsOf(words)).toMatchObject({ result: 'error', msg: 'alert_words[1] is not a string' })
  })

  test('is refused before they are looked at, if no request needs that number', async () => {
    const msg = 'alert_words has too many values'
    expect(await wordsOf(Array(httpLimits.valuesPerParameter + 1).fill(1))).toMatchObject({
      result: 'error',
      msg,
    })
    const long = Array(httpLimits.listLength + 1).fill(1)
    expect((await wordsOf(long)).msg).toBe(`${msg} (limit: ${httpLimits.listLength})`)
    const commas = [','.repeat(httpLimits.valuesPerParameter), 'a "quoted" \\ word']
    expect((await wordsOf(commas)).msg).toMatch(/^alert_words\[0\] is too long/)
  })
})

test('all lists and dictionaries in parameters stop at their first fault', () => {
  const thorough = allEndpoints.flatMap(({ method, path, params }) =>
    Object.entries(params).flatMap(([name, { schema }]) =>
      schemasIn(schema)
        .filter(({ _zod: { def, traits } }) => {
          return (
            (def.type === 'array' && !traits.has('List')) ||
            (def.type === 'record' && !traits.has('Dictionary'))
          )
        })
        .map(() => `${method} ${path}: ${name}`),
    ),
  )
  expect(thorough).toEqual([])
})

/** A schema, and all that it is made of. */
function schemasIn(schema: z.core.SomeType): z.core.SomeType[] {
  const {
    element,
    valueType,
    innerType,
    in: from,
    out,
    shape,
    options,
    items,
  } = schema._zod.def as unknown as {
    [part in 'element' | 'valueType' | 'innerType' | 'in' | 'out']?: z.core.SomeType
  } & { shape?: Record<string, z.core.SomeType>; options?: z.core.SomeType[]; items?: z.core.SomeType[] }
  const parts = [
    element,
    valueType,
    innerType,
    from,
    out,
    ...Object.values(shape ?? {}),
    ...(options ?? []),
    ...(items ?? []),
  ]
  return [schema, ...parts.flatMap((part) => (part ? schemasIn(part) : []))]
}
