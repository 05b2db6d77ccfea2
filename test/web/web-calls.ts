import { repository } from '../runner/source.ts'

const methods = {
  get: 'GET',
  post: 'POST',
  postOnce: 'POST',
  patch: 'PATCH',
  put: 'PUT',
  remove: 'DELETE',
  sendFile: 'POST',
} as const

const call = /\b(get|post|postOnce|patch|put|remove|sendFile)(?:<[^()]*>)?\(\s*([`'])(\/(?:(?!\2).)*)\2/g

/** An operation of the browser's session that has a path of its own. */
const inBrowser: Record<string, string> = { 'POST /fetch_api_key': 'POST /json/fetch_api_key' }

/**
 * The requests that the sources of the web client name, as "METHOD /path" with {} for each variable part: those whose path
 * is written where the request is made.
 */
export function webCalls(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { path, text } of repository()) {
    if (!/^web\/(?!worker).*\.tsx?$/.test(path)) continue
    for (const [, name = '', , address = ''] of text.matchAll(call)) {
      const key = `${methods[name as keyof typeof methods]} ${address.replace(/\$\{[^}]*\}+/g, '{}').replace(/\?.*/, '')}`
      found.set(inBrowser[key] ?? key, [...(found.get(inBrowser[key] ?? key) ?? []), path])
    }
  }
  return found
}

/** The path of an operation with {} for each variable part. */
export function operationKey(method: string, path: string): string {
  return `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`
}
