import { firstIn } from '../../../../lib/must.ts'
import { withoutUnprintable } from '../../../../lib/text/unprintable.ts'
import { fenced } from '../../../../markdown/blocks/fences.ts'
import { incomingLimits } from './limits.ts'

// External text must look as its author wrote it and have no effect here: no mentions, no formatting.

/** Escapes external text as part of a line. */
export function plain(text: string): string {
  return oneLine(text).replace(/[*`~[$<&]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Links external text to an address. Returns only the text if the address is not a web address. */
export function markdownLink(text: string, address: string | undefined): string {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return plain(text)
  return `[${inLink(text)}](${url.href.replaceAll('(', '%28').replaceAll(')', '%29')})`
}

/** Quotes external text of any length. Mentions in quotations are silent. */
export function markdownQuote(text: string): string {
  return fenced('quote', text.trim())
}

/** Returns the first line of a text, truncated if it is too long. */
export function firstLine(text: string): string {
  return oneLine(firstIn(text.trim().split('\n')))
}

/** Returns a line with a quotation below it, if there is one. The line gets its final punctuation here. */
export function withBody(line: string, body: string | undefined): string {
  return body?.trim() ? `${line}:\n\n${markdownQuote(body)}` : `${line}.`
}

/** Removes characters from a text that a topic may not contain. */
export function topic(text: string): string {
  return withoutUnprintable(text).trim()
}

// Entities have no effect in the text of a link, so special characters are separated from the characters that would
// make them work.
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
  if (characters.length <= incomingLimits.webhookTitleLength) return line
  return `${characters.slice(0, incomingLimits.webhookTitleLength - 1).join('')}…`
}
