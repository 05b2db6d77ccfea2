import { type ParseArgsConfig, parseArgs } from 'node:util'
import { closestMatch } from 'leven'
import { type Config, readConfig } from '../lib/config.ts'
import { besideServer } from './server-settings.ts'

/** An option of a command: `--name VALUE`, or a switch if it has no `value`. */
type Option = {
  /** What stands for its value in the help. */
  value?: string
  help: string
  /** May be given several times. */
  many?: true
}

type Options = Record<string, Option>

/** What a command finds of its options: a text, a list of texts, or whether the switch is there. */
type OptionValues<O extends Options> = { [K in keyof O]: OptionValue<O[K]> }
type OptionValue<O extends Option> = O extends { value: string; many: true }
  ? string[]
  : O extends { value: string }
    ? string | undefined
    : boolean

/** Arguments by name; `NAME?` may be missing. */
type ArgumentValues<A extends readonly string[]> = {
  [K in A[number] as K extends `${infer Name}?` ? Name : K]: K extends `${string}?`
    ? string | undefined
    : string
}

type Spec<A extends readonly string[], O extends Options> = {
  /** One line for the list of commands. */
  summary: string
  arguments?: A
  options?: O
  /** What else there is to say, below the usage. */
  details?: string | (() => string)
  /** Is the server, whose settings are those of its own environment alone. */
  isServer?: true
  run(
    config: Config,
    args: ArgumentValues<A>,
    options: OptionValues<O>,
    environment: NodeJS.ProcessEnv,
  ): Promise<void>
}

export type Command = {
  /** One word or two. */
  name: string
  summary: string
  arguments: readonly string[]
  options: Options
  details: () => string
  /** Parses what follows the name, and runs; throws UsageError before it has done anything. */
  run(environment: NodeJS.ProcessEnv, words: string[]): Promise<void>
}

/** What was asked for cannot be understood. Its message is one sentence. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The words that `given` may have been meant as, if there are such. */
export function suggestion(given: string, known: string[]): string | undefined {
  const nearest = closestMatch(given, known, { maxDistance: 2 })
  return nearest && `did you mean ${nearest}?`
}

export function command<
  const A extends readonly string[] = [],
  const O extends Options = Record<never, never>,
>(name: string, spec: Spec<A, O>): Command {
  const { summary, details = '' } = spec
  const args: readonly string[] = spec.arguments ?? []
  const options: Options = spec.options ?? {}
  return {
    name,
    summary,
    arguments: args,
    options,
    details: () => (typeof details === 'string' ? details : details()),
    async run(environment, words) {
      const { values, positionals } = parse(name, options, words)
      const named = nameArguments(name, args, positionals)
      const complete = spec.isServer ? environment : await besideServer(environment)
      const config = readConfig(complete)
      await spec.run(config, named as ArgumentValues<A>, values as OptionValues<O>, complete)
    },
  }
}

function parse(name: string, options: Options, words: string[]) {
  const entries = Object.entries(options).map(([key, { value, many = false }]) => {
    return [key, { type: value ? 'string' : 'boolean', multiple: many } as const] as const
  })
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: Object.fromEntries(entries) satisfies ParseArgsConfig['options'],
      allowPositionals: true,
    })
    const missing = entries.map(([key, { type, multiple }]) => [key, multiple ? [] : emptyOf(type)])
    return { values: { ...Object.fromEntries(missing), ...values }, positionals }
  } catch (error) {
    throw new UsageError(misunderstanding(name, options, error as NodeJS.ErrnoException))
  }
}

function emptyOf(type: 'string' | 'boolean') {
  return type === 'string' ? undefined : false
}

/** What parseArgs complains of, in our words. */
function misunderstanding(name: string, options: Options, { code, message }: NodeJS.ErrnoException): string {
  const option = /'(-[^' =]*)/.exec(message)?.[1] ?? 'An option'
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const known = Object.keys(options).map((key) => `--${key}`)
    const hint = known.length > 0 ? `it has ${known.join(', ')}.` : 'it has none.'
    return `There is no option ${option} for rookery ${name}; ${suggestion(option, known) ?? hint}`
  }
  if (/does not take/.test(message)) return `The option ${option} of rookery ${name} takes no value.`
  return `The option ${option} of rookery ${name} needs a value.`
}

function nameArguments(name: string, args: readonly string[], given: string[]) {
  if (given.length > args.length) {
    throw new UsageError(
      `rookery ${name} does not know what to do with ${given[args.length]}; see rookery ${name} --help.`,
    )
  }
  const missing = args.slice(given.length).filter((arg) => !arg.endsWith('?'))
  if (missing.length > 0) {
    throw new UsageError(`rookery ${name} needs ${missing.join(' and ')}; see rookery ${name} --help.`)
  }
  return Object.fromEntries(args.map((arg, i) => [arg.replace('?', ''), given[i]]))
}
