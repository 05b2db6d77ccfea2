const before = new Set(' \n(".,\';[*`>')
const after = new Set(' \n)",?:.\';]!*`')

type Words = ReadonlyMap<number, readonly string[]>

/** Users of whose words one stands in the text by itself, in whatever case. */
export function alertedUsers(text: string, words: Words | undefined): number[] {
  if (!words || words.size === 0) return []
  const lower = text.toLowerCase()
  const alerted = new Set<number>()
  for (const [word, users] of usersByWord(words)) {
    if (standsIn(lower, word)) for (const user of users) alerted.add(user)
  }
  return [...alerted]
}

const known = new WeakMap<Words, ReadonlyMap<string, number[]>>()

/** Turned over once for each map, which therefore must not change. */
function usersByWord(words: Words): ReadonlyMap<string, number[]> {
  const made = known.get(words)
  if (made) return made
  const result = new Map<string, number[]>()
  for (const [user, own] of words) {
    for (const word of own) {
      const key = word.toLowerCase()
      const users = result.get(key)
      if (key !== '') users ? users.push(user) : result.set(key, [user])
    }
  }
  known.set(words, result)
  return result
}

function standsIn(text: string, word: string): boolean {
  for (let start = text.indexOf(word); start >= 0; start = text.indexOf(word, start + 1)) {
    const end = start + word.length
    if ((start === 0 || before.has(text[start - 1]!)) && (end === text.length || after.has(text[end]!)))
      return true
  }
  return false
}
