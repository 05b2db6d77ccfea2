import { memoizePer } from '../lib/collections/memoize-per.ts'

const before = new Set(' \n(".,\';[*`>')
const after = new Set(' \n)",?:.\';]!*`')

type Words = ReadonlyMap<number, readonly string[]>

/** A word and its users, by its first characters. */
type Start = Map<string, { word: string; users: number[] }[]>

/** How many characters of a word are looked up: most words of a text match none. */
const startLength = 3

/** Returns the users one of whose alert words stands in the text as a whole word, in any case. */
export function alertedUsers(text: string, words: Words | undefined): number[] {
  if (!words || words.size === 0) return []
  const starts = wordsByStart(words)
  const lower = text.toLowerCase()
  const alerted = new Set<number>()
  for (let at = 0; at < lower.length; at++) {
    if (at > 0 && !before.has(lower.charAt(at - 1))) continue
    for (let length = 1; length <= startLength; length++) {
      for (const { word, users } of starts.get(lower.slice(at, at + length)) ?? []) {
        const end = at + word.length
        const isWord = lower.startsWith(word, at) && (end === lower.length || after.has(lower.charAt(end)))
        if (isWord) for (const user of users) alerted.add(user)
      }
    }
  }
  return [...alerted].sort((a, b) => a - b)
}

/** Inverted once for each map, which therefore must not change. */
const wordsByStart = memoizePer((words: Words): Start => {
  const users = new Map<string, number[]>()
  for (const [user, own] of words) {
    for (const word of new Set(own.map((one) => one.toLowerCase()))) {
      const others = users.get(word)
      if (word !== '') others ? others.push(user) : users.set(word, [user])
    }
  }
  const starts: Start = new Map()
  for (const [word, those] of users) {
    const start = word.slice(0, startLength)
    const others = starts.get(start)
    others ? others.push({ word, users: those }) : starts.set(start, [{ word, users: those }])
  }
  return starts
})
