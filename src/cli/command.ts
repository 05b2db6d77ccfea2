import { userInfo } from 'node:os'
import {
  Command,
  Option as CommanderOption,
  type ErrorOptions,
  type HelpContext,
  InvalidArgumentError,
} from 'commander'
import { closestMatch } from 'leven'
import { type Config, readConfig } from '../config/config.ts'
import { type SettingSources, serverSources } from '../config/sources.ts'
import { type Actor, commandActor } from '../log/audit/actor.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { collectOutput, remark, say } from './output.ts'
import { besideServer } from './server-settings.ts'
import { untilSignal } from './signals.ts'

/** An option of a command: `--name VALUE`, or a switch if it has no `value`. */
type Option = {
  /** The name of its value in the help. */
  value?: string
  help: string
  /** May be given several times. */
  many?: true
}

type Options = Record<string, Option>

/** The parsed options of a command: a text, a list of texts, or whether the switch is there. */
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
  /** Further help, below the usage. */
  details?: string | (() => string)
  /** True: the command uses the settings of a server that starts now, not those of the last started one. */
  isServer?: true
  /** Returns what to print; a command that prints by itself, with `say`, returns nothing. */
  run(
    config: CommandConfig,
    args: ArgumentValues<A>,
    options: OptionValues<O>,
    sources: SettingSources,
  ): Promise<Outcome> | Promise<void>
}

/** A command that judges the settings itself. */
type Unconfigured<A extends readonly string[], O extends Options> = Omit<Spec<A, O>, 'run'> & {
  judge(sources: SettingSources): Promise<Outcome> | Promise<void>
}

/**
 * The result of a command: a text for people, empty if it has written it by `say`; and fields for programs, which ask for
 * them by --json.
 */
export type Outcome = {
  text: string
  data: Record<string, unknown>
  /** By default the command has succeeded. */
  exitCode?: ExitCode
  /** A sentence for stderr, if it has not. */
  problem?: string
}

/** The settings, and who runs the command, for the audit log. */
export type CommandConfig = Config & { actor: Actor }

/** Adds a command to those of `rookery`. */
export type Declared = (program: Verb, environment: NodeJS.ProcessEnv) => void

/** The command line is invalid. The message is one sentence. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The help of the option that every command has. */
const jsonHelp = 'write the result as one JSON object, for programs'

/** `rookery`, a group of its commands, or one of them. */
export class Verb extends Command {
  override createCommand(name?: string): Verb {
    return new Verb(name)
  }

  /** The exit code of the command that has run; only the program sets it. */
  exitCode: ExitCode = exitCodes.done

  /** The words that call it, such as `rookery user create`. */
  get call(): string {
    return this.parent instanceof Verb ? `${this.parent.call} ${this.name()}` : this.name()
  }

  override error(message: string, { code }: ErrorOptions = {}): never {
    throw new UsageError(misunderstanding(this, code, message))
  }

  /** Commander also calls it, with an error, for a group without a command. */
  override help(context?: HelpContext | ((text: string) => string)): never {
    if (typeof context !== 'object' || !context.error) return super.help()
    throw new UsageError(`Which ${this.call} command: ${choiceOf(this)}?`)
  }
}

function choiceOf(group: Verb): string {
  const names = group.commands.map((one) => one.name())
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** Translates commander's errors into our words. */
function misunderstanding(verb: Verb, code: string | undefined, message: string): string {
  const given = /'(-[^' =]*|[^']*)/.exec(message)?.[1] ?? ''
  const options = verb.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '')
  const commands = verb.commands.map((one) => one.name())
  const hint = (known: string[], otherwise: string) => {
    const nearest = closestMatch(given, known, { maxDistance: 2 })
    return nearest ? `did you mean ${nearest}?` : otherwise
  }
  const isAll = verb.parent === null
  switch (code) {
    case 'commander.unknownOption':
      if (isAll && optionsAfter.includes(given)) {
        return `Write the option ${given} after the command, as in rookery user list ${given}.`
      }
      if (isAll) return `There is no option ${given}; rookery help lists the commands.`
      return `There is no option ${given} for ${verb.call}; ${hint(options, options.length > 0 ? `it has ${options.join(', ')}.` : 'it has none.')}`
    case 'commander.unknownCommand':
      if (isAll)
        return `There is no command ${given}; ${hint(commands, 'rookery help lists those that there are.')}`
      return `There is no command ${verb.name()} ${given}; ${hint(commands, `there is ${verb.name()} ${choiceOf(verb)}.`)}`
    case 'commander.missingArgument':
      return `${verb.call} needs ${given}; see ${verb.call} --help.`
    case 'commander.excessArguments': {
      const surplus = verb.args[verb.registeredArguments.length]
      return `${verb.call} does not know what to do with ${surplus}; see ${verb.call} --help.`
    }
    default:
      return `The option ${given} of ${verb.call} needs a value.`
  }
}

