/** The character of an emoji, from its code points: 1f1e9-1f1ea. */
export function emojiOf(code: string): string {
  try {
    return String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)))
  } catch {
    return '�'
  }
}
