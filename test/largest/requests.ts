import { httpLimits } from '../../src/http/limits.ts'
import type { Declared } from '../random/wild-values.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema may be anything
type Schema = Record<string, any>

/** The likely values of a parameter, or a part of one, by its name: all existing ids and names. */
export type Existing = (name: string) => { numbers: readonly number[]; texts: readonly string[] }

/** How many elements a list gets that may have `max`; and which of several kinds of values, by number. */
type Shape = {
  name: string
  existing: Existing
  lengthOf(name: string, max: number): number
  choice: number
  longestText: number
  /** The factor by which all values are shortened, so that they fit into a form. */
  scale: number
}

/** Characters of a text whose declaration allows more than fits into a form. */
const longest = 1_000_000
/** Elements of lists in lists. */
const nestedLength = 40

/**
 * Requests as large as the declaration of an operation allows, right in form: all lists as long as they may be, or one
 * of them, or all so long that their product is about that; with all parameters, with those required, and with one more.
 */
export function largestRequests(declared: Declared[], existing: Existing): Record<string, string>[] {
  const lists = declared.filter(({ schema }) => hasList(schema)).map(({ name }) => name)
  const one = (_: string, max: number) => Math.min(max, 1)
  const lengths = [
    (_: string, max: number) => max,
    (_: string, max: number) => Math.min(max, 100),
    ...lists.map((long) => (name: string, max: number) => (name === long ? max : Math.min(max, 1))),
  ]
  const all = declared.map(({ name }) => name)
  const required = declared.filter(({ isRequired, inPath }) => isRequired || inPath).map(({ name }) => name)
  const requests: Record<string, string>[] = []
  const add = (names: string[], lengthOf: Shape['lengthOf'], choice: number, longestText = 60) => {
    const params = declared.filter(({ name }) => names.includes(name))
    for (let scale = 1; ; scale /= 2) {
      const entries = params.map((param): [string, string] => {
        const value = largest(
          param.schema,
          { name: param.name, existing, lengthOf, choice, scale, longestText },
          0,
        )
        return [param.name, param.isJson ? JSON.stringify(value) : String(value)]
      })
      // Coding makes it longer, JSON more than texts.
      const size = entries.reduce((sum, [, value]) => sum + value.length, 0)
      if (1.5 * size > httpLimits.formBody) continue
      return void requests.push(Object.fromEntries(entries))
    }
  }
  add(all, one, 0, longest)
  for (let choice = 0; choice < 4; choice++) {
    for (const lengthOf of lengths) for (const names of [all, required]) add(names, lengthOf, choice)
    const optional = declared.filter(({ name }) => !required.includes(name))
    for (const { name, schema } of optional) {
      add([...required, name], hasList(schema) ? lengths[0]! : one, choice)
    }
  }
  const distinct = new Map(requests.map((request) => [JSON.stringify(request), request]))
  return [...distinct.values()]
}

function hasList(schema: Schema): boolean {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return schema.type === 'array' || parts.some(hasList)
}

function largest(schema: Schema, shape: Shape, index: number): unknown {
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[shape.choice % schema.enum.length]
  const parts = schema.anyOf ?? schema.oneOf
  if (parts) return largest(parts[shape.choice % parts.length], shape, index)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  const known = shape.existing(shape.name)
  const number = shape.choice + index
  switch (type) {
    case 'integer':
    case 'number':
      return pick(known.numbers, number) ?? index + 1
    case 'boolean':
      return shape.choice % 2 === 0
    case 'string':
      return pick(known.texts, number) ?? text(schema, shape, index)
    case 'array':
      return listOf(schema, shape)
    case 'object':
      return objectOf(schema, shape, index)
    default:
      return null
  }
}

function listOf(schema: Schema, shape: Shape): unknown[] {
  if (schema.prefixItems) return schema.prefixItems.map((part: Schema) => largest(part, shape, 0))
  const items = schema.items ?? {}
  const { numbers, texts } = shape.existing(shape.name)
  const known = (items.type === 'integer' ? numbers : texts).length
  const max = known > 0 ? Math.min(schema.maxItems, known) : schema.maxItems
  const length = Math.ceil(shape.lengthOf(shape.name, max) * shape.scale)
  const inner = {
    ...shape,
    choice: 0,
    lengthOf: (name: string, max: number) => Math.min(shape.lengthOf(name, max), nestedLength),
  }
  return Array.from({ length }, (_, i) => largest(items, inner, i))
}

function objectOf(schema: Schema, shape: Shape, index: number): unknown {
  const { properties = {}, additionalProperties, maxProperties } = schema
  const entries: [string, unknown][] = Object.entries<Schema>(properties).map(([name, part]) => [
    name,
    largest(part, { ...shape, name: name === 'id' || name === 'name' ? shape.name : name }, index),
  ])
  if (typeof additionalProperties === 'object' && maxProperties !== undefined) {
    for (let i = 0; i < shape.lengthOf(shape.name, maxProperties); i++) {
      entries.push([`key ${i}`, largest(additionalProperties, shape, i)])
    }
  }
  return Object.fromEntries(entries)
}

/** Within a list, a short text of its own; else the longest there may be. */
function text({ maxLength = longest }: Schema, { scale, longestText }: Shape, index: number): string {
  return index > 0 ? `word ${index}` : 'word '.repeat((scale * Math.min(maxLength, longestText)) / 5)
}

function pick<T>(values: readonly T[], index: number): T | undefined {
  return values.length === 0 ? undefined : values[index % values.length]
}
