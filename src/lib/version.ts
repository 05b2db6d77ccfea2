import { readFileSync } from 'node:fs'

/** The level of the API that this server speaks; clients decide by it what they may use. */
export const featureLevel = 407

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

/** The commit that the program was built from, set by the build; empty if it is not known. Sources that run unbuilt have none. */
declare const BUILT_FROM: string | undefined
const commit = typeof BUILT_FROM === 'string' ? BUILT_FROM : ''

/** For people. */
export const productVersion = `${version}${commit && ` (commit ${commit})`}`

/** The version that clients show: first that of the server whose API this is, then our own. */
export const zulipVersion = `11.0-rookery-${version}${commit && `-g${commit}`}`

/** The version of another server that this one would be based on: none. */
export const mergeBase = ''
