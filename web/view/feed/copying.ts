type Convert = typeof import('../../lib/html-to-markdown.ts').htmlToMarkdown

let convert: Convert | undefined

/** Controls in messages that are not a part of their text. */
const tools =
  '.row-actions, .code-tools, .message_embed, .row-side, .reactions, .mark, .katex-html, button.newer'

/** Copies what is selected in messages as Markdown, beside the HTML: texts go on to editors and other chats. */
export function copyAsMarkdown() {
  // A browser takes what is copied while the event lasts, so the converter is there before.
  const prepare = () => {
    const selection = getSelection()
    if (convert || !selection || selection.isCollapsed || !isInRows(selection.anchorNode)) return
    void import('../../lib/html-to-markdown.ts').then(
      ({ htmlToMarkdown }) => {
        convert = htmlToMarkdown
      },
      // The browser copies the text without it. The next selection tries again.
      () => {},
    )
  }
  document.addEventListener('selectionchange', prepare)
  document.addEventListener('copy', (event) => {
    const selection = getSelection()
    if (!convert || !event.clipboardData || !selection || selection.isCollapsed || isInCode(selection)) return
    if (!isInRows(event.target)) return
    const part = selectedPart(selection)
    event.clipboardData.setData('text/html', part.innerHTML)
    event.clipboardData.setData('text/plain', markdownOf(part, convert))
    event.preventDefault()
  })
}

function isInRows(place: EventTarget | null) {
  const element = place instanceof Text ? place.parentElement : place
  return element instanceof Element && element.closest('.message-rows') !== null
}

/** A part of some code goes on as it stands, as the browser copies it: it has no marks around it, and its spaces count. */
function isInCode(selection: Selection) {
  if (selection.rangeCount !== 1) return false
  const { commonAncestorContainer: around } = selection.getRangeAt(0)
  return Boolean((around instanceof Element ? around : around.parentElement)?.closest('pre, code'))
}

function selectedPart(selection: Selection): HTMLElement {
  const part = document.createElement('div')
  for (let i = 0; i < selection.rangeCount; i++) part.append(selection.getRangeAt(i).cloneContents())
  for (const tool of part.querySelectorAll(tools)) tool.remove()
  for (const link of part.querySelectorAll<HTMLAnchorElement>('a[href]')) link.setAttribute('href', link.href)
  return part
}

/** Returns the selection as Markdown; each of several messages follows its author and time. */
function markdownOf(part: HTMLElement, convert: Convert): string {
  const rows = [...part.querySelectorAll<HTMLElement>('article.row')]
  if (rows.length === 0) return convert(part.innerHTML)
  return rows
    .map((row) => `${headOf(row)}${textOf(row, convert)}`.trim())
    .filter(Boolean)
    .join('\n\n')
}

function headOf(row: HTMLElement) {
  const name = row.querySelector('.sender')?.textContent?.trim()
  const time = row.querySelector('.row-head time')?.textContent?.trim()
  return name ? `${`**${name}** ${time ?? ''}`.trim()}\n` : ''
}

function textOf(row: HTMLElement, convert: Convert) {
  const content = row.querySelector('.content')
  return content ? convert(content.innerHTML) : ''
}
