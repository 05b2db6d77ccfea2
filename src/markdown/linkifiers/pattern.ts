import { RE2JS, RE2JSSyntaxException } from 're2js'
import { markdownLimits } from '../limits.ts'

/** An organization's pattern as a program, for `PatternSearch` to run: of instruction n, entry n of each array. */
export type Pattern = {
  readonly start: number
  readonly size: number
  readonly ops: Uint8Array
  /** The next instruction. */
  readonly outs: Uint16Array
  /** The other next instruction of an alternative, the number of a capture, or the conditions of an assertion. */
  readonly args: Uint16Array
  /** The ASCII characters that may come next if a match is to follow from an instruction: four times 32 bits each. */
  readonly begins: Int32Array
  /** Whether an instruction reads a character. */
  reads(instruction: number, rune: number): boolean
  /** The numbers of the groups that have names. */
  readonly groups: Readonly<Record<string, number>>
  /** The number of captures. The captures 2n and 2n + 1 are the beginning and the end of group n. */
  readonly captures: number
}

/** As re2js numbers them. The others read a character. */
export const patternOp = {
  alternative: 1,
  longest: 2,
  capture: 3,
  assertion: 4,
  fail: 5,
  match: 6,
  nothing: 7,
}

/** Conditions of assertions, as re2js numbers them. */
export const at = { lineStart: 1, lineEnd: 2, textStart: 4, textEnd: 8, wordEdge: 16, noWordEdge: 32 }

const kept = new Map<string, Pattern>()

/** Throws RE2JSSyntaxException for a pattern that is not in RE2's syntax, or one with too large a program. */
export function compilePattern(source: string): Pattern {
  const pattern = kept.get(source) ?? compile(source)
  kept.delete(source)
  kept.set(source, pattern)
  if (kept.size > markdownLimits.linkifiersKept) kept.delete(kept.keys().next().value!)
  return pattern
}

function compile(source: string): Pattern {
  if (sizeAtLeast(source) > markdownLimits.linkifierProgram)
    throw new RE2JSSyntaxException('expression too large')
  const compiled = RE2JS.compile(source)
  const { prog } = compiled.re2() as unknown as { prog: Program }
  const classes = [...new Set(prog.inst.map(({ runes }) => runes))]
  const inClasses = classes.reduce((sum, { length }) => sum + length, 0)
  if (prog.inst.length > markdownLimits.linkifierProgram || inClasses > markdownLimits.linkifierClasses) {
    throw new RE2JSSyntaxException('expression too large')
  }
  return patternOf(prog, compiled.namedGroups())
}

/** Not in the types of re2js, so its version is fixed. */
type Program = { start: number; inst: Instruction[]; numCap: number }
type Instruction = {
  op: number
  out: number
  arg: number
  runes: Int32Array
  matchRune(rune: number): boolean
}

function patternOf({ start, inst, numCap: captures }: Program, groups: Record<string, number>): Pattern {
  return {
    start,
    size: inst.length,
    ops: Uint8Array.from(inst, ({ op }) => op),
    outs: Uint16Array.from(inst, ({ out }) => out),
    args: Uint16Array.from(inst, ({ arg }) => arg),
    begins: beginsOf(inst),
    reads: (instruction, rune) => inst[instruction]!.matchRune(rune),
    groups,
    captures,
  }
}

/**
 * Returns the characters that an instruction, or those it leads to, can read. Where a match can end, any character may
 * follow.
 */
function beginsOf(inst: Instruction[]): Int32Array {
  const begins = new Int32Array(4 * inst.length)
  for (const [pc, instruction] of inst.entries()) {
    for (let code = 0; code < 128; code++) {
      const may =
        instruction.op === patternOp.match ||
        (instruction.op > patternOp.nothing && instruction.matchRune(code))
      if (may) begins[4 * pc + (code >>> 5)]! |= 1 << (code & 31)
    }
  }
  const order = lastFirst(inst)
  for (let isComplete = false; !isComplete; ) {
    isComplete = true
    for (const pc of order) {
      const { op: kind, out, arg } = inst[pc]!
      if (kind > patternOp.nothing || kind === patternOp.fail || kind === patternOp.match) continue
      for (let word = 0; word < 4; word++) {
        const other = kind <= patternOp.longest ? begins[4 * arg + word]! : 0
        const bits = begins[4 * pc + word]! | begins[4 * out + word]! | other
        isComplete &&= bits === begins[4 * pc + word]
        begins[4 * pc + word] = bits
      }
    }
  }
  return begins
}

/** Instructions after those that they lead to, as far as there are no loops. */
function lastFirst(inst: Instruction[]): number[] {
  const order = new Set<number>()
  const seen = new Set<number>()
  const visit = (pc: number) => {
    if (seen.has(pc)) return
    seen.add(pc)
    const { op: kind, out, arg } = inst[pc]!
    visit(out)
    if (kind <= patternOp.longest) visit(arg)
    order.add(pc)
  }
  inst.forEach((_, pc) => {
    visit(pc)
  })
  return [...order]
}

const token =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\(\?[\w-]*\)|\(\?P?<\w+>|\(\?[\w-]*:|\{\d+(?:,\d*)?\}|[\s\S]/g

/** How large a program is at least, as repetitions multiply: a second's work to compile, for a few characters. */
function sizeAtLeast(source: string): number {
  const outside: number[] = []
  let size = 0
  let last = 0
  for (const [written] of source.matchAll(token)) {
    const [, least, most] = /^\{(\d+),?(\d*)\}$/.exec(written) ?? []
    if (least !== undefined) {
      size += last * (Math.max(Number(least), Number(most)) - 1)
    } else if (written === ')') {
      last = size
      size += outside.pop() ?? 0
    } else if (written.startsWith('(') && !written.endsWith(')')) {
      outside.push(size)
      size = 0
      last = 0
    } else if (/^(?:\(|[|^$]$)/.test(written)) {
      last = 0
    } else if (!/^[*+?]$/.test(written)) {
      last = 1
      size++
    }
  }
  return size
}
