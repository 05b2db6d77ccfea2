/**
 * Returns the parts of a path in a store. Throws for a path that leads out of its folder: the folders of a store belong to
 * different organizations, and names in them may come from an imported row.
 */
export function partsOfPath(path: string): string[] {
  const parts = path.split('/')
  if (parts.some((part) => /^\.{0,2}$/.test(part))) throw new Error(`${path} leads out of its folder`)
  return parts
}
