import { z } from 'zod'

type Payload = z.core.ParsePayload
type Context = z.core.ParseContextInternal

/**
 * A list in a parameter: as z.array, but it stops at the first element that is wrong. A client hears of no other, and of
 * millions z.array would describe each one.
 */
export function list<Element extends z.ZodType>(element: Element): z.ZodArray<Element> {
  return new List({ type: 'array', element }) as z.ZodArray<Element>
}

/** An object with any keys in a parameter: as z.record, but it stops at the first value that is wrong. */
export function dictionary<Value extends z.ZodType>(value: Value): z.ZodRecord<z.ZodString, Value> {
  const def = { type: 'record', keyType: z.string(), valueType: value } as const
  return new Dictionary(def) as unknown as z.ZodRecord<z.ZodString, Value>
}

const List = z.core.$constructor<z.ZodArray>('List', (schema, def) => {
  z.ZodArray.init(schema, def)
  schema._zod.parse = (payload, context) => {
    if (!Array.isArray(payload.value)) return wrongType(payload, schema, 'array')
    const values = payload.value
    const read: unknown[] = []
    payload.value = read
    for (let i = 0; i < values.length; i++)
      if (!readInto(read, i, values[i], def.element, payload, context)) break
    return payload
  }
})

const Dictionary = z.core.$constructor<z.ZodRecord>('Dictionary', (schema, def) => {
  z.ZodRecord.init(schema, def)
  schema._zod.parse = (payload, context) => {
    const { value } = payload
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return wrongType(payload, schema, 'record')
    }
    const read: Record<string, unknown> = {}
    payload.value = read
    for (const [key, one] of Object.entries(value)) {
      if (key !== '__proto__' && !readInto(read, key, one, def.valueType, payload, context)) break
    }
    return payload
  }
})

/** Puts what a schema makes of a value into a collection; false, and the issues noted, if it is wrong. */
function readInto(
  collection: object,
  key: string | number,
  value: unknown,
  schema: z.core.SomeType,
  payload: Payload,
  context: Context,
): boolean {
  // Nothing in a parameter waits.
  const { value: read, issues } = schema._zod.run({ value, issues: [] }, context) as Payload
  if (issues.length > 0) payload.issues.push(...z.core.util.prefixIssues(key, issues))
  else (collection as Record<string | number, unknown>)[key] = read
  return issues.length === 0
}

function wrongType(payload: Payload, inst: z.core.$ZodType, expected: 'array' | 'record'): Payload {
  payload.issues.push({ expected, code: 'invalid_type', input: payload.value, inst })
  return payload
}
