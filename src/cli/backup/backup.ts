import { relative, resolve } from 'node:path'
import { cliCommand, UsageError } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import type { BackupManifest } from './manifest.ts'
import type { PutSettings } from './settings.ts'

// The code for backups is loaded when it is used, so that other commands start without it.

const take = cliCommand('backup', {
  summary: 'back up the whole server: all organizations, files and settings',
  arguments: ['DIR'],
  options: {
    full: { help: 'copy the database whole, also if what came since the last backup would do' },
    'full-after': { value: 'DAYS', help: 'copy it whole when the last whole copy is so old (default 7)' },
    keep: {
      value: 'NUMBER',
      help: 'remove older backups: only this number of whole copies stays, with what builds on them',
    },
    secrets: {
      value: 'FILE',
      help: 'write the secret of the server and secret settings there: keep it elsewhere',
    },
  },
  details: `The server may run meanwhile. The first backup in DIR copies everything; later ones copy what came since: files that are
new, and of the bundled database what PostgreSQL has logged. A restore can stop at any moment between them. A database
elsewhere is dumped whole by pg_dump.`,
  async run(config, { DIR: folder }, options, { environment }) {
    const begun = performance.now()
    const fullAfterDays = count(options['full-after'] ?? '7', '--full-after')
    const keep = options.keep === undefined ? undefined : count(options.keep, '--keep')
    checkIsApart(options.secrets, folder)
    const { checkSecretsFile, writeSecrets } = await import('./settings.ts')
    if (options.secrets !== undefined) await checkSecretsFile(options.secrets)
    const { takeBackup } = await import('./take.ts')
    const { manifest, files, removed } = await takeBackup({
      config,
      environment,
      folder,
      full: options.full,
      fullAfterDays,
      keep,
    })
    const { placesIn } = await import('./manifest.ts')
    const { sizeOf } = await import('./copy-database.ts')
    const databaseBytes = await sizeOf(placesIn(folder), manifest)
    if (options.secrets !== undefined) await writeSecrets(config, environment, options.secrets)
    const lines = [
      `The ${manifest.kind} backup ${manifest.id} was written to ${folder}. It holds everything until ${manifest.moment}.`,
      `database ${textOfSize(databaseBytes)}, ${files.list.size} files of ${textOfSize(files.totalBytes)}, ${textOfSize(files.newBytes)} of them new; in ${seconds(begun)}.`,
      ...(removed > 0 ? [`${removed} older backups were removed.`] : []),
    ]
    const { list, totalBytes, newBytes } = files
    const data = {
      backup: aboutOf(manifest),
      directory: folder,
      database_bytes: databaseBytes,
      files: { count: list.size, bytes: totalBytes, new_bytes: newBytes },
      removed,
    }
    return { text: lines.join('\n'), data }
  },
})

const chosen = {
  backup: { value: 'ID', help: 'this one, not the newest' },
  time: { value: 'TIME', help: 'up to this time, such as 2026-03-31T14:30:00Z' },
} as const

const verify = cliCommand('backup verify', {
  summary: 'restore a backup elsewhere, and compare it with what was backed up',
  arguments: ['DIR'],
  options: {
    ...chosen,
    at: { value: 'DIRECTORY', help: 'where there is room for the database (default: the temporary files)' },
  },
  details: `Reads all parts of the backup and compares their checksums, starts its database in a directory of its own, reads it in full,
and looks whether it has all that was acknowledged and every file that it names. Changes neither server nor backup.`,
  async run(config, { DIR: folder }, { backup, time, at }) {
    const begun = performance.now()
    const { verifyBackup } = await import('./verify.ts')
    const { manifest, faults, rows } = await verifyBackup({ config, folder, choice: { backup, time }, at })
    const data = { backup: aboutOf(manifest), faults, rows }
    if (faults.length > 0) {
      const problem = `The backup ${manifest.id} cannot be relied on.`
      return {
        text: faults.map((fault) => `FAIL  ${fault}`).join('\n'),
        data,
        problem,
        exitCode: exitCodes.failed,
      }
    }
    const text = `The backup ${manifest.id} of ${manifest.moment} can be restored: ${rows.realm} organizations, ${rows.account} accounts,
${rows.message} messages, ${manifest.files.count} files of ${textOfSize(manifest.files.total_bytes)}; in ${seconds(begun)}.`
    return { text, data }
  },
})

const restore = cliCommand('restore', {
  summary: 'put a backup into an empty data directory',
  arguments: ['DIR'],
  options: { ...chosen, secrets: { value: 'FILE', help: 'what backup --secrets has written' } },
  details: `Choose the data directory with --data. If the backup is of a database elsewhere, DATABASE_URL names a new one, or none: then it
becomes the bundled one. Settings go into rookery.env of the data directory unless that file exists. Clients register again,
as what came after the backup is lost. Start the server afterwards; of two copies of a server, let only one run.`,
  async run(config, { DIR: folder }, { backup, time, secrets }) {
    const begun = performance.now()
    const { restoreBackup } = await import('./restore.ts')
    const done = await restoreBackup({ config, folder, choice: { backup, time }, secrets })
    const { manifest, until, settings } = done
    const { dataDirectory } = config
    const moment = until ?? manifest.moment
    const lines = [`${dataDirectory} has the server as it was at ${moment}; in ${seconds(begun)}.`]
    lines.push(...settingsLines(settings, `${dataDirectory}/rookery.env`))
    if (config.databaseUrl !== undefined) {
      lines.push('Its database is the one of DATABASE_URL: the server needs this setting, too.')
    }
    if (secrets === undefined) {
      lines.push('Its secret and secret settings were not given: put them back before you start it.')
    }
    return {
      text: lines.join('\n'),
      data: {
        backup: aboutOf(manifest),
        data_directory: dataDirectory,
        moment,
        settings_not_written: [...settings.unwritten, ...settings.ofBucket],
      },
    }
  },
})

export const backupCommands = [take, verify, restore]

function settingsLines({ isWritten, unwritten, ofBucket }: PutSettings, file: string): string[] {
  return [
    ...(isWritten ? [`Its settings are in ${file}.`] : []),
    ...(unwritten.length > 0
      ? [
          `${file} existed already, and stays as it is. It does not have these from the backup: ${unwritten.join(', ')}.`,
        ]
      : []),
    ...(ofBucket.length > 0
      ? [`The files are in the data directory, so these settings were left out: ${ofBucket.join(', ')}.`]
      : []),
  ]
}

/** A stolen backup must not contain the secrets. */
function checkIsApart(secrets: string | undefined, folder: string) {
  if (secrets === undefined || relative(resolve(folder), resolve(secrets)).startsWith('..')) return
  throw new UsageError('--secrets names a file in the directory of the backups: keep it elsewhere.')
}

function aboutOf({ id, kind, moment, finished_at, made_by }: BackupManifest) {
  return { id, kind, moment, finished_at, made_by }
}

function count(text: string, option: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new UsageError(`${option} is ${text}, but must be a whole number from 1.`)
}

function textOfSize(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024
  return mebibytes < 1024 ? `${mebibytes.toFixed(1)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`
}

function seconds(begun: number): string {
  return `${((performance.now() - begun) / 1000).toFixed(1)} s`
}
