import { expect, test } from 'vitest'
import type { Lookup } from './lookup.ts'
import { mentionedNames } from './mentioned-names.ts'
import { render } from './render.ts'

const people = ['Ana', 'Bo', 'Cy'].map((name, index) => ({ id: index + 1, name }))
const lookup: Lookup = {
  userByName: (name) => people.find((user) => user.name === name),
  userById: (id) => people.find((user) => user.id === id),
  channelByName: () => undefined,
  groupByName: () => undefined,
}

test('names are found once, as they are written', () => {
  expect(mentionedNames('Hi @**Ana**, (@**Bo|2**) and @**Ana** again, @**all**')).toEqual([
    'Ana',
    'Bo|2',
    'all',
  ])
  expect(mentionedNames('No @*group*, no @_**Ana**, no x@**Bo** and no @**unfinished')).toEqual([])
})

const around: [string, (text: string) => string][] = [
  ['nothing', (text) => text],
  ['words', (text) => `Look ${text}, please`],
  ['code', (text) => `See \`${text}\` there`],
  ['more ticks', (text) => `See \`\`a \` ${text}\`\` there`],
  ['one tick', (text) => `A \` alone, ${text}`],
  ['code before it', (text) => `\`a\`${text}`],
  ['a fence', (text) => `\`\`\`js\n${text}\n\`\`\``],
  ['an open fence', (text) => `before\n~~~\n${text}`],
  ['a fence that ended', (text) => `~~~~\na\n~~~~\n${text}`],
  ['a quote', (text) => `> ${text.replaceAll('\n', '\n> ')}`],
  ['a lazy quote', (text) => `> a\n${text}`],
  ['after a quote', (text) => `> a\n\n${text}`],
  ['a quote between fences', (text) => `\`\`\`quote\n${text}\n\`\`\``],
  ['after a quote between fences', (text) => `\`\`\`quote\na\n\`\`\`\n${text}`],
  ['a spoiler', (text) => `\`\`\`spoiler Ends\n${text}\n\`\`\``],
  ['the title of a spoiler', (text) => `\`\`\`spoiler ${text}\nends\n\`\`\``],
  ['math', (text) => `\`\`\`math\n${text}\n\`\`\``],
  ['a list', (text) => `- ${text}\n- b`],
  ['a list within a list', (text) => `- a\n  - ${text}`],
  ['a quote within a list', (text) => `* > ${text}`],
  ['indentation', (text) => `a\n\n    ${text}`],
  ['a heading', (text) => `# ${text}`],
  ['a table', (text) => `|a|b|\n|-|-|\n|${text}|c|`],
  ['a link', (text) => `[${text}](https://example.com)`],
  ['emphasis', (text) => `*a ${text}*`],
]

test.each(around)('the users whom rendering finds are found, also within others: %s', (_, outer) => {
  const texts = around.map(([, inner]) => `${outer(inner('@**Ana**'))}\n\n@**Bo**, not @_**Cy**`)
  const byRendering = texts.map((text) => [text, render(text, lookup).facts.mentionedUserIds])
  const byName = texts.map((text) => [
    text,
    mentionedNames(text).flatMap((name) => lookup.userByName(name)?.id ?? []),
  ])
  expect(byName).toEqual(byRendering)
})
