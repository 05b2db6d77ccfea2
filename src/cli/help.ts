import { type Setting, settings } from '../lib/config.ts'
import type { Command } from './command.ts'

/** All commands, or those of a group, one line each. */
export function listOfCommands(commands: Command[]): string {
  const rows = [
    ...commands.map((command) => [callOf(command), command.summary] as const),
    ['help [COMMAND]', 'tell what a command takes; so does COMMAND --help'] as const,
    ['--version', 'tell which version this is, and of which commit'] as const,
  ]
  return `Usage: rookery COMMAND

${columns(rows)}

The commands take their settings from the environment, and from the data directory those that the server was last
started with; rookery serve --help lists them.
`
}

/** What one command does and takes. */
export function helpOf(command: Command): string {
  const options = Object.entries(command.options)
  const rows = options.map(
    ([name, { value, help }]) => [`--${name}${value ? ` ${value}` : ''}`, help] as const,
  )
  const parts = [
    `Usage: rookery ${callOf(command)}${options.length > 0 ? ' [OPTION …]' : ''}`,
    `${capitalised(command.summary)}.`,
    columns(rows),
    command.details().trim(),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/** The settings, as the help of the server shows them. */
export function settingsHelp(): string {
  const rows = Object.values<Setting>(settings).map((setting) => {
    const fallback = setting.default ?? setting.otherwise?.replaceAll('`', '')
    return [setting.name, `${setting.summary.replaceAll('`', '')} (${fallback})`] as const
  })
  return `Settings, from the environment (what holds without them):\n\n${columns(rows)}`
}

/** As it is called: its name and arguments. */
function callOf({ name, arguments: args }: Command) {
  return [name, ...args.map((arg) => (arg.endsWith('?') ? `[${arg.slice(0, -1)}]` : arg))].join(' ')
}

/** Two columns, the first as wide as it must be. */
function columns(rows: (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n')
}

function capitalised(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
