import { expect, test } from 'vitest'
import { emptyLookup, type Linkifier, type Lookup } from '../lookup.ts'
import { render, topicLinks } from '../render.ts'

const issue: Linkifier = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.org/issues/{id}' }
const file: Linkifier = {
  pattern: '(?P<repo>[a-z]+)/(?P<path>[a-z/. ]+)!',
  url_template: 'https://x.org/{repo}{/path}{?q}',
}
const known = (...linkifiers: Linkifier[]): Lookup => ({ ...emptyLookup, linkifiers })
const a = (id: number) => `<a href="https://x.org/issues/${id}">#${id}</a>`

test.each([
  ['see #1 and (#22).', `see ${a(1)} and (${a(22)}).`],
  ['#1 #2 #3', `${a(1)} ${a(2)} ${a(3)}`],
  ['x#1 #1x #1#2 `#1`', `x#1 #1x ${a(1)}#2 <code>#1</code>`],
  ['**#1** [#1](https://y.org)', `<strong>#1</strong> <a href="https://y.org">#1</a>`],
  ['ab/c d! ', '<a href="https://x.org/ab/c%20d">ab/c d!</a> '],
])('%s', (source, paragraph) => {
  expect(render(source, known(issue, file)).html).toBe(`<p>${paragraph}</p>`)
})

test('a pattern or a template that is no good, and a scheme that may not be linked to, change nothing', () => {
  const bad: Linkifier[] = [
    { pattern: '(', url_template: 'https://x.org' },
    { pattern: 'a(?=b)', url_template: 'https://x.org' },
    { pattern: '#(?P<id>[0-9]+)', url_template: 'javascript:a{id}' },
  ]
  expect(render('a #1', known(...bad)).html).toBe('<p>a #1</p>')
  expect(topicLinks('a #1', known(...bad))).toEqual([])
})

/** Returns this number of linkifiers; the last one is `issue`. */
const many = (pattern: (index: number) => string, count = 200): Linkifier[] => [
  ...Array.from({ length: count - 1 }, (_, index) => ({
    pattern: pattern(index),
    url_template: 'https://x.org/{a}',
  })),
  issue,
]

test.each([
  (index: number) => `(?P<a>a${index}(?:(.?.*){20}b)?)`,
  (index: number) => `(?P<a>[ a]*(?:.?.*){100}x${index})`,
  (index: number) => `(?:\\b|\\B|a| )*(?P<a>x${index})`,
])('once linkifiers have cost too much, the rest stays text: %s', (pattern) => {
  const lookup = known(...many(pattern))
  const words = 'a '.repeat(4_900)
  expect(render(`#1 ${words}**b** #2`, lookup).html).toBe(`<p>#1 ${words}<strong>b</strong> #2</p>`)
  expect(render(`#1 a **b** #2`, lookup).html).toBe(`<p>${a(1)} a <strong>b</strong> ${a(2)}</p>`)
})

test('many links with long addresses cost too much, too', () => {
  const long = { pattern: '(?P<a>a)', url_template: `https://x.org/${'{a}'.repeat(600)}` }
  const { html } = render(`${'a '.repeat(4_900)}#1`, known(long, issue))
  expect(html.split('<a ').length).toBeLessThan(200)
  expect(html).toMatch(/ a #1<\/p>$/)
})

test.each([
  [
    'PROJ',
    200,
    (index: number) => `PROJ${index}-(?P<a>[0-9]+)`,
    (index: number) => `PROJ${index % 99}-${index}`,
  ],
  [
    'repository',
    200,
    (index: number) => `repo${index}#(?P<a>[0-9]+)`,
    (index: number) => `repo${index % 99}#${index}`,
  ],
  [
    'any repository',
    100,
    (index: number) => `(?P<a>[a-zA-Z0-9_-]+)/(?P<b>[a-zA-Z0-9_-]+${index})#(?P<c>[0-9]+)`,
    (index: number) => `example/repo${index % 99}#${index}`,
  ],
  [
    'words',
    200,
    (index: number) => `(?i)(?:bug|ticket)${index}[ #]+(?P<a>[0-9]+)`,
    (index: number) => `Bug${index % 99} #${index}`,
  ],
])('linkifiers find 200 matches in a long message: %s, %d of them', (_, count, pattern, written) => {
  const lookup = known(...many(pattern, count))
  const matches = Array.from({ length: 200 }, (_, index) => `so they said (see ${written(index)}), ok.`)
  const { html } = render(`${matches.join('\n').padEnd(9_990, ' and more')} #7`, lookup)
  expect(html.split('<a ')).toHaveLength(202)
  expect(topicLinks(matches[0]!, lookup)).toHaveLength(1)
})

test('topics with hostile linkifiers have the links that cost little', () => {
  const lookup = known(...many((index) => `(?P<a>a(?:.?.*){100}x${index})`))
  expect(topicLinks(`#1 ${'a '.repeat(28)}#2`, lookup)).toEqual([])
  expect(topicLinks('#1', lookup)).toEqual([{ text: '#1', url: 'https://x.org/issues/1' }])
})

test('links of a topic come in the order in which they stand', () => {
  expect(topicLinks('https://y.org/#5 and #12, #7 of me@x.org', known(issue))).toEqual([
    { text: 'https://y.org/#5', url: 'https://y.org/#5' },
    { text: '#12', url: 'https://x.org/issues/12' },
    { text: '#7', url: 'https://x.org/issues/7' },
  ])
  expect(topicLinks('x.org', emptyLookup)).toEqual([{ text: 'x.org', url: 'http://x.org' }])
  expect(topicLinks('', known(issue))).toEqual([])
})
