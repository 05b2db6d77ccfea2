import { audit } from './audit.ts'
import { backupCommands } from './backup.ts'
import { channelCommands } from './channel.ts'
import { checkConfig } from './check-config.ts'
import { cliCommand } from './command.ts'
import { completion } from './completion.ts'
import { doctor } from './doctor.ts'
import { exportCommands } from './export.ts'
import { settingsHelp } from './help.ts'
import { keyCommands } from './key.ts'
import { mailCommands } from './mail.ts'
import { migrateCommand } from './migrate.ts'
import { realmCommands } from './realm.ts'
import { realmLifeCommands } from './realm-life.ts'
import { restored } from './restored.ts'
import { settingsCommands } from './settings.ts'
import { fileCommands } from './stored-files.ts'
import { userCommands } from './user.ts'
import { importPeople } from './user-import.ts'
import { userStateCommands } from './user-state.ts'

const serve = cliCommand('serve', {
  summary: 'run the server',
  details: settingsHelp,
  isServer: true,
  // Of all commands, only this one needs the whole server.
  run: async (config, _args, _options, sources) => (await import('./serve.ts')).serve(config, sources),
})

/** The commands of `rookery`. */
export const commands = [
  serve,
  ...realmCommands,
  ...realmLifeCommands,
  ...userCommands,
  ...userStateCommands,
  importPeople,
  ...channelCommands,
  ...settingsCommands,
  ...keyCommands,
  ...mailCommands,
  ...exportCommands,
  ...backupCommands,
  restored,
  ...fileCommands,
  audit,
  doctor,
  completion,
  checkConfig,
  migrateCommand,
]
