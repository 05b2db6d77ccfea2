import { audit } from './audit.ts'
import { backupCommands } from './backup.ts'
import { channelCommands } from './channel.ts'
import { checkConfig } from './check-config.ts'
import { cliCommand } from './command.ts'
import { completion } from './completion.ts'
import { doctor } from './doctor/doctor.ts'
import { exportCommands } from './export.ts'
import { settingsHelp } from './help.ts'
import { importSlackCommand } from './import-slack.ts'
import { importZulipCommand } from './import-zulip.ts'
import { keyCommands } from './key.ts'
import { mailCommands } from './mail.ts'
import { migrateCommand } from './migrate.ts'
import { realmCommands } from './realm.ts'
import { realmLifeCommands } from './realm-life.ts'
import { realmMove } from './realm-move.ts'
import { restored } from './restored.ts'
import { settingsCommands } from './settings.ts'
import { fileCommands } from './stored-files.ts'
import { userCommands } from './user.ts'
import { importPeople } from './user-import.ts'
import { userStateCommands } from './user-state.ts'
import { numberOfWorker } from './workers/assignment.ts'

const serve = cliCommand('serve', {
  summary: 'run the server',
  details: settingsHelp,
  isServer: true,
  options: {
    workers: { value: 'N', help: 'in place of ROOKERY_WORKERS: how many processes serve, or auto' },
  },
  // Only this command loads the whole server.
  async run(config, _args, _options, sources) {
    const worker = numberOfWorker()
    if (worker !== undefined) return (await import('./workers/worker.ts')).serveAsWorker(config, worker)
    if (config.workers > 1) return (await import('./workers/primary.ts')).serveByWorkers(config, sources)
    return (await import('./serve/serve.ts')).serve(config, sources)
  },
})

/** The commands of `rookery`. */
export const commands = [
  serve,
  ...realmCommands,
  ...realmLifeCommands,
  realmMove,
  ...userCommands,
  ...userStateCommands,
  importPeople,
  ...channelCommands,
  ...settingsCommands,
  ...keyCommands,
  ...mailCommands,
  ...exportCommands,
  importSlackCommand,
  importZulipCommand,
  ...backupCommands,
  restored,
  ...fileCommands,
  audit,
  doctor,
  completion,
  checkConfig,
  migrateCommand,
]
