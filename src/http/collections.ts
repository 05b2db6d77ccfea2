import { z } from 'zod'
import { httpLimits } from './limits.ts'

type Payload = z.core.ParsePayload
type Context = z.core.ParseContextInternal

/**
 * A list in a parameter, with at most `max` elements. Like z.array, but it refuses a longer list before it reads any
 * element, and stops at the first wrong element. A client learns only of the first, and z.array would describe each of
 * millions.
 */
export function list<Element extends z.ZodType>(
  element: Element,
  max: number = httpLimits.listLength,
): z.ZodArray<Element> {
  return new List({ type: 'array', element, max, checks: [z.maxLength(max)] }) as z.ZodArray<Element>
}

/**
 * An object with any keys in a parameter, with at most `max` entries whose keys have at most `keyLength` characters: as
 * z.record, but it refuses a larger one before it reads any value, and stops at the first value that is wrong.
 */
export function dictionary<Value extends z.ZodType>(
  value: Value,
  {
    max = httpLimits.listLength,
    keyLength = httpLimits.textLength,
  }: { max?: number; keyLength?: number } = {},
): z.ZodRecord<z.ZodString, Value> {
  const def = { type: 'record', keyType: z.string().max(keyLength), valueType: value, max } as const
  const schema = new Dictionary(def) as unknown as z.ZodRecord<z.ZodString, Value>
  return schema.meta({ maxProperties: max })
}

type ListDef = z.core.$ZodArrayDef & { max: number }

const List = z.core.$constructor<z.ZodArray, ListDef>('List', (schema, def) => {
  z.ZodArray.init(schema, def)
  schema._zod.parse = (payload, context) => {
    if (!Array.isArray(payload.value)) return wrongType(payload, schema, 'array')
    const values = payload.value
    if (values.length > def.max) return tooMany(payload, schema, 'array', def.max)
    const read: unknown[] = []
    payload.value = read
    for (let i = 0; i < values.length; i++)
      if (!readInto(read, [i, values[i]], def.element, payload, context)) break
    return payload
  }
})

type DictionaryDef = z.core.$ZodRecordDef & { max: number }

const Dictionary = z.core.$constructor<z.ZodRecord, DictionaryDef>('Dictionary', (schema, def) => {
  z.ZodRecord.init(schema, def)
  schema._zod.parse = (payload, context) => {
    const { value } = payload
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return wrongType(payload, schema, 'record')
    }
    const entries = Object.entries(value)
    if (entries.length > def.max) return tooMany(payload, schema, 'object', def.max)
    const read: Record<string, unknown> = {}
    payload.value = read
    for (const entry of entries) {
      const [key] = entry
      if (!readKey(key, def.keyType, payload, context)) break
      if (key !== '__proto__' && !readInto(read, entry, def.valueType, payload, context)) break
    }
    return payload
  }
})

/** Returns false, and adds the issues, if a key is wrong. */
function readKey(key: string, schema: z.core.SomeType, payload: Payload, context: Context): boolean {
  const { issues } = schema._zod.run({ value: key, issues: [] }, context) as Payload
  // The key itself may be long, so the error does not repeat it.
  payload.issues.push(...z.core.util.prefixIssues('key', issues))
  return issues.length === 0
}

/** Puts a parsed entry into a collection; returns false, and adds the issues, if it is wrong. */
function readInto(
  collection: object,
  [key, value]: [string | number, unknown],
  schema: z.core.SomeType,
  payload: Payload,
  context: Context,
): boolean {
  // No schema of a parameter is asynchronous.
  const { value: read, issues } = schema._zod.run({ value, issues: [] }, context) as Payload
  if (issues.length > 0) payload.issues.push(...z.core.util.prefixIssues(key, issues))
  else (collection as Record<string | number, unknown>)[key] = read
  return issues.length === 0
}

function tooMany(
  payload: Payload,
  inst: z.core.$ZodType,
  origin: 'array' | 'object',
  maximum: number,
): Payload {
  payload.issues.push({ code: 'too_big', origin, maximum, inclusive: true, input: payload.value, inst })
  return payload
}

function wrongType(payload: Payload, inst: z.core.$ZodType, expected: 'array' | 'record'): Payload {
  payload.issues.push({ expected, code: 'invalid_type', input: payload.value, inst })
  return payload
}
