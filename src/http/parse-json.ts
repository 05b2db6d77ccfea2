import { badRequest } from '../lib/api-error.ts'
import { httpLimits } from './limits.ts'

/** Parses the JSON of a parameter. Throws 400 if it is none, or holds more values than any request needs. */
export function parseJson(raw: string, name: string): unknown {
  if (holdsMany(raw)) throw badRequest(`${name} has too many values`)
  try {
    return JSON.parse(raw, /\\ud[89a-f]/i.test(raw) ? refuseHalfPairs : undefined)
  } catch {
    throw badRequest(`${name} is not valid JSON`)
  }
}

/** Whether a text of JSON has more values than any request needs: counts the commas outside strings. */
function holdsMany(json: string): boolean {
  const most = httpLimits.valuesPerParameter
  if (json.length <= 2 * most) return false
  let count = 1
  let isString = false
  for (let i = 0; i < json.length && count <= most; i++) {
    const character = json[i]
    if (character === '"') isString = !isString
    else if (isString && character === '\\') i += 1
    else if (!isString && character === ',') count += 1
  }
  return count > most
}

// By an escape, half of a surrogate pair can get into a text. It is no character, and nothing stores or encodes it.
function refuseHalfPairs(key: string, value: unknown) {
  if (/\p{Surrogate}/u.test(key) || (typeof value === 'string' && /\p{Surrogate}/u.test(value))) {
    throw new SyntaxError('half of a surrogate pair')
  }
  return value
}
