import { allUrls } from '../../db/databases.ts'
import { moveRealm } from '../../log/lifecycle/move-realm.ts'
import { cliCommand, UsageError } from '../command.ts'
import { withRealm } from '../context.ts'
import { joinDatabase } from '../database/database.ts'
import { remark } from '../output.ts'
import { checkIsDatabase } from './realm.ts'

export const realmMove = cliCommand('realm move', {
  summary: 'move an organization to another database, while people use it',
  arguments: ['NAME'],
  options: {
    to: { value: 'DATABASE', help: 'one of ROOKERY_DATABASES, or main, which is that of DATABASE_URL' },
  },
  details: `NAME is as in rookery realm list; - is the first one. Messages that are sent at the end of the move wait for a
moment. If the command is interrupted, the organization stays where it was: run it again. What it leaves in the database of before
is deleted an hour later.`,
  async run(config, { NAME: name }, { to }) {
    if (to === undefined) throw new UsageError('Where to? Give --to DATABASE.')
    const main = await joinDatabase(config, remark)
    const urls = allUrls({ ...config, databaseUrl: main.url })
    try {
      return await withRealm(config, name === '-' ? '' : name, async ({ state }, { clock }, realms) => {
        checkIsDatabase(realms, to)
        const { databases } = realms
        const { id, name } = state.row
        if ((await realms.places.of(id)).database === to)
          throw new Error(`${name} is in the database ${to} already.`)
        const announce = () => realms.announceMove(id)
        const mover = { urls, databases, actor: config.actor, clock, announce, report: remark }
        const milliseconds = Math.round(await moveRealm(mover, id, to))
        return {
          text: `${name} is in the database ${to} now. Writes waited for ${milliseconds} ms.`,
          data: { organization: { id, name }, database: to, pause_ms: milliseconds },
        }
      })
    } finally {
      await main.close()
    }
  },
})
