import { mainDatabase } from '../lib/main-database.ts'
import { type Kind, postgresUrl, splitPairs } from './setting-kinds.ts'

/** `NAME=URL; NAME=URL`, of databases besides the main one. */
export function databaseUrls(): Kind<ReadonlyMap<string, string>> {
  const url = postgresUrl()
  const isName = (text: string) => /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/.test(text) && text !== mainDatabase
  return {
    type: `pairs like \`NAME=postgresql://…; NAME=postgresql://…\`, the names of lower-case letters, digits and hyphens, and none of them \`${mainDatabase}\``,
    parse(text) {
      const pairs = splitPairs(text, (pair) => pair.indexOf('='))
      const read = new Map(pairs)
      const isGood = pairs.every(([name, value]) => isName(name) && url.parse(value) !== undefined)
      return isGood && pairs.length > 0 && read.size === pairs.length ? read : undefined
    },
  }
}
