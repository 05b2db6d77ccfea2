import fc, { type Arbitrary } from 'fast-check'

// Values to send to a server that has declared its parameters: some valid, many invalid.

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema may be anything
type Schema = Record<string, any>

/** One parameter of an operation, as the OpenAPI document declares it. */
export type Declared = { name: string; inPath: boolean; isJson: boolean; isRequired: boolean; schema: Schema }

const largest32 = 2 ** 31 - 1
const integers = [0, 1, 2, 3, 10, -1, largest32, largest32 + 1, -largest32 - 2, Number.MAX_SAFE_INTEGER]

/** Long, and without any pattern that a database could compress. */
const patternless = Array.from({ length: 3_000 }, (_, i) =>
  String.fromCodePoint(0x20000 + ((i * 7919) % 40_000)),
).join('')

const texts = [
  '',
  ' ',
  '\0',
  'null\0byte',
  'null',
  '1',
  '-1',
  'notes',
  'newest',
  'add',
  'owner@example.com',
  "'; DROP TABLE message; --",
  '%_\\',
  '..',
  '../../etc/passwd',
  '<b>&amp;',
  '\u{feff}\u{200b}\u{202e}',
  '\ud800',
  'é\u{301}\u{1f469}\u{200d}\u{1f680}',
  '\r\n',
  '@**all** [](javascript:x) ```',
  'x'.repeat(11_000),
  patternless,
]

const malformed = [
  '',
  ' ',
  '\0',
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e400',
  '99999999999999999999',
  `${largest32 + 1}`,
  '"text"',
  '"\\u0000"',
  '"\\ud800"',
  '[]',
  '{}',
  '[null]',
  `[${largest32 + 1}]`,
  '[""]',
  '["\\u0000"]',
  '[{}]',
  '[[1,2],[3]]',
  '{"__proto__":{"x":1}}',
  '{"constructor":1,"toString":2}',
  'undefined',
  'NaN',
  "{'a':1}",
  '[1,',
  `[${Array.from({ length: 800 }, (_, i) => i + 1)}]`,
  JSON.stringify([patternless]),
  JSON.stringify({ [patternless]: 'x' }),
  JSON.stringify({ [patternless]: 1 }),
  '['.repeat(5_000),
]

/** What to send for one parameter in every run: right and wrong, all as it goes over the wire. */
export function wildValues({ isJson, inPath, schema }: Declared): string[] {
  if (!inPath) return isJson ? malformed : texts
  if (schema.type === 'integer') return [...integers.filter((n) => n >= 0).map(String), '9'.repeat(30)]
  return texts.filter((text) => !/^\.*$|\p{Surrogate}/u.test(text))
}

/** Values that a parameter, or a part of one, may well have, by its name: ids and names of what there is. */
export type Likely = (name: string) => readonly (string | number)[]

/** Whole requests that are right in form: a value for each required parameter and for some of the others. */
export function rightRequests(declared: Declared[], likely: Likely, count: number, seed: number) {
  const fields = Object.fromEntries(declared.map((param) => [param.name, rightValue(param, likely)]))
  const requiredKeys = declared.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return fc.sample(fc.record(fields, { requiredKeys }), { numRuns: count, seed }) as Record<string, string>[]
}

function rightValue({ name, isJson, inPath, schema }: Declared, likely: Likely): Arbitrary<string> {
  if (inPath && schema.type === 'integer') return fc.constantFrom(...numbersIn(likely(name)), 1).map(String)
  if (inPath) return fc.constantFrom(...likely(name), 'lunch').map(String)
  const value = shaped(schema, name, likely)
  return isJson ? value.map((value) => JSON.stringify(value)) : value.map(String)
}

function shaped(schema: Schema, name: string, likely: Likely): Arbitrary<unknown> {
  const part = (schema: Schema) => shaped(schema, name, likely)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf ?? schema.oneOf) return fc.oneof(...(schema.anyOf ?? schema.oneOf).map(part))
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: string) => part({ ...schema, type })))
  }
  switch (schema.type) {
    case 'integer':
    case 'number':
      return mostly(numbersIn(likely(name)), integers)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return mostly(likely(name).map(String), texts)
    case 'array':
      if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map(part))
      return fc.array(part(schema.items ?? {}), { maxLength: 3 })
    case 'object':
      return objectOf(schema, likely)
    default:
      return fc.jsonValue()
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, likely: Likely) {
  const fields = Object.entries<Schema>(properties).map(([name, schema]) => [
    name,
    shaped(schema, name, likely),
  ])
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: required })
  if (typeof additionalProperties !== 'object') return known
  const others = fc.dictionary(fc.constantFrom(...texts), shaped(additionalProperties, '', likely), {
    maxKeys: 3,
  })
  return fc.tuple(known, others).map(([fields, more]) => ({ ...more, ...fields }))
}

function numbersIn(values: readonly (string | number)[]): number[] {
  return values.filter((value) => typeof value === 'number')
}

function mostly<T>(likely: readonly T[], wild: readonly T[]): Arbitrary<T> {
  if (likely.length === 0) return fc.constantFrom(...wild)
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...likely) },
    { weight: 1, arbitrary: fc.constantFrom(...wild) },
  )
}
