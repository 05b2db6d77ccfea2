import { createHash } from 'node:crypto'
import { allEndpoints } from '../../src/features/index.ts'
import type { Sent } from '../http.ts'
import type { Organization } from '../organization.ts'
import type { Caller, Person } from '../person.ts'

/** A text, or an email address, that the user must not see. Avatars may reveal an address by its hash. */
type Secret = string

/** Texts that users have written, or the server in their place, may name anyone. */
const writings = ['content', 'rendered_content', 'prev_content', 'prev_rendered_content', 'orig_content']

/** Returns the paths in a response or event where any of the secrets stands, in any case: keys and values alike. */
export function leaksIn(found: unknown, secrets: Secret[]): string[] {
  const hidden = secrets.flatMap((secret) => [secret.toLowerCase(), md5(secret.toLowerCase())])
  const places: string[] = []
  const note = (text: string, path: string) => {
    if (hidden.some((secret) => text.toLowerCase().includes(secret))) places.push(`${path}: ${text}`)
  }
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'string') note(value, path)
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) note(key, `${path} (key)`)
      if (!writings.includes(key)) walk(inner, `${path}.${key}`)
    }
  }
  walk(found, '')
  return places
}

function md5(text: string) {
  return createHash('md5').update(text).digest('hex')
}

/** Queries that are not about users, or that wait. */
const otherQueries = ['/events', '/openapi.json', '/calls/bigbluebutton/create']

/** All queries that need no parameters, by path. */
const plainQueries = allEndpoints
  .filter(({ method, path, root }) => method === 'GET' && !root && !path.includes('{'))
  .map(({ path }) => path)
  .filter((path) => !otherQueries.includes(path))

/** The objects to query: people, channels, messages and groups, by their ids. */
export type Topics = { people: Person[]; channels: number[]; messages: number[]; groups: number[] }

/**
 * Fetches everything that the caller can: all queries without parameters, and all queries about each of the topics.
 * Returns responses by path, without refusals.
 */
export async function fetchAll(org: Organization, who: Caller, topics: Topics): Promise<[string, unknown][]> {
  const paths = [
    ...plainQueries,
    ...topics.people.flatMap(({ id }) => [
      `/users/${id}`,
      `/users/user${id}@${org.place.host}`,
      `/users/${id}/presence`,
      `/users/user${id}@${org.place.host}/presence`,
      `/users/${id}/status`,
    ]),
    ...topics.channels.flatMap((id) => [
      `/streams/${id}`,
      `/streams/${id}/members`,
      `/users/me/${id}/topics`,
    ]),
    ...topics.messages.flatMap((id) =>
      ['', '/history', '/read_receipts', '/reactions'].map((part) => `/messages/${id}${part}`),
    ),
    ...topics.groups.map((id) => `/user_groups/${id}/members`),
  ]
  const answers: [string, unknown][] = []
  for (const path of paths) {
    for (const params of paramsFor(path)) {
      const { status, body } = await who.get(path, params)
      if (status === 200) answers.push([`GET ${path} ${JSON.stringify(params)}`, body])
    }
  }
  for (const params of registrations) {
    const { status, body } = await who.post('/register', params)
    if (status === 200) answers.push([`POST /register ${JSON.stringify(params)}`, body])
  }
  return answers
}

const gravatars = [true, false]

function paramsFor(path: string): Sent[] {
  if (path === '/messages') {
    const page = { anchor: 'newest', num_before: 1000 }
    const webPublic = [{ operator: 'channels', operand: 'web-public' }]
    const narrows = [[], webPublic, [{ operator: 'channels', operand: 'public' }]]
    return narrows.flatMap((narrow) =>
      gravatars.map((client_gravatar) => ({
        ...page,
        narrow,
        client_gravatar,
        apply_markdown: client_gravatar,
      })),
    )
  }
  if (!path.startsWith('/users')) return [{}]
  return gravatars.map((client_gravatar) => ({ client_gravatar, include_custom_profile_fields: true }))
}

const registrations = [
  { client_gravatar: true, slim_presence: true, client_capabilities: { user_list_incomplete: true } },
  { client_gravatar: false, client_capabilities: { notification_settings_null: true } },
]
