import type { Audience } from '../../log/entry.ts'

/**
 * Those who may have any of these messages: whoever received the oldest or the newest of them, or is subscribed now.
 * The events themselves know who may know of which.
 */
export function audienceOfAll(
  recipient: number,
  ids: number[],
  next: number,
): Required<Pick<Audience, 'subscribed'>> {
  const moments = [...new Set([ids[0]!, ids.at(-1)!, next])]
  return { subscribed: moments.map((id) => ({ recipient, at: [id] })) }
}
