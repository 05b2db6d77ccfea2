/**
 * A block and what is in it, before the text is looked at: `text` stands before the children, `tail` after the block.
 * `literal` text is code.
 */
export type Block = {
  tag: string
  attributes: Record<string, string>
  text: string
  children: Block[]
  tail: string
  literal?: true
}

export function addBlock(
  parent: Block,
  tag: string,
  text = '',
  attributes: Record<string, string> = {},
): Block {
  const block: Block = { tag, attributes, text, children: [], tail: '' }
  parent.children.push(block)
  return block
}

/** The surroundings of a text that is being parsed. In a tight list, text stands in the item, without a paragraph. */
export type Around = 'document' | 'quote' | 'list' | 'loose list' | 'detabbed'

/** How one kind of block is parsed. */
export type BlockRule = {
  matches(chunk: string, parent: Block, around: Around): boolean
  /** Takes the chunk, and returns the rest to be parsed in the same place. Undefined: there was no match after all. */
  parse(chunk: string, parent: Block, around: Around, parse: Nested): string[] | undefined
}

/** Parses what is within a block. */
export type Nested = (parent: Block, chunks: string[], around: Around) => void

/** Removes up to this many columns of indentation. */
export function unindent(text: string, columns: number): string {
  const indent = ' '.repeat(columns)
  return text
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(columns) : line))
    .join('\n')
}
