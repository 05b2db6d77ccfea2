import { bareCode, type Source } from './runner/source.ts'

// Functions that take a callback and do not catch its errors: events, timers.
const takers =
  /\.(?:on|once|addListener|prependListener|prependOnceListener|addEventListener)\(\s*(?:''|\w+),\s*|(?<![.\w])(?:setTimeout|setInterval|setImmediate|queueMicrotask)\(\s*|\bnextTick\(\s*/g

/** Functions that settle a promise, or do nothing, never throw. */
const harmless = ['guard', 'ignore', 'resolve', 'reject']

/**
 * Returns the callbacks of a file that guard has not made, as `line: text`: neither in place, nor under a name in the
 * same file.
 */
export function unguarded(file: Source): string[] {
  const code = bareCode(file)
  return [...code.matchAll(takers)].flatMap(({ 0: start, index }) => {
    const rest = code.slice(index + start.length)
    const name = /^(?:this\.)?([\w$]*)/.exec(rest)![1]!
    if (harmless.includes(name) || rest.startsWith(')')) return []
    if (name !== '' && new RegExp(`\\b${name}(: [^=]+)? = guard\\(`).test(code)) return []
    const line = code.slice(0, index).split('\n').length
    return [`${line}: ${code.split('\n')[line - 1]!.trim()}`]
  })
}
