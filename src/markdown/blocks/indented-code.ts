import { addBlock, type Block, type BlockRule } from './block.ts'

/** Lines that are indented by four spaces. Blank lines between them are part of the code. */
export const indentedCode: BlockRule = {
  matches: (chunk) => chunk.startsWith('    '),
  parse(chunk, parent) {
    const lines = chunk.split('\n')
    const end = lines.findIndex((line) => !line.startsWith('    ') && line.trim() !== '')
    const code = lines.slice(0, end < 0 ? undefined : end).map((line) => line.slice(4))
    const before = parent.children.at(-1)
    if (before?.literal) before.text += `\n${code.join('\n').trimEnd()}\n`
    else literal(parent, `${code.join('\n').trimEnd()}\n`)
    return end < 0 ? [] : [lines.slice(end).join('\n')]
  },
}

function literal(parent: Block, text: string): void {
  addBlock(parent, 'pre', text).literal = true
}
