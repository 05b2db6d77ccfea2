import { audit } from './audit.ts'
import { backupCommands } from './backup/backup.ts'
import { channelCommands } from './channels/channel.ts'
import { checkConfig } from './check-config.ts'
import { cliCommand } from './command.ts'
import { completion } from './completion.ts'
import { migrateCommand } from './database/migrate.ts'
import { restored } from './database/restored.ts'
import { doctor } from './doctor/doctor.ts'
import { settingsHelp } from './help.ts'
import { mailCommands } from './mail.ts'
import { exportCommands } from './organizations/export.ts'
import { importSlackCommand } from './organizations/import-slack.ts'
import { importZulipCommand } from './organizations/import-zulip.ts'
import { realmCommands } from './organizations/realm.ts'
import { realmLifeCommands } from './organizations/realm-life.ts'
import { realmMove } from './organizations/realm-move.ts'
import { settingsCommands } from './organizations/settings.ts'
import { fileCommands } from './stored-files.ts'
import { keyCommands } from './users/key.ts'
import { userCommands } from './users/user.ts'
import { importPeople } from './users/user-import.ts'
import { userStateCommands } from './users/user-state.ts'
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
