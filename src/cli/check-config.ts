import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { configFaults, type Setting, settings, shownValue } from '../config/config.ts'
import { secretNames } from '../config/settings-file.ts'
import type { SettingSources } from '../config/sources.ts'
import { cliCommand } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { say, textTable } from './output.ts'

export const checkConfig = cliCommand('check-config', {
  summary: 'check the settings that the server would start with, and say where each comes from',
  details: `Reads the environment and the file of settings as serve does, and changes nothing. It names every fault, not only the
first. Values of secret settings are not shown. Whether the services that they name can be reached, rookery doctor says.`,
  isServer: true,
  async judge(sources) {
    const given = Object.values<Setting>(settings).filter(({ name }) => sources.environment[name])
    const found = given.map((setting) => ({
      name: setting.name,
      value: shownValue(setting, sources.environment[setting.name] ?? ''),
      from: sources.origins.get(setting.name) ?? '',
    }))
    const rows = found.map(({ name, value, from }) => [name, value, from])
    if (rows.length > 0) say(textTable(['setting', 'value', 'from'], rows))
    else say('No setting is given: all have their defaults.')
    const warnings = await openFiles(sources)
    const faults = configFaults(sources.environment)
    for (const warning of warnings) say(`warn  ${warning}`)
    for (const fault of faults) say(`FAIL  ${fault}`)
    const data = { settings: found, warnings, faults }
    if (faults.length === 0) return { text: 'The server would start with these settings.', data }
    const problem = `The server would not start: ${countOf(faults)}.`
    return { text: '', data, problem, exitCode: exitCodes.failed }
  },
})

function countOf({ length }: unknown[]): string {
  return length === 1 ? '1 setting is wrong' : `${length} settings are wrong`
}

/** Finds files of settings that hold a secret and that every user of the machine may read. */
async function openFiles({ origins, unread }: SettingSources): Promise<string[]> {
  const places = new Set(secretNames.map((name) => unread[`${name}_FILE`] ?? origins.get(name) ?? ''))
  const found = await Promise.all(
    [...places].map(async (file) => {
      if (!(await isOpenToAll(file))) return []
      return [`${file} holds a secret, and every user of this machine may read it: chmod 640 ${file}.`]
    }),
  )
  return found.flat()
}

/**
 * Whether every user of the machine may read a file. Docker Compose mounts secrets with the permissions that they have outside, where a
 * directory keeps other users away; a container has no others.
 */
async function isOpenToAll(file: string): Promise<boolean> {
  const directory = dirname(file)
  if (directory === '/run/secrets') return false
  const modeOf = async (path: string) => (await stat(path).catch(() => undefined))?.mode ?? 0
  return ((await modeOf(file)) & 0o004) !== 0 && ((await modeOf(directory)) & 0o001) !== 0
}
