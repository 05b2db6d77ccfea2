import type { OperandForm } from './operands.ts'
import { operators } from './operators.ts'
import { aliases, maxQueueTerms, maxTerms } from './terms.ts'

// JSON Schemas of the narrows that clients may send, made from the table of operators.

type Kind = { names: string[]; form: OperandForm }

/** The operators, with their aliases, by what they take. */
function kinds(): Kind[] {
  const found = new Map<string, Kind>()
  const known = [...operators, ...[...aliases].map(([alias, name]) => [alias, operators.get(name)!] as const)]
  for (const [name, { check }] of known) {
    const key = JSON.stringify(check.form)
    const kind = found.get(key) ?? { names: [], form: check.form }
    kind.names.push(name)
    found.set(key, kind)
  }
  return [...found.values()]
}

function pair(operator: OperandForm, operand: OperandForm) {
  return { type: 'array', prefixItems: [operator, operand], items: false, minItems: 2, maxItems: 2 }
}

function term({ names, form }: Kind) {
  return {
    type: 'object',
    properties: { operator: { enum: names }, operand: form, negated: { type: 'boolean', default: false } },
    required: ['operator', 'operand'],
  }
}

/** In a pair, ids are texts too. */
function textOf({ anyOf, ...form }: OperandForm): OperandForm {
  return (anyOf as OperandForm[] | undefined)?.find(({ type }) => type === 'string') ?? form
}

/** Describes what parseNarrow takes: pairs of texts, and objects. */
export const narrowForm = {
  type: 'array',
  maxItems: maxTerms,
  items: {
    anyOf: [
      ...kinds().map(({ names, form }) => pair({ enum: names }, textOf(form))),
      ...kinds().map((kind) => term(kind)),
    ],
  },
}

const inQueues = kinds()
  .flatMap(({ names }) => names)
  .filter((name) => operators.get(aliases.get(name) ?? name)?.inQueues('x') === true)

/** Describes what parseQueueNarrow takes. */
export const queueNarrowForm = {
  type: 'array',
  maxItems: maxQueueTerms,
  items: {
    anyOf: [
      pair({ enum: inQueues }, { type: 'string' }),
      pair({ const: 'is' }, { type: 'string', not: { const: 'followed' } }),
    ],
  },
}
