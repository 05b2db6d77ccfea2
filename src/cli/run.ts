import { ApiError } from '../lib/api-error.ts'
import { ConfigError } from '../lib/config.ts'
import { productVersion } from '../lib/version.ts'
import { type Command, suggestion, UsageError } from './command.ts'
import { helpOf, listOfCommands } from './help.ts'
import { say } from './output.ts'

/**
 * Runs the command that the words name, `fallback` if there are none. Answers the exit status: 2 if it was not
 * understood, 1 if it failed, and then the reason stands on stderr.
 */
export async function run(
  commands: Command[],
  words: string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  try {
    await dispatch(commands, words, environment)
    return 0
  } catch (error) {
    process.stderr.write(`${reason(error)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

async function dispatch(commands: Command[], words: string[], environment: NodeJS.ProcessEnv) {
  if (['--version', '-V', 'version'].includes(words[0] ?? '')) return say(`rookery ${productVersion}`)
  const asksForHelp = words[0] === 'help' || optionsOf(words).some((word) => ['--help', '-h'].includes(word))
  if (asksForHelp) return say(help(commands, words[0] === 'help' ? words.slice(1) : words))
  const found = find(commands, words)
  if (!found) throw new UsageError(unknown(commands, words))
  await found.command.run(environment, found.rest)
}

// After "--", nothing is an option.
function optionsOf(words: string[]) {
  const end = words.indexOf('--')
  return end < 0 ? words : words.slice(0, end)
}

function help(commands: Command[], words: string[]): string {
  const names = optionsOf(words).filter((word) => !word.startsWith('-'))
  const found = find(commands, names)
  if (found) return helpOf(found.command)
  const group = commands.filter(({ name }) => name.startsWith(`${names[0]} `))
  if (names.length > 0 && group.length === 0) throw new UsageError(unknown(commands, names))
  return listOfCommands(group.length > 0 ? group : commands)
}

/** The command whose name the words begin with. */
function find(commands: Command[], words: string[]): { command: Command; rest: string[] } | undefined {
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === words.slice(0, length).join(' '))
    if (command && words.length >= length) return { command, rest: words.slice(length) }
  }
  return undefined
}

function unknown(commands: Command[], [first = '', second]: string[]): string {
  if (first.startsWith('-')) return `There is no option ${first}; rookery help lists the commands.`
  const group = commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? name.split(' ')[1]! : []))
  if (group.length === 0) {
    const known = commands.map(({ name }) => name.split(' ')[0]!)
    const hint = suggestion(first, known) ?? 'rookery help lists those that there are.'
    return `There is no command ${first}; ${hint}`
  }
  const choice = `${group.slice(0, -1).join(', ')} or ${group.at(-1)}`
  if (!second || second.startsWith('-')) return `What of rookery ${first} is meant: ${choice}?`
  const hint = suggestion(second, group) ?? `there is ${first} ${choice}.`
  return `There is no command ${first} ${second}; ${hint}`
}

/** What went wrong, for the person at the terminal: one sentence if it was foreseen, with its trace if it was not. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Connecting to a name with several addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.length > 0) return reason(error.errors[0])
  const isForeseen =
    error.constructor === Error || [ApiError, ConfigError, UsageError].some((kind) => error instanceof kind)
  return isForeseen || 'code' in error ? error.message : (error.stack ?? error.message)
}
