import { buffer } from 'node:stream/consumers'
import type { FileStore } from '../../adapters/files/file-store.ts'
import { pictureCaller } from '../../features/organization/kernel/pictures/drawing-turns.ts'
import { picturePath } from '../../features/organization/kernel/pictures/store.ts'
import { drawAvatar } from '../../features/people/avatars/avatars.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Change } from '../../log/change.ts'
import type { SlackAccounts } from './slack-accounts.ts'
import type { FetchedFiles } from './slack-files.ts'

/** Gives people the pictures that they have at Slack, as far as they were fetched. Returns how many. */
export async function addAvatars(
  change: Change,
  accounts: SlackAccounts,
  fetched: FetchedFiles,
  store: FileStore,
): Promise<number> {
  const { id: realmId } = change.state
  let count = 0
  for (const [slackId, content] of fetched) {
    const user = accounts.get(slackId)
    if (!user) continue
    const drawer = { caller: pictureCaller(realmId, user.id), gone: new AbortController().signal }
    const drawn = await drawAvatar(drawer, { bytes: () => buffer(content.read()) }).catch(unlessNoPicture)
    if (!drawn) continue
    for (const [name, picture] of Object.entries(drawn.pictures)) {
      await store.put(picturePath(realmId, name), picture)
    }
    await change.update('account', { id: user.id, avatar_file: drawn.file, avatar_source: 'U' })
    count += 1
  }
  return count
}

/** A page or a broken file may come in place of a picture. */
function unlessNoPicture(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}
