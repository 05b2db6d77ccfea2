import { oddCharacters } from './odd-characters.ts'
import type { Declared, Likely } from './wild-values.ts'

// Valid values in which one text has characters that some component may treat differently from others.

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema may be anything
type Schema = Record<string, any>

const characters = oddCharacters.map(([, character]) => character)
/** These are invalid in every text, so they would hide the effect of the others. */
const refused = (character: string) => character === '\0' || !character.isWellFormed()
const accepted = characters.filter((character) => !refused(character))

/** No odd characters: tests whether a text is accepted at all. */
export const plainText = 'ab'
/** All characters together: within a line, and each in an item of a list. */
export const oddTexts = [
  `a${accepted.join('a')}b`,
  accepted.map((character) => `* a${character}b`).join('\n'),
  ...characters.filter(refused).map((character) => `a${character}b`),
]
/** One by one, where all together are refused. */
export const oddTextsOneByOne = accepted.flatMap((character) => [`a${character}b`, character])

/** A parameter's value for each of the texts in it, with the text in that place; none if it has no text. */
export function valuesWithText(
  { name, isJson, inPath, schema }: Declared,
  likely: Likely,
  text: string,
): string[] {
  if (inPath && (!text.isWellFormed() || text.includes('\0'))) return []
  if (!isJson) return isText(schema) ? [text] : []
  return variants(schema, name, likely, text).map((value) => JSON.stringify(value))
}

function isText(schema: Schema): boolean {
  return schema.type === 'string' && !schema.enum && !('const' in schema)
}

function variants(schema: Schema, name: string, likely: Likely, text: string): unknown[] {
  if ('const' in schema || schema.enum) return []
  const choice: Schema[] | undefined = schema.anyOf ?? schema.oneOf
  if (choice) return choice.flatMap((one) => variants(one, name, likely, text))
  if (Array.isArray(schema.type)) {
    return schema.type.flatMap((type: string) => variants({ ...schema, type }, name, likely, text))
  }
  if (schema.type === 'string') return [text]
  if (schema.type === 'array') return inArray(schema, name, likely, text)
  return schema.type === 'object' ? inObject(schema, name, likely, text) : []
}

function inArray({ prefixItems, items = {} }: Schema, name: string, likely: Likely, text: string): unknown[] {
  if (!prefixItems) return variants(items, name, likely, text).map((value) => [value])
  const usual = prefixItems.map((item: Schema) => base(item, name, likely))
  return prefixItems.flatMap((item: Schema, i: number) =>
    variants(item, name, likely, text).map((value) => usual.with(i, value)),
  )
}

function inObject(schema: Schema, name: string, likely: Likely, text: string): unknown[] {
  const usual = base(schema, name, likely) as object
  const { properties = {}, additionalProperties: others } = schema
  const known = Object.entries<Schema>(properties).flatMap(([key, part]) =>
    variants(part, key, likely, text).map((value) => ({ ...usual, [key]: value })),
  )
  if (typeof others !== 'object') return known
  const more = variants(others, name, likely, text).map((value) => ({ ...usual, a: value }))
  return [...known, ...more, { ...usual, [text]: base(others, name, likely) }]
}

/** The simplest value that is likely to be accepted. */
function base(schema: Schema, name: string, likely: Likely): unknown {
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice: Schema[] | undefined = schema.anyOf ?? schema.oneOf
  if (choice) return base(choice[0]!, name, likely)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  const known = likely(name)
  if (type === 'integer' || type === 'number') return known.find((one) => typeof one === 'number') ?? 1
  if (type === 'boolean') return true
  if (type === 'string') return String(known[0] ?? plainText)
  if (type === 'array') {
    if (schema.prefixItems) return schema.prefixItems.map((item: Schema) => base(item, name, likely))
    return [base(schema.items ?? {}, name, likely)]
  }
  if (type !== 'object') return null
  const { properties = {}, required = [] } = schema
  return Object.fromEntries(required.map((key: string) => [key, base(properties[key] ?? {}, key, likely)]))
}
