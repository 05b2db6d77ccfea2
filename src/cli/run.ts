import { type Command, CommanderError } from 'commander'
import { ConfigError } from '../config/config.ts'
import { ApiError } from '../lib/api-error.ts'
import { productVersion } from '../lib/version.ts'
import { type Declared, UsageError, Verb } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { afterHelp } from './help.ts'
import { say } from './output.ts'

/**
 * Runs the command that the words name, and returns the exit code. If it fails, the reason stands on stderr; with --json
 * also, as an object, on stdout.
 */
export async function run(
  commands: Declared[],
  words: string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  try {
    const program = programOf(commands, environment)
    await program.parseAsync(wordsForCommander(program, words), { from: 'user' })
    return program.exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done
    const msg = reason(error)
    process.stderr.write(`${msg}\n`)
    if (words.includes('--json')) say(JSON.stringify({ result: 'error', code: codeOf(error), msg }))
    return error instanceof UsageError ? exitCodes.misused : exitCodes.failed
  }
}

/** Returns the code of an error for programs. */
function codeOf(error: unknown): string {
  if (error instanceof ApiError) return error.code ?? 'FAILED'
  if (error instanceof UsageError) return 'USAGE'
  return error instanceof ConfigError ? 'SETTINGS' : 'FAILED'
}

/** Builds the program that parses the words. It writes results to stdout, and throws UsageError. */
function programOf(commands: Declared[], environment: NodeJS.ProcessEnv): Verb {
  const program = new Verb('rookery')
    .version(`rookery ${productVersion}`, '-V, --version', 'tell which version this is, and of which commit')
    .exitOverride()
    // An option after `backup verify` is that command's, not one of `backup`.
    .enablePositionalOptions()
    .configureOutput({ writeOut: say })
    .configureHelp({
      // List all commands together, not by groups.
      visibleCommands: (verb) =>
        verb.commands.flatMap((one) => (isGroup(one) ? one.commands : [one, ...one.commands])),
      subcommandTerm: (verb) => callOf(verb).replace('rookery ', ''),
      commandUsage: (verb) => callOf(verb) + (verb.parent && verb.options.length > 0 ? ' [OPTION …]' : ''),
      // Commander adds defaults such as false and [].
      optionDescription: ({ description }) => description,
      optionTerm: ({ flags }) => flags.replace(/[<>]/g, ''),
    })
    .addHelpText('after', afterHelp)
  for (const declare of commands) declare(program, environment)
  return program
}

/** Returns the words that call a command, with its arguments. */
function callOf(verb: Command): string {
  const args = verb.registeredArguments.map((one) => (one.required ? one.name() : `[${one.name()}]`))
  if (isGroup(verb)) args.push('COMMAND')
  return [verb instanceof Verb ? verb.call : verb.name(), ...args].join(' ')
}

/** Whether a command is only a group. `backup` has a subcommand, and is a command itself. */
function isGroup(verb: Command): boolean {
  return verb.commands.length > 0 && verb.registeredArguments.length === 0
}

/** `help user create` is `user create --help`, which commander knows for one word only. Help for no command is an error. */
function wordsForCommander(program: Command, words: string[]): string[] {
  const [first, ...named] = words
  if (first === 'version') return ['--version']
  if (first !== 'help') return words
  return isCommand(program, named) ? [...named, '--help'] : named
}

function isCommand(group: Command, [first, ...rest]: string[]): boolean {
  if (first === undefined || first.startsWith('-')) return true
  const verb = group.commands.find((one) => one.name() === first)
  return verb !== undefined && isCommand(verb, rest)
}

/** Returns the error for the user at the terminal: one sentence if it was expected, with its trace if it was not. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Connecting to a name with several addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.length > 0) return reason(error.errors[0])
  const isForeseen =
    error.constructor === Error || [ApiError, ConfigError, UsageError].some((kind) => error instanceof kind)
  return isForeseen || 'code' in error ? error.message : (error.stack ?? error.message)
}
