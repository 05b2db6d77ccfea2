import type { Readable } from 'node:stream'
import { z } from 'zod'
import { ApiError, badRequest } from '../lib/api-error.ts'
import { firstIn } from '../lib/must.ts'
import { isLonger } from '../lib/text/characters.ts'
import type { ReceivedFile } from './body/files.ts'
import { list } from './collections.ts'
import { httpLimits } from './limits.ts'
import { parseJson } from './parse-json.ts'
import { describeIssue } from './validation.ts'

/**
 * Where the value of a parameter comes from. `form`: the form or the query, of which the form counts first. `path`. `files`: the files of
 * a multipart body. `body`: the body, as a stream.
 */
type ParamSource = 'form' | 'path' | 'files' | 'body'

/** A part of a JSON Schema. */
type JsonSchema = Record<string, unknown>

/**
 * The declaration of one parameter. From it come its validation, its error texts and its part of the OpenAPI document.
 * `T` is what the handler gets.
 */
export class Param<T> {
  readonly source: ParamSource
  readonly schema: z.ZodType
  /** JSON-coded on the wire, or text taken as it stands. */
  readonly isJson: boolean
  readonly aliases: string[] = []
  readonly isRequired: boolean = true
  /** For a part of the path: whether it takes the whole rest of the path. */
  readonly takesSlashes: boolean = false
  readonly defaultValue: T | undefined = undefined
  /** For files: how many bytes all of them may have together. */
  readonly fileLimit: number | undefined = undefined
  /** For a body that the operation reads as a stream: its media type. */
  readonly mediaType: string | undefined = undefined
  /** Additions to the schema in the OpenAPI document. */
  readonly documented: JsonSchema = {}
  private readonly decodeText: (text: string, name: string) => T

  constructor(
    source: ParamSource,
    schema: z.ZodType,
    isJson: boolean,
    decodeText: (text: string, name: string) => T,
  ) {
    this.source = source
    this.schema = schema
    this.isJson = isJson
    this.decodeText = decodeText
  }

  optional(): Param<T | undefined> {
    return this.with({ isRequired: false })
  }

  default<D extends T>(value: D): Param<T> {
    return this.with({ isRequired: false, defaultValue: value })
  }

  /** Other names under which clients send it. A request with two of them is refused. */
  alias(...names: string[]): Param<T> {
    return this.with({ aliases: names })
  }

  /** A JSON null counts as absent: zulip-js sends the word null for what its caller left out. */
  nullIsAbsent(): Param<T> {
    const { decodeText, defaultValue } = this
    const decode = (text: string, name: string) => (text === 'null' ? defaultValue : decodeText(text, name))
    return Object.assign(this.with({}), { decodeText: decode }) as Param<T>
  }

  /**
   * Adds to the OpenAPI document what the schema cannot say: a constraint that the operation checks itself, because its
   * error has its own text. A `type` or `anyOf` replaces the schema. `isJson`: whether clients may send the value as
   * JSON, if the operation reads both.
   */
  documentedAs(documented: JsonSchema, { isJson = this.isJson } = {}): Param<T> {
    return this.with({ documented, isJson })
  }

  /**
   * Returns the value. `sent` returns the text that the request has under a name, if any. Throws 400 if the parameter is missing, was
   * sent under two of its names, or has a wrong value.
   */
  read(name: string, sent: (name: string) => string | undefined): T {
    let [given, text] = [name, sent(name)]
    for (const alias of this.aliases) {
      const other = sent(alias)
      if (text !== undefined && other !== undefined) throw confusing(given, alias)
      if (other !== undefined) [given, text] = [alias, other]
    }
    if (text !== undefined) return this.decodeText(text, name)
    if (this.isRequired) throw missing(name)
    return this.defaultValue as T
  }

  private with(changes: Partial<Param<unknown>>): Param<never> {
    return Object.assign(Object.create(Param.prototype), this, changes)
  }
}

export type Params = Record<string, Param<unknown>>
export type Values<P extends Params> = { [K in keyof P]: P[K] extends Param<infer T> ? T : never }

// The patterns of the API description avoid what is not the same in all languages: look-around, octal escapes and
// Unicode's categories.

/** The pattern of every text. */
export const textPattern = '^[^\\u0000]*$'

/** The pattern of a text that is not empty once trimmed. */
export const notBlankPattern = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$'

/**
 * Text as it stands. `max` is in characters; without it, a generous limit applies. `notBlank` refuses text that is
 * empty once trimmed; `trim` also returns it trimmed; `oneOf` lists the words allowed; `quotable` accepts JSON too,
 * since clients differ.
 */
export function text<Word extends string = string>(
  rules: {
    max?: number
    notBlank?: boolean
    trim?: boolean
    oneOf?: readonly Word[]
    quotable?: boolean
  } = {},
): Param<Word> {
  const { max = httpLimits.textLength, notBlank, trim, oneOf, quotable } = rules
  const schema = oneOf ? z.enum(oneOf as readonly [Word, ...Word[]]) : z.string().max(max)
  const documented = notBlank ? { pattern: notBlankPattern } : {}
  return new Param<Word>('form', schema, false, (raw, name) => {
    const bare = quotable ? unquoted(raw) : raw
    const value = (trim ? bare.trim() : bare) as Word
    if (oneOf && !oneOf.includes(value)) throw badRequest(`Invalid ${name}`)
    if (notBlank && value.trim() === '') throw badRequest(`${name} cannot be blank`)
    if (isLonger(value, max)) throw tooLong(name, max)
    return value
  }).documentedAs(documented)
}

