import fc from 'fast-check'
import type { Declared } from './wild-values.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema may be anything
type Schema = Record<string, any>

/** A longer text is not sent: the limits of forms would refuse it. */
const longest = 20_000
const largest = 2 ** 31 - 1

/** Values of a parameter that are just within its declaration, as they go over the wire. */
export function edgesOf({ isJson, inPath, schema }: Declared): string[] {
  const values = edges(schema).map((value) => (isJson ? JSON.stringify(value) : String(value)))
  return inPath ? values.filter((value) => !/^\.*$/.test(value)) : values
}

function edges(schema: Schema): unknown[] {
  if ('const' in schema) return [schema.const]
  if (schema.enum) return schema.enum
  const parts: Schema[] | undefined = schema.anyOf ?? schema.oneOf
  if (parts) return parts.flatMap(edges)
  switch (schema.type) {
    case 'integer':
      return [bounded(schema.minimum, 0), bounded(schema.maximum, largest)]
    case 'boolean':
      return [true, false]
    case 'string':
      return texts(schema)
    case 'array':
      return schema.minItems ? [] : [[]]
    default:
      return []
  }
}

/** JSON Schema states the largest safe integers where nothing else is declared. */
function bounded(limit: number | undefined, otherwise: number) {
  return limit === undefined || Math.abs(limit) === Number.MAX_SAFE_INTEGER ? otherwise : limit
}

function texts({ minLength = 0, maxLength = 0, pattern, format }: Schema): string[] {
  if (pattern) {
    return fc
      .sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 5, seed: 1 })
      .filter((text) => text.length >= minLength && text.length <= (maxLength || longest))
  }
  if (format) return []
  const long = maxLength > 0 && maxLength <= longest ? ['x'.repeat(maxLength)] : []
  return ['x'.repeat(minLength), ...long]
}
