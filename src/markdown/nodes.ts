/** A part of a message before it becomes HTML: text, elements, and HTML that we made from text. */
export type Node = string | Element | Markup

/** Without a tag it is only its children. */
export type Element = { tag: string; attributes: Record<string, string>; children: Node[] }

/** Trusted: an entity, or the result of KaTeX. `text` is the text that readers see. */
type Markup = { html: string; text: string }

export function element(tag: string, attributes: Record<string, string>, ...children: Node[]): Element {
  return { tag, attributes, children }
}

export function isElement(node: Node): node is Element {
  return typeof node === 'object' && 'tag' in node
}

export function toHtml(nodes: readonly Node[]): string {
  let html = ''
  for (const node of nodes) html += nodeHtml(node)
  return html
}

/** Returns the text that readers see, without markup. */
export function textOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node : isElement(node) ? textOf(node.children) : node.text))
    .join('')
}

function escapeHtml(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => entities[character] ?? character) : text
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const voidTags = new Set(['br', 'hr', 'img'])

function nodeHtml(node: Node): string {
  if (typeof node === 'string') return escapeHtml(node)
  if (!isElement(node)) return node.html
  if (node.tag === '') return toHtml(node.children)
  const open = `<${node.tag}${attributesHtml(node.attributes)}>`
  return voidTags.has(node.tag) ? open : `${open}${toHtml(node.children)}</${node.tag}>`
}

/** An attribute that says its own name is written short, as clients have always got it (`controls`, but also a title). */
function attributesHtml(attributes: Record<string, string>): string {
  let html = ''
  for (const name in attributes) {
    const value = attributes[name]!
    html += value === name ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`
  }
  return html
}
