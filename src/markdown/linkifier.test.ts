import { expect, test } from 'vitest'
import { emptyLookup, type Linkifier, type Lookup } from './lookup.ts'
import { render, topicLinks } from './render.ts'

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

test('links of a topic come in the order in which they stand', () => {
  expect(topicLinks('https://y.org/#5 and #12, #7 of me@x.org', known(issue))).toEqual([
    { text: 'https://y.org/#5', url: 'https://y.org/#5' },
    { text: '#12', url: 'https://x.org/issues/12' },
    { text: '#7', url: 'https://x.org/issues/7' },
  ])
  expect(topicLinks('x.org', emptyLookup)).toEqual([{ text: 'x.org', url: 'http://x.org' }])
  expect(topicLinks('', known(issue))).toEqual([])
})
