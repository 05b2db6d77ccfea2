import { RE2JSSyntaxException } from 're2js'
import { text } from '../../../http/params.ts'
import { badRequest, invalidFields, type Problem } from '../../../lib/api-error.ts'
import { libLimits } from '../../../lib/limits.ts'
import { templateVariables } from '../../../lib/text/url-template.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { compilePattern } from '../../../markdown/linkifiers/pattern.ts'
import { linkifierLimits } from './limits.ts'

/** The parameters for creating and for changing a linkifier. */
export const linkifierParams = {
  pattern: text({ max: linkifierLimits.linkifierPatternLength }).documentedAs({
    minLength: 1,
    description: 'A regular expression in the syntax of RE2.',
  }),
  url_template: text({ max: libLimits.urlTemplateLength }).documentedAs({
    minLength: 1,
    format: 'uri-template',
  }),
}

type LinkifierFields = { pattern: string; url_template: string }

/** Throws unless pattern and template are valid, and belong together. */
export function checkSyntax(linkifier: LinkifierFields) {
  const problems = [...fieldProblems(linkifier), ...commonProblems(linkifier)]
  if (problems.length > 0) throw invalidFields(problems)
}

/** Throws unless the linkifier is valid. `id` is the existing linkifier that is being changed, if there is one. */
export function checkLinkifier(realm: RealmState, linkifier: LinkifierFields, id?: number) {
  const problems = [
    ...fieldProblems(linkifier),
    ...commonProblems(linkifier),
    ...namesakes(realm, linkifier, id),
  ]
  if (problems.length > 0) throw invalidFields(problems)
  checkIsNew(realm, linkifier, id)
}

/**
 * Checks the part of the rules that concurrent changes can affect. Compiling a pattern may take long, but this check is
 * fast.
 */
export function checkIsNew(realm: RealmState, linkifier: LinkifierFields, id?: number) {
  const problems = namesakes(realm, linkifier, id)
  if (problems.length > 0) throw invalidFields(problems)
  const isFull = id === undefined && realm.linkifiers.size >= linkifierLimits.linkifiers
  if (isFull) throw badRequest('There are too many linkifiers.')
}

function namesakes(realm: RealmState, { pattern }: LinkifierFields, id?: number): Problem[] {
  return [...realm.linkifiers.values()]
    .filter((other) => other.pattern === pattern && other.id !== id)
    .map(() => ['__all__', 'Realm filter with this Realm and Pattern already exists.'])
}

function fieldProblems({ pattern, url_template }: LinkifierFields): Problem[] {
  const problems: Problem[] = []
  if (pattern === '') problems.push(['pattern', 'This field cannot be blank.'])
  if (url_template === '') problems.push(['url_template', 'This field cannot be blank.'])
  else if (!templateVariables(url_template)) problems.push(['url_template', 'Invalid URL template.'])
  return problems
}

/** The groups of the pattern and the variables of the template must be the same. */
function commonProblems({ pattern, url_template }: LinkifierFields): Problem[] {
  const groups = groupsOf(pattern)
  if (typeof groups === 'string') return [['__all__', `Bad regular expression: ${groups}`]]
  const variables = templateVariables(url_template)
  if (!variables) return []
  const [extra] = [...variables].filter((name) => !groups.has(name)).sort()
  if (extra !== undefined) {
    return [['__all__', `Group '${extra}' in URL template is not present in linkifier pattern.`]]
  }
  const [unused] = [...groups].filter((name) => !variables.has(name)).sort()
  if (unused === undefined) return []
  return [['__all__', `Group '${unused}' in linkifier pattern is not present in URL template.`]]
}

/** Returns the names of a pattern's groups, or a description of the error in it. */
function groupsOf(pattern: string): Set<string> | string {
  try {
    return new Set(Object.keys(compilePattern(pattern).groups))
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    const kind = kindsOfRe2[error.error] ?? error.error
    return error.input === null ? kind : `${kind}: ${error.input}`
  }
}

/** RE2's own names for errors that this engine words differently. */
const kindsOfRe2: Record<string, string> = {
  'missing closing )': 'missing )',
  'missing closing ]': 'missing ]',
  'trailing backslash at end of expression': 'trailing \\',
  'missing argument to repetition operator': 'no argument for repetition operator',
  'invalid nested repetition operator': 'bad repetition operator',
  'invalid repeat count': 'invalid repetition size',
  'invalid or unsupported Perl syntax': 'invalid perl operator',
  'invalid named capture': 'invalid named capture group',
}
