import type { EmbeddedBot } from './bot.ts'
import { convert, kinds, type Unit, unitNamed } from './units.ts'

/** Converts an amount to another unit. */
export const converter: EmbeddedBot = {
  name: 'converter',
  config: {},
  respond: ({ text }) => ({ say: answer(text) }),
}

const question =
  /^(?:convert )? *([-+]?\d{1,30}(?:\.\d{1,30})?) *([^\s\d]\S{0,20}) +(?:to|in|into|as) +(\S{1,20}?)[.?!]?$/i

function answer(text: string): string {
  const [, number, fromName = '', toName = ''] = question.exec(text) ?? []
  if (number === undefined) return help()
  const [from, to] = [unitNamed(fromName), unitNamed(toName)]
  if (!from || !to) return `I do not know that unit. ${help()}`
  if (from.kind !== to.kind) {
    return `${from.symbol} is a unit of ${from.kind}, and ${to.symbol} one of ${to.kind}: neither is made of the other.`
  }
  const amount = Number(number)
  if (isTooCold(amount, from)) return 'Nothing is that cold.'
  return `${shown(amount)} ${from.symbol} = **${shown(convert(amount, from, to))} ${to.symbol}**`
}

function help() {
  const known = Object.entries(kinds).map(([kind, units]) => {
    return `- ${kind}: ${units.map(({ symbol }) => symbol).join(', ')}`
  })
  return `Ask me like this: \`12 km to mi\`. I know units of\n\n${known.join('\n')}`
}

// Returns whether a temperature is below 0 K. Only temperature differences could be lower.
function isTooCold(amount: number, { kind, factor, offset }: Unit) {
  return kind === 'temperature' && amount * factor + offset < -1e-9
}

/** Formats whole numbers as they are, and other numbers with six significant digits. */
function shown(amount: number): string {
  const exact = Number(amount.toPrecision(15))
  return String(Number.isInteger(exact) ? exact : Number(amount.toPrecision(6)))
}
