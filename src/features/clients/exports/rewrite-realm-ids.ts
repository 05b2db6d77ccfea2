/**
 * Rewrites the rows of an organization whose id on this server differs from the original. All other ids stay. The
 * addresses of uploads and pictures contain the organization's id, in messages and in other texts of users. Addresses
 * with a host name are not changed: they still lead to the original server.
 */
export function rewriteRealmIds(table: string, rows: string[], from: number, to: number): string[] {
  // In JSON, a line break before an address is "\n", whose letter is not part of a host name.
  const address = new RegExp(
    `((?:(?<![\\w.:-])|(?<=\\\\[nrt]))/(?:user_uploads/(?:thumbnail/|download/)?|user_avatars/))${from}/`,
    'g',
  )
  const inText = rows.map((row) => row.replace(address, `$1${to}/`))
  if (table !== 'attachment') return inText
  return inText.map((row) => row.replace(`"path":"${from}/`, `"path":"${to}/`))
}
