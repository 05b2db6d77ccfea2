import { z } from 'zod'
import { jsonIn } from '../../../lib/json.ts'

/** The format of archives; docs/export-format.md describes it. The version rises when readers must change. */
export const formatName = 'rookery-export'
export const formatVersion = 1

const tableSchema = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
  bytes: z.int(),
  highest: z.record(z.string(), z.int()),
})

const manifestSchema = z.object({
  format: z.literal(formatName),
  format_version: z.literal(formatVersion),
  scope: z.enum(['full', 'public', 'consent', 'person']),
  user_id: z.int().optional(),
  made_at: z.int(),
  made_by: z.string(),
  schema: z.array(z.string()),
  organization: z.object({
    id: z.int().positive(),
    uuid: z.string(),
    subdomain: z.string(),
    name: z.string(),
  }),
  last_message_id: z.int(),
  tables: z.array(tableSchema),
})

/** The first file of an archive. */
export type Manifest = z.infer<typeof manifestSchema>

/** The last file, which proves that the archive is complete: the number of files from the store, and their bytes. */
export type End = { files: number; bytes: number }

export const manifestFile = 'manifest.json'
export const endFile = 'end.json'

/** Returns the name of a table's file. */
export function tableEntry(table: string): string {
  return `tables/${table}.ndjson`
}

/** Returns the archive name of a file in the store, without the organization's id. */
export function fileEntry(path: string): string {
  return `files/${path.slice(path.indexOf('/') + 1)}`
}

/** Returns the path in the store for such a name; undefined if the name is not one. */
export function pathOfEntry(name: string, realmId: number): string | undefined {
  const [top, ...rest] = name.split('/')
  const isPlain = rest.length > 0 && rest.every((part) => /^[\w-][\w.-]*$/.test(part))
  return top === 'files' && isPlain ? `${realmId}/${rest.join('/')}` : undefined
}

/** Returns the manifest. Throws an error of one sentence if this version cannot read it. */
export function readManifest(text: string): Manifest {
  const given = jsonIn(text)
  const version = z.object({ format: z.literal(formatName), format_version: z.int() }).safeParse(given)
  if (!version.success) throw new Error('This is no export of Rookery: its manifest does not say so.')
  if (version.data.format_version !== formatVersion) {
    throw new Error(
      `This export has the format ${version.data.format_version}; this version of Rookery reads ${formatVersion}.`,
    )
  }
  const result = manifestSchema.safeParse(given)
  if (result.success) return result.data
  throw new Error(`The manifest of this export is damaged: ${z.prettifyError(result.error).split('\n')[0]}`)
}
