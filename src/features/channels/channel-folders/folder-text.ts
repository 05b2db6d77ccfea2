import type { CallerContext } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { lower } from '../../../lib/text/lower.ts'
import { firstUnprintable, printableName } from '../../../lib/text/unprintable.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelDescription } from '../../kernel/channels/names.ts'
import { renderedDescription } from '../kernel/channels/description.ts'
import { folderLimits } from './limits.ts'

/** The name of a folder. folderName checks it. */
export const folderNameParam = () =>
  text({ max: folderLimits.channelFolderNameLength }).documentedAs(printableName)

/** Returns the name of a folder as it is stored, trimmed. Throws if it is invalid. */
export function folderName(sent: string): string {
  const name = sent.trim()
  if (name === '') throw badRequest("Channel folder name can't be empty.")
  const bad = firstUnprintable(name)
  if (bad) throw badRequest(`Invalid character in channel folder name, at position ${bad}.`)
  return name
}

/** Throws if a folder other than the one with `ownId` has this name, ignoring case. */
export function checkFolderNameIsFree(realm: RealmState, name: string, ownId?: number) {
  const namesake = realm.channelFolderByName(lower(name))
  if (namesake && namesake.id !== ownId) throw badRequest(`Channel folder '${name}' already exists`)
}

/** Returns a description as it is stored: one line, like a channel's description. */
export function folderDescription(writer: CallerContext, sent: string) {
  const description = channelDescription(sent)
  return { description, rendered_description: renderedDescription(writer, description) }
}
