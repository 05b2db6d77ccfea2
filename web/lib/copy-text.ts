/** Copies a text. Pages without https have no clipboard of their own, so there it is selected and copied. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  return (await import('./copy-selected.ts')).copySelected(text)
}
