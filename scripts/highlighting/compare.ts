import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { generatedTokens } from '../../src/markdown/highlight/generated.ts'
import { languageFor } from '../../src/markdown/highlight/languages.ts'
import { markdownLimits } from '../../src/markdown/limits.ts'

// Holds what we make of samples against what Pygments does (samples.py), line by line:
//   npx tsx scripts/highlighting/compare.ts samples.jsonl [how many differences to show]

type Token = [className: string, text: string]
type Count = { lines: number; equal: number; outOfSteps: number }

const [file, shown = '5'] = process.argv.slice(2)
const counts = new Map<string, Count>()
let left = Number(shown)

for await (const line of createInterface({ input: createReadStream(file!) })) {
  const sample: { word: string; file: string; tokens: Token[] } = JSON.parse(line)
  const language = languageFor(sample.word)
  if (!language?.lexer) continue
  const steps = { left: markdownLimits.highlighting }
  const code = sample.tokens.map(([, text]) => text).join('')
  const ours = marked(generatedTokens(code, language.lexer, ['root'], steps) as Token[])
  const theirs = marked(sample.tokens)
  const count = counts.get(language.name) ?? { lines: 0, equal: 0, outOfSteps: 0 }
  counts.set(language.name, count)
  count.outOfSteps += Number(steps.left < 0)
  for (const [i, expected] of theirs.entries()) {
    count.lines++
    if (ours[i] === expected) count.equal++
    else if (left-- > 0)
      console.log(`${sample.word}/${sample.file}:${i + 1}\n  - ${expected}\n  + ${ours[i]}`)
  }
}

const all = [...counts]
const sum = (of: (count: Count) => number) => all.reduce((total, [, count]) => total + of(count), 0)
const whole = all.filter(([, { lines, equal }]) => lines === equal)
const others = all.filter(([, { lines, equal }]) => lines !== equal)
console.log(
  `${whole.length} of ${all.length} languages and ${sum((one) => one.equal)} of ${sum((one) => one.lines)} lines are equal.`,
)
console.log(`${sum((one) => one.outOfSteps)} samples took more steps than a message may.`)
for (const [name, { lines, equal }] of others.sort(([, a], [, b]) => a.equal / a.lines - b.equal / b.lines))
  console.log(`  ${name}: ${equal} of ${lines}`)

/** Lines with their tokens, of which neighbors of the same class are one. */
function marked(tokens: Token[]): string[] {
  const lines = ['']
  let [last, text] = ['', '']
  const flush = () => {
    if (text !== '') lines.push(`${lines.pop()}⟨${last} ${text}⟩`)
    text = ''
  }
  for (const [className, part] of tokens) {
    for (const [i, piece] of part.split('\n').entries()) {
      if (i > 0) {
        flush()
        lines.push('')
      }
      if (piece !== '' && className !== last) flush()
      if (piece !== '') last = className
      text += piece
    }
  }
  flush()
  return lines.slice(0, -1)
}
