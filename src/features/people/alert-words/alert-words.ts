import { z } from 'zod'
import { list } from '../../../http/collections.ts'
import { json } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { Change } from '../../../log/change.ts'
import { derived } from '../../../log/derived.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { alertWordsChanged } from './alert_words.event.ts'
import { alertWordLimits } from './limits.ts'

/** Words to add or remove. */
export const wordsParam = () => json(list(z.string().max(alertWordLimits.alertWordLength)))

/** Words as they are stored, by a key that is the same for words that differ only in case. */
type WordsByKey = ReadonlyMap<string, string>

/** Returns the distinct words of a request. There may be very many, so this runs before the change. */
export function distinctWords(sent: string[]): WordsByKey {
  const words = new Map<string, string>()
  for (const word of sent.map((one) => one.trim())) {
    if (word !== '' && !words.has(keyOf(word))) words.set(keyOf(word), word)
  }
  return words
}

/** Returns a user's alert words, oldest first. */
export function alertWords(realm: RealmState, userId: number): string[] {
  return realm.alertWords.get(userId)?.words ?? []
}

type Words = ReadonlyMap<number, readonly string[]>

/** Returns all users' alert words for the renderer. The map stays the same object until a user changes theirs. */
export const alertWordsByUser = derived(
  (realm) => realm.alertWords.version,
  (realm): Words => new Map([...realm.alertWords.values()].map((row) => [row.user_id, row.words])),
)

/** Adds words that are not there yet. Returns all of the user's words. */
export function addWords(change: Change, userId: number, words: WordsByKey) {
  const known = alertWords(change.state, userId)
  const keys = new Set(known.map(keyOf))
  const added = [...words].filter(([key]) => !keys.has(key)).map(([, word]) => word)
  if (known.length + added.length > alertWordLimits.alertWordsPerUser)
    throw badRequest('You have too many alert words.')
  return setWords(change, userId, [...known, ...added])
}

/** Removes words. Returns the remaining ones. */
export function removeWords(change: Change, userId: number, words: WordsByKey) {
  const rest = alertWords(change.state, userId).filter((known) => !words.has(keyOf(known)))
  return setWords(change, userId, rest)
}

async function setWords(change: Change, userId: number, words: string[]) {
  const row = { user_id: userId, words }
  const isKnown = change.state.alertWords.get(userId) !== undefined
  await (isKnown ? change.update('alert_words', row) : change.insert('alert_words', row))
  change.emit(alertWordsChanged(words), { users: [userId] })
  return words
}

function keyOf(word: string) {
  return word.toLowerCase()
}
