#!/usr/bin/env node
import { command } from './cli/command.ts'
import { doctor } from './cli/doctor.ts'
import { settingsHelp } from './cli/help.ts'
import { keyCommands } from './cli/key.ts'
import { realmCommands } from './cli/realm.ts'
import { run } from './cli/run.ts'
import { userCommands } from './cli/user.ts'

const serve = command('serve', {
  summary: 'run the server',
  details: settingsHelp,
  // Of all commands, only this one needs the whole server.
  run: async (config) => (await import('./cli/serve.ts')).serve(config),
})

/** The commands of `rookery`. */
const commands = [serve, ...realmCommands, ...userCommands, ...keyCommands, doctor]

const words = process.argv.slice(2)
process.exitCode = await run(commands, words.length > 0 ? words : ['serve'], process.env)
