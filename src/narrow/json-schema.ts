import { narrowLimits } from './limits.ts'
import type { OperandSchema } from './operands.ts'
import { operators } from './operators.ts'
import { aliases } from './terms.ts'

// JSON Schemas of the narrows that clients may send, made from the table of operators.

type Kind = { names: string[]; schema: OperandSchema }

/** Returns the names of operators, with their aliases, grouped by the operands that they accept. */
function kinds(): Kind[] {
  const found = new Map<string, Kind>()
  const known = [...operators, ...[...aliases].map(([alias, name]) => [alias, operators.get(name)!] as const)]
  for (const [name, { check }] of known) {
    const key = JSON.stringify(check.schema)
    const kind = found.get(key) ?? { names: [], schema: check.schema }
    kind.names.push(name)
    found.set(key, kind)
  }
  return [...found.values()]
}

function pair(operator: OperandSchema, operand: OperandSchema) {
  return { type: 'array', prefixItems: [operator, operand], items: false, minItems: 2, maxItems: 2 }
}

function term({ names, schema }: Kind) {
  return {
    type: 'object',
    properties: { operator: { enum: names }, operand: schema, negated: { type: 'boolean', default: false } },
    required: ['operator', 'operand'],
  }
}

/** Returns the schema of an operand in a pair, where ids are texts, too. */
function textOf({ anyOf, ...schema }: OperandSchema): OperandSchema {
  return (anyOf as OperandSchema[] | undefined)?.find(({ type }) => type === 'string') ?? schema
}

/** Describes the narrows that parseNarrow accepts: lists of pairs of texts, and of objects. */
export const narrowSchema = {
  type: 'array',
  maxItems: narrowLimits.terms,
  items: {
    anyOf: [
      ...kinds().map(({ names, schema }) => pair({ enum: names }, textOf(schema))),
      ...kinds().map((kind) => term(kind)),
    ],
  },
}

const inQueues = kinds()
  .flatMap(({ names }) => names)
  .filter((name) => operators.get(aliases.get(name) ?? name)?.inQueues('x') === true)

/** Describes the narrows that parseQueueNarrow accepts. */
export const queueNarrowSchema = {
  type: 'array',
  maxItems: narrowLimits.queueTerms,
  items: {
    anyOf: [
      pair({ enum: inQueues }, { type: 'string' }),
      pair({ const: 'is' }, { type: 'string', not: { const: 'followed' } }),
    ],
  },
}
