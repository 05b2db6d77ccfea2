import { buffer } from 'node:stream/consumers'
import type { FileStore } from '../../adapters/files/file-store.ts'
import type { Change } from '../../log/change.ts'
import { addAvatar } from '../add-avatar.ts'
import type { SlackAccounts } from './slack-accounts.ts'
import type { FetchedFiles } from './slack-files.ts'

/** Gives people the pictures that they have at Slack, as far as they were fetched. Returns how many. */
export async function addAvatars(
  change: Change,
  accounts: SlackAccounts,
  fetched: FetchedFiles,
  store: FileStore,
): Promise<number> {
  let count = 0
  for (const [slackId, content] of fetched) {
    const user = accounts.get(slackId)
    if (user && (await addAvatar(change, store, user.id, { bytes: () => buffer(content.read()) }))) count += 1
  }
  return count
}
