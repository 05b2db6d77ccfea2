/** The characters around a placeholder. */
export const placeholderMarks = { open: '\u0002', close: '\u0003' } as const

/** A source without the characters that placeholders are made of. */
export function withoutPlaceholders(source: string): string {
  return source.replace(/[\u0002\u0003]/g, '')
}
