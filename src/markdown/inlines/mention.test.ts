import { describe, expect, test } from 'vitest'
import type { Lookup, Mentionable } from '../lookup.ts'
import { render } from '../render.ts'

const people: Mentionable[] = [
  { id: 7, name: 'Carol Chen' },
  { id: 8, name: 'Dave <Díaz>' },
  { id: 9, name: 'Erin Old', isDeactivated: true },
]
const groups = new Map<string, Mentionable>([
  ['devs', { id: 5, name: 'devs' }],
  ['role:members', { id: 6, name: 'Members' }],
  ['ops', { id: 10, name: 'ops', isDeactivated: true }],
])
const lookup: Lookup = {
  userByName: (name) => people.find((user) => user.name.toLowerCase() === name.toLowerCase()),
  userById: (id) => people.find((user) => user.id === id),
  channelByName: () => undefined,
  groupByName: (name) => groups.get(name),
}

const carol = '<span class="user-mention" data-user-id="7">@Carol Chen</span>'
const silentCarol = '<span class="user-mention silent" data-user-id="7">Carol Chen</span>'
const erin = '<span class="user-mention silent" data-user-id="9">Erin Old</span>'
const devs = '<span class="user-group-mention" data-user-group-id="5">@devs</span>'

const html: [source: string, paragraph: string][] = [
  ['@**Carol Chen**', carol],
  ['@**carol chen**', carol],
  ['@**Carol Chen|7**', carol],
  ['@**|7**', carol],
  ['@_**Carol Chen**', silentCarol],
  ['@_**Carol Chen|7**', silentCarol],
  ['@**Erin Old** @**Erin Old|9** @_**Erin Old**', `${erin} ${erin} ${erin}`],
  ['@**Carol Chen**, (@**Carol Chen**)', `${carol}, (${carol})`],
  ['@**Carol Chen**s', `${carol}s`],
  ['"@**Carol Chen**"', `&quot;${carol}&quot;`],
  ['@**Dave <Díaz>**', '<span class="user-mention" data-user-id="8">@Dave &lt;Díaz&gt;</span>'],
  ['[@**Carol Chen**](https://x.org)', `<a href="https://x.org">${carol}</a>`],

  ['@**No Such**', '@<strong>No Such</strong>'],
  ['@**Wrong Name|7**', '@<strong>Wrong Name|7</strong>'],
  ['@**Carol Chen|8**', '@<strong>Carol Chen|8</strong>'],
  ['@**Carol Chen|99**', '@<strong>Carol Chen|99</strong>'],
  ['@**|99**', '@<strong>|99</strong>'],
  ['x@**Carol Chen**', 'x@<strong>Carol Chen</strong>'],
  ['@**Carol Chen', '@**Carol Chen'],
  ['@Carol', '@Carol'],
  ['`@**Carol Chen**`', '<code>@**Carol Chen**</code>'],
  ['@**<b>**', '@<strong>&lt;b&gt;</strong>'],

  ['@**all**', '<span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span>'],
  ['@**everyone**', '<span class="user-mention channel-wildcard-mention" data-user-id="*">@everyone</span>'],
  ['@**channel**', '<span class="user-mention channel-wildcard-mention" data-user-id="*">@channel</span>'],
  ['@**stream**', '<span class="user-mention channel-wildcard-mention" data-user-id="*">@stream</span>'],
  ['@_**all**', '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span>'],
  ['@**topic**', '<span class="topic-mention">@topic</span>'],
  ['@_**topic**', '<span class="topic-mention silent">topic</span>'],
  ['@**All**', '@<strong>All</strong>'],
  ['@all', '@all'],

  ['@*devs*', devs],
  ['@_*devs*', '<span class="user-group-mention silent" data-user-group-id="5">devs</span>'],
  ['@*ops*', '<span class="user-group-mention silent" data-user-group-id="10">ops</span>'],
  ['@*role:members*', '<span class="user-group-mention" data-user-group-id="6">@Members</span>'],
  ['@*nosuch*', '@<em>nosuch</em>'],
  ['@*devs*@*devs*', `${devs}@<em>devs</em>`],
]

test.each(html)('%s', (source, paragraph) => {
  expect(render(source, lookup).html).toBe(`<p>${paragraph}</p>`)
})

test('a mention within a table cell', () => {
  expect(render('|a|\n|-|\n|@**Carol Chen**|', lookup).html).toContain(`<td>${carol}</td>`)
})

describe('who is told', () => {
  const nobody = { users: [], groups: [], channel: false, topic: false }
  const cases: [source: string, told: Record<string, unknown>][] = [
    ['hello', {}],
    ['@**Carol Chen** @**Dave <Díaz>** @**Carol Chen|7**', { users: [7, 8] }],
    ['@_**Carol Chen** @_*devs* @_**all** @_**topic**', {}],
    ['@**Erin Old** @*ops*', {}],
    ['@*devs* and @*devs*', { groups: [5] }],
    ['@**stream**', { channel: true }],
    ['@**topic**', { topic: true }],
    ['`@**Carol Chen**`', {}],
    ['```\n@**Carol Chen**\n```', {}],
    ['> @**Carol Chen** @**all** @*devs*', {}],
    ['> @**Carol Chen**\n\n@**Dave <Díaz>**', { users: [8] }],
  ]

  test.each(cases)('%s', (source, told) => {
    const { facts } = render(source, lookup)
    expect({ users: facts.mentionedUserIds, groups: facts.mentionedGroupIds, ...facts.wildcard }).toEqual({
      ...nobody,
      ...told,
    })
  })

  test('a quoted mention is shown as a silent one', () => {
    expect(render('> @**Carol Chen**', lookup).html).toBe(
      `<blockquote>\n<p>${silentCarol}</p>\n</blockquote>`,
    )
  })
})
