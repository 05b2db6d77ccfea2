/** A piece of code and the class that it is shown in; without a class it is plain. */
export type Token = readonly [className: string, text: string]

/** The class of what a pattern matched. `before` is the last token that is not white space. */
export type ClassOf = string | ((text: string, before: Token) => string)

/**
 * Where the pattern matches, the class applies, or one for each of its groups, which then hold all of the match. `to` is
 * the state that follows: another that will return to this one, or `back`.
 */
export type LexRule = readonly [pattern: RegExp, as: ClassOf | readonly ClassOf[], to?: string]

/** The rules of each state in the order in which they are tried. It begins in `root`. */
export type Lexer = Readonly<Record<string, readonly LexRule[]>>

/**
 * Tokens of code, together all of it. What no rule matches is an error, but for newlines, which also lead back to
 * `root`. Patterns must not look far ahead, so that the time is linear.
 */
export function tokens(code: string, lexer: Lexer): Token[] {
  const states = compile(lexer)
  const stack = ['root']
  const result: Token[] = []
  let before: Token = ['', '']
  const add = (as: ClassOf, text: string) => {
    if (text === '') return
    const token: Token = [typeof as === 'string' ? as : as(text, before), text]
    result.push(token)
    if (text.trim() !== '') before = token
  }
  for (let position = 0; position < code.length; ) {
    const found = firstMatch(states[stack.at(-1)!]!, code, position, stack.length > 1)
    if (!found) {
      if (code[position] === '\n') stack.length = 1
      add(code[position] === '\n' ? '' : 'err', code[position++]!)
      continue
    }
    const [[, as, to], match] = found
    const classes = typeof as === 'object' ? as : [as]
    for (const [index, one] of classes.entries())
      add(one, match[typeof as === 'object' ? index + 1 : 0] ?? '')
    position += match[0]!.length
    if (to === 'back' && stack.length > 1) stack.pop()
    else if (to !== undefined && to !== 'back' && stack.length < deepest) stack.push(to)
  }
  return result
}

/** The class of a word by lists of words, and of a word in none. */
export function words(lists: Record<string, string>, otherwise: ClassOf, ignoreCase = false): ClassOf {
  const classes = new Map<string, string>()
  for (const [name, list] of Object.entries(lists))
    for (const word of list.split(/\s+/)) classes.set(word, name)
  return (text, before) => {
    const found = classes.get(ignoreCase ? text.toLowerCase() : text)
    return found ?? (typeof otherwise === 'string' ? otherwise : otherwise(text, before))
  }
}

const deepest = 200

/** Rules that one pattern stands for: one look at the code instead of many. */
type Batch = { pattern: RegExp; rules: { rule: LexRule; group: number }[] }

const compiled = new WeakMap<Lexer, Record<string, Batch[]>>()

function compile(lexer: Lexer): Record<string, Batch[]> {
  const known = compiled.get(lexer)
  if (known) return known
  const made = Object.fromEntries(Object.entries(lexer).map(([state, rules]) => [state, batches(rules)]))
  compiled.set(lexer, made)
  return made
}

/** Rules in a row with the same flags; those that may match nothing stand by themselves. */
function batches(rules: readonly LexRule[]): Batch[] {
  const runs: LexRule[][] = []
  for (const rule of rules) {
    const run = runs.at(-1)
    const joins = run && run[0]![0].flags === rule[0].flags && !isEmpty(run[0]!) && !isEmpty(rule)
    if (joins) run.push(rule)
    else runs.push([rule])
  }
  return runs.map((run) => {
    let group = 1
    const members = run.map((rule) => {
      const member = { rule, group }
      group += 1 + new RegExp(`${rule[0].source}|`, rule[0].flags).exec('')!.length - 1
      return member
    })
    const source = run.map(([pattern]) => `(${pattern.source})`).join('|')
    return { pattern: new RegExp(source, `${run[0]![0].flags}y`), rules: members }
  })
}

function isEmpty([pattern]: LexRule): boolean {
  return pattern.source.startsWith('(?=') || pattern.source.startsWith('(?<=')
}

/** The rule that matches and the groups of its match, itself first. A match of nothing counts only if it leads back. */
function firstMatch(
  all: Batch[],
  code: string,
  position: number,
  mayReturn: boolean,
): [LexRule, (string | undefined)[]] | undefined {
  for (const { pattern, rules } of all) {
    pattern.lastIndex = position
    const match = pattern.exec(code)
    if (!match || (match[0] === '' && !mayReturn)) continue
    const { rule, group } = rules.find((member) => match[member.group] !== undefined)!
    if (match[0] !== '' || rule[2] === 'back') return [rule, match.slice(group)]
  }
  return undefined
}
