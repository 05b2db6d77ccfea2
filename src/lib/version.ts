import { readFileSync } from 'node:fs'

/** The level of the API that this server speaks; clients decide by it what they may use. */
export const featureLevel = 407

/** Rookery's version, and the commit that it was built from if that is known. */
const build = { ...fromJson('../../package.json'), ...fromJson('../build.json') }

/** For people. */
export const productVersion = `${build.version}${build.commit ? ` (commit ${build.commit})` : ''}`

/** What clients show as the server's version: first that of the API as they know it, then ours. */
export const zulipVersion = `11.0-rookery-${build.version}${build.commit ? `-g${build.commit}` : ''}`

/** The version of another server that this one would be based on: none. */
export const mergeBase = ''

/** Reads a file beside this one; empty where there is none, as for build.json where sources run unbuilt. */
function fromJson(path: string): { version?: string; commit?: string } {
  try {
    const { version, commit } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
    return { ...(version && { version }), ...(commit && { commit }) }
  } catch {
    return {}
  }
}
