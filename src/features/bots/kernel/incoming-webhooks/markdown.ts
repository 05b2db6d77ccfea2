import { limits } from '../../../../lib/limits.ts'
import { fenced } from '../../../../markdown/fences.ts'

// What comes from elsewhere is to look as it was written there, and to do nothing here: no mentions, no formatting.

/** A text of others as part of a line. */
export function plain(text: string): string {
  return oneLine(text).replace(/[*`~[$<&]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A text of others that leads to an address; if that is none of the web, the text alone. */
export function markdownLink(text: string, address: string | undefined): string {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return plain(text)
  return `[${inLink(text)}](${url.href.replaceAll('(', '%28').replaceAll(')', '%29')})`
}

/** A text of others, of any length, as a quotation: there, mentions are silent. */
export function markdownQuote(text: string): string {
  return fenced('quote', text.trim())
}

/** The first line of a text, cut if it is too long. */
export function firstLine(text: string): string {
  return oneLine(text.trim().split('\n')[0]!)
}

// The text of a link knows no entities, so what means something there is kept apart from what would make it work.
function inLink(text: string): string {
  return oneLine(text)
    .replace(/(`[^`]+`)|`/g, (_, code?: string) => code ?? "'")
    .replaceAll('[', '［')
    .replaceAll(']', '］')
    .replace(/([@#])(?=[_*])|\*(?=\*)|\$(?=\$)|<(?=time:)/g, '$&\u200b')
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length <= limits.webhookTitleLength) return line
  return `${characters.slice(0, limits.webhookTitleLength - 1).join('')}…`
}
