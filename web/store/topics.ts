import { get } from '../api/client.ts'

/** The topics of channels, as far as they were asked for; short-lived, since messages change them. */
const cache = new Map<number, { at: number; names: Promise<string[]> }>()
const keptFor = 60_000

/** Returns the names of the topics of a channel, the newest first. */
export function topicsOf(channelId: number): Promise<string[]> {
  const found = cache.get(channelId)
  if (found && Date.now() - found.at < keptFor) return found.names
  const names = get<{ topics: { name: string }[] }>(`/users/me/${channelId}/topics`, {
    allow_empty_topic_name: true,
  }).then(
    ({ topics }) => topics.map(({ name }) => name),
    () => {
      cache.delete(channelId)
      return []
    },
  )
  cache.set(channelId, { at: Date.now(), names })
  return names
}
