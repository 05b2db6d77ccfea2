/** What does not notify: blocks of code and of quotes, code in a line, and quoted lines. */
const silent =
  /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1`*~*[ ]*$|(?![\s\S]))|(?<!`)(`+)(?!`)[^`\n]*\2|^ {0,3}>.*$/gm

/** Returns the names of the users whom a text mentions aloud, as they are written: each once, and some with an id. */
export function mentionedIn(text: string): string[] {
  if (!text.includes('@**')) return []
  const found = text.replace(silent, ' ').matchAll(/(?<![^\s'"([{/<])@\*\*([^*\n]+)\*\*/g)
  return [...new Set(Array.from(found, ([, name = '']) => name))]
}
