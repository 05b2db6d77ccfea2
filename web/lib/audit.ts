// The words of the audit log: a kind of entry is what it is about and what happened, such as `user.deactivate`.

export const auditTopics = [
  'bot_service',
  'channel',
  'channel_folder',
  'default_channel_group',
  'domain',
  'emoji',
  'export',
  'group',
  'identity',
  'invitation',
  'key',
  'linkifier',
  'login',
  'message',
  'organization',
  'password',
  'playground',
  'profile',
  'profile_field',
  'session',
  'status',
  'user',
] as const

export const auditWords = [
  'add_members',
  'add_subgroups',
  'archive',
  'create',
  'deactivate',
  'delete',
  'end',
  'fail',
  'import',
  'move',
  'reactivate',
  'refuse',
  'remove_members',
  'remove_subgroups',
  'reopen',
  'restore',
  'set',
  'subscribe',
  'succeed',
  'unsubscribe',
  'update',
  'write',
] as const

export type AuditEntry = {
  id: number
  at: number
  kind: string
  object: string
  object_id: number | null
  object_name: string | null
  actor_id: number | null
  actor_name: string | null
  means: 'key' | 'session' | 'none' | 'command' | 'server'
  operation: string
  client: string | null
  ip: string | null
  os_user: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

type AuditChange = { name: string; before: string; after: string }

/** Returns the changed values, by their paths: a value may be within an object, such as the settings of the organization. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): AuditChange[] {
  const [old, now] = [flat(before ?? {}), flat(after ?? {})]
  const names = [...new Set([...old.keys(), ...now.keys()])]
  return names
    .map((name) => ({ name, before: old.get(name) ?? '', after: now.get(name) ?? '' }))
    .filter((one) => one.before !== one.after)
}

function flat(values: Record<string, unknown>, prefix = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      for (const [path, inside] of flat(value as Record<string, unknown>, `${prefix}${name}.`))
        found.set(path, inside)
    else found.set(prefix + name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return found
}

const columns = [
  ...(['id', 'at', 'kind', 'object', 'object_id', 'object_name', 'actor_id', 'actor_name', 'means'] as const),
  ...(['operation', 'client', 'ip', 'os_user', 'before', 'after'] as const),
]

/** Entries as lines of a table for other programs. A text that a spreadsheet would take for a formula begins with an apostrophe. */
function csvLines(entries: AuditEntry[]): string {
  const cell = (value: unknown) => {
    const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
    const safe = /^[=+\-@\t\r]/.test(text) && typeof value === 'string' ? `'${text}` : text
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  return entries.map((entry) => `${columns.map((name) => cell(entry[name])).join(',')}\r\n`).join('')
}

/** A page of the log, the newest entries first. `next_cursor`: where the next page begins; null after the last one. */
export type AuditPage = { entries: AuditEntry[]; next_cursor: string | null }

/**
 * Reads the log page by page into a table for other programs, in parts. It stops with the page that brings it to `most`
 * entries: `isWhole` tells whether that was the last page.
 */
export async function auditTable(read: (cursor?: string) => Promise<AuditPage>, most: number) {
  const parts = [`${columns.join(',')}\r\n`]
  let count = 0
  let cursor: string | null | undefined
  do {
    const page = await read(cursor ?? undefined)
    parts.push(csvLines(page.entries))
    count += page.entries.length
    cursor = page.next_cursor
  } while (cursor !== null && count < most)
  return { parts, count, isWhole: cursor === null }
}