export function cliCommand<
  const A extends readonly string[] = [],
  const O extends Options = Record<never, never>,
>(name: string, spec: Spec<A, O> | Unconfigured<A, O>): Declared {
  const args: readonly string[] = spec.arguments ?? []
  const options: Options = spec.options ?? {}
  return (program, environment) => {
    const verb = place(program, name)
      .summary(spec.summary)
      .description(`${capitalized(spec.summary)}.`)
    const { details } = spec
    if (details) verb.addHelpText('after', () => `\n${typeof details === 'string' ? details : details()}`)
    for (const arg of args) verb.argument(arg.endsWith('?') ? `[${arg.slice(0, -1)}]` : `<${arg}>`)
    for (const [key, { value, help, many }] of Object.entries(options)) {
      if (value === undefined) verb.option(`--${key}`, help, false)
      else if (many)
        verb.option(`--${key} <${value}>`, help, (text, all: string[]) => [...all, valueIn(text)], [])
      else verb.option(`--${key} <${value}>`, help, valueIn)
    }
    const hasJson = (!spec.isServer || 'judge' in spec) && !('json' in options)
    if (hasJson) verb.option('--json', jsonHelp, false)
    for (const { flags, help } of optionsOfAll) {
      verb.addOption(new CommanderOption(flags, help).argParser(valueIn).hideHelp())
    }
    verb.action(async (...given: unknown[]) => {
      const named = Object.fromEntries(args.map((arg, i) => [arg.replace('?', ''), given[i]]))
      const values = Object.fromEntries(
        verb.options.map((option) => [option.name(), verb.getOptionValue(option.attributeName())]),
      )
      const sources = await (spec.isServer ? serverSources : besideServer)(environment, values)
      for (const line of sources.lacking) remark(line)
      const runs = async () => {
        if ('judge' in spec) return ((await spec.judge(sources)) ?? undefined) as Outcome | undefined
        const config = {
          ...readConfig(sources.environment),
          actor: commandActor(name, osUser(sources.environment)),
        }
        const run = spec.run(config, named as ArgumentValues<A>, values as OptionValues<O>, sources)
        return ((await run) ?? undefined) as Outcome | undefined
      }
      const prints = () => print(runs, hasJson && values.json === true)
      const exitCode = await (spec.isServer ? prints() : untilSignal(prints))
      if (exitCode !== undefined) program.exitCode = exitCode
    })
  }
}

/** Runs a command, and prints its result as people or programs want it. */
async function print(
  runs: () => Promise<Outcome | undefined>,
  asJson: boolean,
): Promise<ExitCode | undefined> {
  const { result: outcome, said } = asJson ? await collectOutput(runs) : { result: await runs(), said: '' }
  const { problem, exitCode } = outcome ?? {}
  const result =
    problem === undefined ? { result: 'success' } : { result: 'error', code: 'FAILED', msg: problem }
  if (asJson) say(JSON.stringify({ ...result, ...(outcome ? outcome.data : { text: said }) }))
  else if (outcome?.text) say(outcome.text)
  if (problem !== undefined) remark(problem)
  return exitCode
}

/** Options that most commands take, and rookery itself does not. */
const optionsAfter = ['--data', '--config', '--json', '--realm']

/** Options that every command takes. The help of all commands lists them in one place. */
const optionsOfAll = [
  { flags: '--data <DIRECTORY>', help: 'the data directory of the server, in place of ROOKERY_DATA' },
  { flags: '--config <FILE>', help: 'a file of settings, in place of rookery.env in the data directory' },
]

/** The command of one word or two, in its group. */
function place(program: Verb, name: string): Command {
  const [first = '', second] = name.split(' ')
  if (second === undefined) return program.command(first)
  return (program.commands.find((one) => one.name() === first) ?? program.command(first)).command(second)
}

/** Commander takes an option for a value. */
function valueIn(text: string): string {
  if (text.startsWith('--')) throw new InvalidArgumentError('')
  return text
}

/** The user of the machine, and the one who has become that user by sudo. */
function osUser({ SUDO_USER: original }: NodeJS.ProcessEnv): string {
  const name = userName()
  return original === undefined || original === name ? name : `${original} as ${name}`
}

/** In a container, the number of a user may have no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.()}`
  }
}

function capitalized(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
