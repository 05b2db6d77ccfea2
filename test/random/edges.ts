import fc from 'fast-check'
import type { Declared } from './wild-values.ts'

// Values at the edges of a declaration: what it just allows, and what it just refuses.

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema may be anything
type Schema = Record<string, any>

/** A longer text is not sent: the limits of forms would refuse it. */
const longest = 20_000
/** A longer list is not sent: it would take long to handle. */
const longestList = 100
const largest32 = 2 ** 31 - 1

/** Values of a parameter that are just within its declaration, as they go over the wire. */
export function edgesOf(declared: Declared): string[] {
  return sendable(declared, edges(declared.schema))
}

/** Values that are just outside. */
export function beyond(declared: Declared): string[] {
  // A path with anything but a number in its place does not exist.
  if (declared.inPath && declared.schema.type === 'integer') return []
  return sendable(declared, outside(declared.schema))
}

function sendable({ isJson, inPath }: Declared, values: unknown[]): string[] {
  const coded = new Set(values.map((value) => (isJson ? JSON.stringify(value) : String(value))))
  return [...coded].filter((value) => !inPath || !/^\.*$|[\0/]/.test(value))
}

function edges(schema: Schema): unknown[] {
  if ('const' in schema) return [schema.const]
  if (schema.enum) return schema.enum
  const parts: Schema[] | undefined = schema.anyOf ?? schema.oneOf
  if (parts) return parts.flatMap((part) => edges(both(schema, part)))
  if (Array.isArray(schema.type)) return schema.type.flatMap((type: string) => edges({ ...schema, type }))
  switch (schema.type) {
    case 'integer':
    case 'number':
      return [schema.minimum ?? -largest32 - 1, schema.maximum ?? largest32]
    case 'boolean':
      return [true, false]
    case 'null':
      return [null]
    case 'string':
      return texts(schema)
    case 'array':
      return lists(schema)
    case 'object':
      return objects(schema)
    default:
      return ['x', 1, null]
  }
}

/** Returns one alternative of a schema, with the rules that stand beside the alternatives. */
function both({ anyOf: _, oneOf: __, ...rest }: Schema, part: Schema): Schema {
  const properties = { ...rest.properties }
  for (const [key, more] of Object.entries<Schema>(part.properties ?? {})) {
    properties[key] = 'type' in more ? more : { ...properties[key], ...more }
  }
  return { ...rest, ...part, ...(Object.keys(properties).length > 0 && { properties }) }
}

const formats: Record<string, string[]> = {
  email: ['x@example.com'],
  hostname: ['example.com'],
  uri: ['https://example.com/x'],
}

const samples = [
  '0',
  'http://x',
  'https://x/{code}',
  'Europe/Berlin',
  '#0aF',
  '@x',
  'role:x',
  'x|1',
  'a\tb',
  'a\0b',
]

/** A null byte is refused where a text is stored, and may be ignored elsewhere. */
const telling = samples.filter((text) => !text.includes('\0'))

function texts(schema: Schema): string[] {
  const { minLength = 0, maxLength = 0, pattern, format, contentMediaType, contentSchema } = schema
  if (contentMediaType) return edges(contentSchema ?? {}).map((value) => JSON.stringify(value))
  const longs = maxLength > longest ? [] : ['x'.repeat(maxLength), '\u{1f600}'.repeat(maxLength)]
  const candidates = [
    'x'.repeat(minLength),
    ...longs,
    ...samples,
    ...(formats[format] ?? []),
    ...(pattern ? textsLike(pattern) : []),
  ]
  return candidates.filter((text) => isWithin(schema, text))
}

const likeness = new Map<string, string[]>()

/** Texts that a pattern matches, if it is a plain one. Making them takes long, and always makes the same. */
function textsLike(pattern: string): string[] {
  const texts = likeness.get(pattern) ?? newTextsLike(pattern)
  likeness.set(pattern, texts)
  return texts
}

function newTextsLike(pattern: string): string[] {
  if (/\\p\{|\(\?/.test(pattern)) return []
  const texts = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 3, seed: 1 })
  // No pattern says which code points Unicode has not assigned.
  return texts.filter((one) => !/[\p{Cn}\p{Cs}]/u.test(one))
}

function isWithin({ minLength = 0, maxLength = longest, pattern, format, not }: Schema, text: string) {
  const { length } = [...text]
  if (length < minLength || length > maxLength) return false
  if (formats[format] && !formats[format].includes(text)) return false
  if (not && (text === not.const || (not.pattern && new RegExp(not.pattern).test(text)))) return false
  return !pattern || new RegExp(pattern, 'u').test(text)
}

/** Returns the edges of a part that differ most. All of them would be too many for whole lists and objects. */
function ends(schema: Schema): unknown[] {
  const values = edges(schema)
  if (schema.enum) return values
  return values.filter((value, i) => i < 2 || i === values.length - 1 || value === ' ' || value === 'a\tb')
}

function lists({ prefixItems, items = {}, minItems = 0, maxItems = longestList + 1 }: Schema): unknown[] {
  if (prefixItems) {
    const usual = prefixItems.map((item: Schema) => edges(item)[0])
    return prefixItems.flatMap((item: Schema, i: number) => ends(item).map((value) => usual.with(i, value)))
  }
  const values = edges(items)
  const full = maxItems > 0 && maxItems <= longestList ? [Array(maxItems).fill(values[0])] : []
  const single = minItems <= 1 && maxItems > 0 ? values.map((value) => [value]) : []
  return [...(minItems > 0 ? [] : [[]]), ...single, ...full]
}

function objects({ properties = {}, required = [], additionalProperties, propertyNames }: Schema): unknown[] {
  const first = (key: string) => [key, edges(properties[key] ?? {})[0]]
  const least = Object.fromEntries(required.map(first))
  const one = Object.entries<Schema>(properties).flatMap(([key, part]) =>
    ends(part).map((value) => ({ ...least, [key]: value })),
  )
  if (typeof additionalProperties !== 'object') return [least, ...one]
  const others = ends(additionalProperties)
  const keys = ends({ type: 'string', ...propertyNames }) as string[]
  return [
    least,
    ...one,
    ...others.map((value) => ({ ...least, [keys[0]!]: value })),
    ...keys.map((key) => ({ ...least, [key]: others[0] })),
  ]
}

function outside(schema: Schema): unknown[] {
  if (schema.enum) return typeof schema.enum[0] === 'number' ? [Math.max(...schema.enum) + 1] : ['x-unknown']
  const { minLength = 0, maxLength, pattern } = schema
  switch (schema.type) {
    case 'integer':
      return [schema.minimum - 1, schema.maximum + 1].filter(Number.isSafeInteger)
    case 'string':
      return [
        ...(minLength > 0 ? ['x'.repeat(minLength - 1)] : []),
        ...(maxLength <= longest ? ['x'.repeat(maxLength + 1)] : []),
        ...(pattern ? telling.filter((text) => !isWithin({ pattern }, text)) : []),
      ]
    case 'array':
      return [
        ...(schema.minItems === 1 ? [[]] : []),
        ...(schema.maxItems <= longestList ? [Array(schema.maxItems + 1).fill(edges(schema.items)[0])] : []),
      ]
    default:
      return []
  }
}
