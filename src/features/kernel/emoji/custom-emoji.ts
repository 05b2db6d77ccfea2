import { z } from 'zod'
import type { CustomEmojiRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { pictureUrl } from '../pictures/addresses.ts'

/** A custom emoji on the wire. `still_url` is a static picture of an animated emoji. */
export const customEmojiSchema = z.object({
  id: z.string(),
  name: z.string(),
  source_url: z.string(),
  still_url: z.string().nullable(),
  deactivated: z.boolean(),
  author_id: z.int().nullable(),
})

export type CustomEmojiView = z.infer<typeof customEmojiSchema>

/**
 * Returns all custom emoji of the organization by id. Deactivated ones are included, since old messages and reactions
 * use them.
 */
export function customEmojiOf(realm: RealmState): Record<string, CustomEmojiView> {
  const views: Record<string, CustomEmojiView> = {}
  for (const row of realm.customEmoji.values()) views[row.id] = view(row)
  return views
}

/** Returns the address of the picture of an active emoji. */
export function customEmojiPicture(realm: RealmState, name: string): string | undefined {
  const row = realm.customEmojiByName(name)
  return row && customEmojiAddress(row)
}

/** Returns the address of the picture of an emoji. */
export function customEmojiAddress({ realm_id, file }: CustomEmojiRow): string {
  return pictureUrl(realm_id, emojiFile(file))
}

/** The name of an emoji's file in the picture store. */
export function emojiFile(file: string): string {
  return `emoji/images/${file}`
}

export function emojiStillFile(file: string): string {
  return `emoji/images/still/${file}`
}

function view(row: CustomEmojiRow): CustomEmojiView {
  return {
    id: String(row.id),
    name: row.name,
    source_url: customEmojiAddress(row),
    still_url: row.still_file && pictureUrl(row.realm_id, emojiStillFile(row.still_file)),
    deactivated: row.is_deactivated,
    author_id: row.author_id,
  }
}
