import type { CharacterSet } from './character-set.ts'
import type { Tree } from './definition.ts'

/** The characters with which a match may begin: which ones of ASCII, and whether any others. `empty`: whether it may be empty. */
export type First = { ascii: Uint8Array; others: boolean; empty: boolean }

export function firstOf(tree: Tree, sets: readonly CharacterSet[]): First {
  if (typeof tree === 'string') return tree === '' ? nothing(true) : character(tree.codePointAt(0)!)
  const known = firsts.get(tree)
  if (known) return known
  const first = newFirstOf(tree, sets)
  firsts.set(tree, first)
  return first
}

const firsts = new WeakMap<object, First>()

function newFirstOf(tree: Exclude<Tree, string>, sets: readonly CharacterSet[]): First {
  switch (tree[0]) {
    case 's':
      return { ascii: sets[tree[1]]!.ascii, others: true, empty: false }
    case ',':
      return sequence(tree.slice(1) as Tree[], sets)
    case '|':
      return anyOf(tree.slice(1) as Tree[], sets)
    case '(':
      return firstOf(tree[2], sets)
    case '?>':
      return firstOf(tree[1], sets)
    case '*': {
      const inner = firstOf(tree[4], sets)
      return tree[1] === 0 ? { ...inner, empty: true } : inner
    }
    case '?(':
      return either(firstOf(tree[2], sets), firstOf(tree[3], sets))
    case '\\':
    case 'i':
      return { ascii: new Uint8Array(128).fill(1), others: true, empty: true }
    default:
      return nothing(true)
  }
}

function nothing(empty: boolean): First {
  return { ascii: new Uint8Array(128), others: false, empty }
}

function character(code: number): First {
  const first = nothing(false)
  if (code < 128) first.ascii[code] = 1
  else first.others = true
  return first
}

function sequence(parts: Tree[], sets: readonly CharacterSet[]): First {
  let sum = nothing(true)
  for (const part of parts) {
    if (!sum.empty) break
    const first = firstOf(part, sets)
    sum = { ...either(sum, first), empty: first.empty }
  }
  return sum
}

function anyOf(parts: Tree[], sets: readonly CharacterSet[]): First {
  const sum = nothing(false)
  for (const part of parts) {
    const { ascii, others, empty } = firstOf(part, sets)
    for (let code = 0; code < 128; code++) sum.ascii[code]! |= ascii[code]!
    sum.others ||= others
    sum.empty ||= empty
  }
  return sum
}

function either(one: First, other: First): First {
  return {
    ascii: one.ascii.map((value, code) => value | other.ascii[code]!),
    others: one.others || other.others,
    empty: one.empty || other.empty,
  }
}
