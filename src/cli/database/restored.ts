import { allUrls } from '../../db/databases.ts'
import { beginEpochs } from '../../db/epoch.ts'
import { cliCommand } from '../command.ts'
import { remark } from '../output.ts'
import { joinDatabase } from './database.ts'
import { withClient } from './with-client.ts'

export const restored = cliCommand('restored', {
  summary: 'let all clients register anew, after an older copy of the data was put back',
  details: `The server notices most restores by itself when it starts. It cannot notice that a whole machine, or the disk that its
data are on, was set back to a snapshot. Clients that have seen the lost events would miss as many of the next ones.`,
  async run(config) {
    const database = await joinDatabase(config, remark)
    try {
      for (const url of allUrls({ ...config, databaseUrl: database.url }).values()) {
        await withClient(url, beginEpochs)
      }
      return { text: 'All clients register anew.', data: {} }
    } finally {
      await database.close()
    }
  },
})
