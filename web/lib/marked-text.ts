import { plainText } from './plain-text.ts'

const mark = /<span class="highlight">(.*?)<\/span>/gs

/** The parts of a text in which the server has marked the words of a search; the text is HTML without other elements. */
export function markedParts(html: string): { text: string; isMarked: boolean }[] {
  return html
    .split(mark)
    .map((part, index) => ({ text: unescaped(part), isMarked: index % 2 === 1 }))
    .filter(({ text }) => text !== '')
}

/** Spaces at the ends belong to the text. */
function unescaped(html: string) {
  const [, before = '', , after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(html) ?? []
  const text = plainText(html)
  return text === '' ? before : before + text + after
}
