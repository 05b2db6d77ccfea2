import { bareCode, type Source } from '../runner/source.ts'

// Code that a press of a button starts and does not wait for.
const unawaited = /\bvoid (?!0\b)|\basync\b|(?<!\bimport\(''\))\.(?:then|catch|finally)\(|\bnoticeFailure\b/

/**
 * Returns the buttons of a file that start something which takes time, and can be pressed again meanwhile, as `line: name`:
 * in place, or by a function of the same file.
 */
export function repeatable(file: Source): string[] {
  const code = bareCode(file)
  return [...code.matchAll(/<button\b/g)].flatMap(({ index }) => {
    const press = /\bonClick=/.exec(tagAt(code, index))
    if (!press) return []
    const handler = braced(code, index + press.index + press[0].length)
    if (!startedBy(code, handler).some((text) => unawaited.test(text))) return []
    return [`${code.slice(0, index).split('\n').length}: ${handler.replace(/\s+/g, ' ').slice(0, 80)}`]
  })
}

/** A handler, and the functions of the file that it names, and those that they name. */
function startedBy(code: string, handler: string): string[] {
  const found = new Map([['', handler]])
  for (const text of found.values()) {
    for (const [name] of text.matchAll(/(?<![.\w])\w+/g)) {
      const start = new RegExp(
        `^( *)(?:const ${name} = (?!create|use)|(?:async )?function ${name}\\()`,
        'm',
      ).exec(code)
      if (start && !found.has(name)) found.set(name, definitionAt(code, start.index, start[1] ?? ''))
    }
  }
  return [...found.values()]
}

/** The lines of a definition, by the layout that the formatter gives it: what belongs to it stands further in. */
function definitionAt(code: string, at: number, indent: string): string {
  const [first = '', ...others] = code.slice(at).split('\n')
  const end = others.findIndex((line) => !line.startsWith(`${indent} `) && line.trim() !== '')
  return [first, ...others.slice(0, end)].join('\n')
}

/** The start tag of an element. */
function tagAt(code: string, at: number): string {
  let depth = 0
  for (let i = at; i < code.length; i++) {
    if (code[i] === '{') depth++
    else if (code[i] === '}') depth--
    else if (code[i] === '>' && depth === 0) return code.slice(at, i)
  }
  return code.slice(at)
}

/** Returns the code between the braces that begin at an index. */
function braced(code: string, at: number): string {
  let depth = 0
  for (let i = at; i < code.length; i++) {
    if (code[i] === '{') depth++
    else if (code[i] === '}' && --depth === 0) return code.slice(at + 1, i)
  }
  return ''
}
