import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { pickFrom, randomFrom, seedOfRun } from '../../../../test/random/random.ts'
import { tries } from '../../../../test/runner/effort.ts'
import { testServer } from '../../../../test/test-server.ts'
import { searchQuery } from '../../../narrow/search-sql.ts'
import type { PageMessage } from '../../kernel/messages/page-rows.ts'
import { matchesIn } from './matches.ts'

const server = testServer()

const words =
  `dog Dogs DOGGING running runs sky skies dying die lying the über Über école e\u0301cole straße K kilo
  İstanbul ıstanbul привет приветы 3dogs dogs3 10km -5 1.5 1e5 2024 v1.2.3 foo-bar foo_bar foo/bar /usr/lib/dog.html
  http://example.com/dog?x=dog#y dog@example.com example.com don't dog's ~dog @dog *dog* (dog) well-known-dog U.S.A
  a.b.c dog:cat ﬁre ſun sun x , . - / 😀`.split(/\s+/)
const between = [' ', ' ', ' ', '', '\n', '\t', '\r', '\u00a0', '\u200b', '\ufeff']

test('what PostgreSQL finds of a search in a text is highlighted, whatever stands around it', async () => {
  const { read } = server.node.app.realms.connections
  const random = randomFrom(seedOfRun('highlights'))
  const textOf = (count: number) =>
    Array.from({ length: count }, () => pickFrom(random, words) + pickFrom(random, between)).join('')
  for (let i = 0; i < tries(1_000); i++) {
    const [search, text] = [textOf(1 + (i % 3)).trim(), textOf(12)]
    const [message] = await matchesIn(
      read,
      search,
      [{ contentJson: JSON.stringify(text) } as PageMessage],
      () => '',
    )
    const [found] = await read.rows<{ text: string }>(
      sql`SELECT ts_headline('english', ${text}, ${searchQuery(search)},
        'HighlightAll=true, StartSel=«, StopSel=»') AS text`,
    )
    const marked = message?.match_content
      .replaceAll('<span class="highlight">', '«')
      .replaceAll('</span>', '»')
    expect(marked, search).toBe(found?.text)
  }
})

test('only text is highlighted, and everything around it stays as it is', async () => {
  const html = (one: string) =>
    `<p title="a &gt; dog">Tom&#39;s ${one} &amp; &quot;${one}&quot;, ${one}\u0001sky &lt;${one}&gt; &amp;lt; hotdogs</p>`
  const content = { contentJson: JSON.stringify(html('dog')) } as PageMessage
  const plain = { contentJson: JSON.stringify('<p>A cat&#39;s &lt;tail&gt;</p>') } as PageMessage
  const { read } = server.node.app.realms.connections
  const match_subject = '<span class="highlight">Dogs</span> &amp; &quot;cats&quot;'
  expect(await matchesIn(read, 'dog', [content, plain], () => 'Dogs & "cats"')).toEqual([
    { match_content: html('<span class="highlight">dog</span>'), match_subject },
    { match_content: '<p>A cat&#39;s &lt;tail&gt;</p>', match_subject },
  ])
  const forged = { contentJson: JSON.stringify('<p>\u000f\u0012b\u0013 dog</p>') } as PageMessage
  const [match] = await matchesIn(read, 'dog', [forged], () => '')
  expect(match?.match_content).toBe('<p>\u0017\u0017b\u0017 <span class="highlight">dog</span></p>')
})
