import { markdownLink } from './markdown.ts'

/** Converts Slack's markup to Markdown. Code stays unchanged. */
export function fromSlack(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? codeOf(part) : wordsOf(part)))
    .join('')
}

/** Slack allows code on the line of its opening fence. */
function codeOf(code: string): string {
  const block = /^```([\s\S]*)```$/.exec(code)?.[1]
  if (block === undefined) return unescapeSlack(code)
  return `\n\`\`\`\n${unescapeSlack(block).replace(/^\n|\n$/g, '')}\n\`\`\`\n`
}

function wordsOf(text: string): string {
  return text
    .split(/(<[^<>\n]+>)/)
    .map((part, index) =>
      index % 2 === 1 ? referenceOf(part.slice(1, -1)) : emphasisOf(unescapeSlack(part)),
    )
    .join('')
}

/** `<https://…|text>`, `<@U123>`, `<#C123|name>`, `<!here>`. */
function referenceOf(inside: string): string {
  const [target = '', label] = inside.split('|', 2)
  const name = label === undefined ? undefined : unescapeSlack(label)
  if (target.startsWith('@')) return `@${name ?? target.slice(1)}`
  if (target.startsWith('#')) return `#${name ?? target.slice(1)}`
  if (target.startsWith('!')) return name ?? `@${target.slice(1).split('^')[0]}`
  const url = unescapeSlack(target)
  if (url.startsWith('mailto:')) return name ?? url.slice('mailto:'.length)
  return name === undefined ? url : markdownLink(name, url)
}

const markers = [
  ['*', '**'],
  ['_', '*'],
  ['~', '~~'],
] as const

// A marker is significant only at the border of a word, and not in the middle of a_name_like_this.
function emphasisOf(text: string): string {
  return markers.reduce((result, [mark, ours]) => {
    const m = `\\${mark}`
    const pattern = new RegExp(`(?<![\\w${m}])${m}(?=\\S)([^${m}\\n]*[^\\s${m}])${m}(?![\\w${m}])`, 'g')
    return result.replace(pattern, (_, inside: string) => `${ours}${inside}${ours}`)
  }, text)
}

/** Slack escapes three signs, everywhere. */
export function unescapeSlack(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
