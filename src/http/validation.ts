import type { z } from 'zod'

type Issue = z.core.$ZodIssue

const nouns: Record<string, string> = {
  boolean: 'a boolean',
  int: 'an integer',
  number: 'an integer', // what z.int() says to a text; no parameter of this API is a fraction
  string: 'a string',
  array: 'a list',
  tuple: 'a list',
  object: 'a dict',
  record: 'a dict',
}

/**
 * Returns the text that clients of this API know for a value of the wrong shape, with its position inside the
 * parameter.
 */
export function describeIssue(name: string, issue: Issue): string {
  const place = name + issue.path.map((key) => `[${JSON.stringify(key)}]`).join('')
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined && issue.path.length > 0 && issue.message.includes('undefined')) {
        return `${place} field is missing: Field required`
      }
      return `${place} is not ${nouns[issue.expected] ?? issue.expected}`
    case 'unrecognized_keys':
      return `Argument "${issue.keys[0]}" at ${place}["${issue.keys[0]}"] is unexpected`
    case 'too_big':
      if (issue.origin === 'string') return `${place} is too long (limit: ${issue.maximum} characters)`
      if (isCollection(issue.origin)) return `${place} has too many values (limit: ${issue.maximum})`
      return `${place} is too large`
    case 'too_small':
      return issue.origin === 'string' ? `${place} is too short.` : `${place} is too small`
    case 'invalid_union':
      return describeUnion(name, issue)
    case 'custom':
      return `Invalid ${place}: Value error, ${issue.message}`
    default:
      return `Invalid ${place}`
  }
}

function isCollection(origin: string) {
  return origin === 'array' || origin === 'object'
}

// A value that fits no member of a union is described by the first member, unless it is only too large for another.
function describeUnion(name: string, issue: Extract<Issue, { code: 'invalid_union' }>) {
  const tooLarge = issue.errors.find(([one]) => one?.code === 'too_big' && isCollection(one.origin))
  const first = (tooLarge ?? issue.errors[0])?.[0]
  if (!first) return `Invalid ${name}`
  return describeIssue(name, { ...first, path: [...issue.path, ...first.path] } as Issue)
}
