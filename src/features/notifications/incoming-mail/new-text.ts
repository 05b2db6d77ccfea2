/**
 * Returns the new text of a reply: without the earlier mail that mail programs repeat before or after it, and without
 * the signature. Quotes between the writer's own words stay.
 */
export function newText(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const end = lines.findIndex((line, at) => endsReply(line, lines.slice(at + 1, at + 5)))
  const own = end < 0 ? lines : lines.slice(0, rulesBefore(lines, end))
  return withoutFirstQuote(withoutLastQuote(own)).join('\n').trim()
}

const divider =
  /^[-_*]{2,}\s*(original message|forwarded message|reply message|urspr[üu]ngliche nachricht|weitergeleitete nachricht|message d'origine|mensaje original|messaggio originale|oorspronkelijk bericht)\s*[-_*]{2,}$/i
const first = /^\*?(from|von|de|da|van|från|fra)\*?\s*:\*? /i
const further =
  /^\*?(sent|date|to|subject|gesendet|datum|an|betreff|envoyé|objet|enviado|asunto|fecha|inviato|oggetto|verzonden|skickat|sendt)\*?\s*:\*? /i
const wrote = 'wrote|schrieb|écrit|escribió|scritto|schreef|skrev'
const wroteWord = new RegExp(`\\b(${wrote})\\b`, 'i')
const address = '[<(][^\\s<>()]{1,250}@[^\\s<>()]{1,250}[>)]'
const says = new RegExp(
  `${address} (a |ha )?(${wrote}) ?(:|-{2,})$|\\b(${wrote})\\b.{1,300} ${address}:$`,
  'i',
)
const fromDevice =
  /^(sent from my |get outlook for |sent with proton mail|von meinem .{1,40} gesendet|gesendet von )/i

/** Whether a line, and everything after it, is not by the writer. */
function endsReply(line: string, next: string[]): boolean {
  if (line === '--' || fromDevice.test(line) || divider.test(line)) return true
  // Some programs repeat the earlier mail without quotation marks.
  const after = next.find((other) => !isBlank(other))
  if (says.test(line) && after !== undefined && !isQuoted(after)) return true
  // Outlook repeats the earlier mail after some of its headers.
  return first.test(line) && next.filter((other) => further.test(other)).length >= 2
}

/** Returns the index of the first of the lines before `end` that only separate it from the words above. */
function rulesBefore(lines: string[], end: number): number {
  let begin = end
  while (begin > 0 && /^([-_*=]{5,})?$/.test((lines[begin - 1] ?? '').trim())) begin--
  return begin
}

function isQuoted(line: string): boolean {
  return line.startsWith('>')
}

function isBlank(line: string): boolean {
  return line.trim() === ''
}

function withoutLastQuote(lines: string[]): string[] {
  let end = lines.length
  while (end > 0 && isBlankOrQuoted(lines[end - 1])) end--
  if (!lines.slice(end).some(isQuoted)) return lines
  return lines.slice(0, attributionBefore(lines, end))
}

/** Some users write below the text that they answer. */
function withoutFirstQuote(lines: string[]): string[] {
  const quote = lines.findIndex(isQuoted)
  if (quote < 0 || lines.slice(0, attributionBefore(lines, quote)).some((line) => !isBlank(line)))
    return lines
  let end = quote
  while (end < lines.length && isBlankOrQuoted(lines[end])) end++
  return lines.slice(end)
}

function isBlankOrQuoted(line: string | undefined): boolean {
  return line !== undefined && (isBlank(line) || isQuoted(line))
}

/**
 * Returns the index of the first line that says who wrote the following text (`On Monday, Anna wrote:`), or `end` if no
 * line does.
 */
function attributionBefore(lines: string[], end: number): number {
  let last = end
  while (last > 0 && isBlank(lines[last - 1] ?? '')) last--
  if (!/[:：]$/.test(lines[last - 1] ?? '')) return end
  let begin = last
  while (begin > 0 && last - begin < 3 && !isBlank(lines[begin - 1] ?? '')) begin--
  const whole = lines.slice(begin, last).join(' ')
  return /[\d@<]/.test(whole) || wroteWord.test(whole) ? begin : end
}