/** Returns a text without the quotes that it has as JSON. */
export function unquoted(raw: string): string {
  return raw.replace(/^"(.*)"$/s, '$1')
}

/**
 * A JSON-coded value, strictly typed: the text "5" in quotes is no integer. `max` is in characters, as it is sent.
 */
export function json<T>(schema: z.ZodType<T>, { max }: { max?: number } = {}): Param<T> {
  return new Param('form', schema, true, (raw, name) => {
    if (max !== undefined && isLonger(raw, max)) throw tooLong(name, max)
    const result = schema.safeParse(parseJson(raw, name))
    if (result.success) return result.data
    throw badRequest(describeIssue(name, firstIn(result.error.issues)))
  })
}

/** A JSON-coded value. Clients may send these words without quotes, as some do. */
export function jsonOrWord<T>(schema: z.ZodType<T>, words: readonly string[]): Param<T> {
  const plain = json(schema)
  return new Param('form', schema, true, (raw, name) =>
    plain.read(name, () => (words.includes(raw) ? JSON.stringify(raw) : raw)),
  )
}

const largestLong = 2n ** 63n - 1n

/** A JSON-coded integer of 64 bits. The value is its digits, since a JavaScript number cannot represent all of them. */
export function longInteger(): Param<string> {
  const plain = json(z.int())
  return new Param('form', z.int(), true, (raw, name) => {
    const digits = raw.trim()
    if (!/^-?[1-9]\d{15,}$/.test(digits)) return String(plain.read(name, () => raw))
    // No client sends more digits than the largest value has, so longer texts are not parsed.
    const value = digits.length <= 20 ? BigInt(digits) : largestLong + 1n
    if (value > largestLong) throw badRequest(`${name} is too large`)
    if (value < -largestLong - 1n) throw badRequest(`${name} is too small`)
    return digits
  })
}

/** A JSON-coded integer; `oneOf` lists those allowed. */
export function integer({ oneOf }: { oneOf?: readonly number[] } = {}): Param<number> {
  if (!oneOf) return json(z.int())
  const isListed = (value: number) => oneOf.includes(value)
  return json(z.int().refine(isListed, 'Not in the list of possible values').meta({ enum: oneOf }))
}

export const boolean = () => json(z.boolean())

/** A list of integers, with at most `max` of them. */
export const integers = (max?: number) => json(list(z.int(), max))

/** A list of texts of at most `length` characters, with at most `max` of them. */
export const strings = ({ max, length = httpLimits.nameLength }: { max?: number; length?: number } = {}) =>
  json(list(z.string().max(length), max))

/** A non-negative integer that is part of the path. A path with anything else there does not exist. */
export function pathInteger(): Param<number> {
  // No id is as large as the largest integer.
  return new Param('path', z.int().min(0), false, (raw) => Math.min(Number(raw), Number.MAX_SAFE_INTEGER))
}

/** A text that is part of the path. */
export function pathText(): Param<string> {
  return new Param('path', z.string(), false, (raw) => raw)
}

/** The rest of the path, including slashes, as the client sent it. */
export function pathRest(): Param<string> {
  return Object.assign(pathText(), { takesSlashes: true })
}

/**
 * The files that came with the request, under any names: clients differ. Together they may have `max` bytes; a larger
 * body is refused. Declare it at most once.
 */
export function files({ max }: { max: number }): Param<ReceivedFile[]> {
  const anything = new Param<ReceivedFile[]>('files', z.any(), false, () => [])
  return Object.assign(anything, { fileLimit: max, isRequired: false })
}

/** Returns how many bytes the files of a request may have together; undefined if the operation takes no files. */
export function fileLimit(params: Params): number | undefined {
  for (const { fileLimit } of Object.values(params)) if (fileLimit !== undefined) return fileLimit
  return undefined
}

/**
 * The body as a stream, if it has this media type; undefined if there is none, or it has another type. The operation limits how much it
 * reads. Declare it at most once.
 */
export function bodyStream(mediaType: string): Param<Readable | undefined> {
  const anything = new Param<Readable | undefined>('body', z.any(), false, () => undefined)
  return Object.assign(anything, { mediaType, isRequired: false })
}

/** Returns the media type of the body that an operation reads as a stream; undefined if it reads none. */
export function streamedType(params: Params): string | undefined {
  for (const { mediaType } of Object.values(params)) if (mediaType !== undefined) return mediaType
  return undefined
}

function tooLong(name: string, max: number) {
  return badRequest(`${name} is too long (limit: ${max} characters)`)
}

/** 400: a required parameter was not sent. */
export function missing(name: string) {
  return new ApiError(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', 400, { var_name: name })
}

function confusing(name: string, other: string) {
  return new ApiError(
    `Can't decide between '${name}' and '${other}' arguments`,
    'REQUEST_CONFUSING_VAR',
    400,
    {
      var_name1: name,
      var_name2: other,
    },
  )
}
